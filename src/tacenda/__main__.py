"""The command ``tacenda``, also as ``python -m tacenda``."""

import signal


def run() -> None:
    """Run the command line; a Ctrl+C while it still loads ends it without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main

    main()


if __name__ == "__main__":
    run()
