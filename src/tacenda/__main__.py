"""``python -m tacenda`` is the command ``tacenda``."""

from .cli.main import main

main()
