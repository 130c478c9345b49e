"""``seatlog``, and ``python -m seatlog``: starts the command line.

Memory isn't tidied up meanwhile: a command makes few circles, and its process ends soon. Whoever
interrupts is heard once, also while modules are loaded; what comes behind it is the same wish.
"""

import gc
import os

_SAID = b"interrupted: nothing was changed\n"
_BAD = 2


def main() -> None:
    """Run the command line and end this process with its code."""
    try:
        import signal

        def once(_number: int, _frame: object) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            raise KeyboardInterrupt

        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, once)
        gc.disable()
        from .cli import main as run

        run()
    except KeyboardInterrupt:
        try:
            os.write(2, _SAID)
        finally:
            os._exit(_BAD)


if __name__ == "__main__":
    main()
