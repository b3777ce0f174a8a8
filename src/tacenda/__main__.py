"""The command ``tacenda``, also available as ``python -m tacenda``."""

import signal


def run() -> None:
    """Run the command line; Ctrl+C while it is loading ends it silently."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main

    main()


if __name__ == "__main__":
    run()
