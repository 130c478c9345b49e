"""``seatlog``, and ``python -m seatlog``: starts the command line.

Memory isn't tidied up meanwhile: a command makes few circles, and its process ends soon. Whoever
interrupts is heard at once while modules are loaded, and later once: what comes right behind it is
the same wish, and must not end what tidies up.
"""

import gc
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_SAID = b"interrupted: nothing was changed\n"
_BAD = 2
_SAME = 0.2


class _Heard:
    """What Ctrl-C does. ``loaded`` is whether there is anything yet that would have to tidy up."""

    def __init__(self) -> None:
        self.loaded = False
        self.last = -_SAME

    def __call__(self, _number: int, _frame: object) -> None:
        if not self.loaded:
            _leave()
        now = time.monotonic()
        if now - self.last >= _SAME:
            self.last = now
            raise KeyboardInterrupt

    def swallowed(self, what: "sys.UnraisableHookArgs") -> None:
        """Whoever is called back by Python itself can't be interrupted, and would say so."""
        if what.exc_type is KeyboardInterrupt:
            _leave()
        sys.__unraisablehook__(what)


def _leave() -> "NoReturn":
    try:
        os.write(2, _SAID)
    finally:
        os._exit(_BAD)


def main() -> None:
    """Run the command line and end this process with its code."""
    try:
        import signal

        heard = _Heard()
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, heard)
            sys.unraisablehook = heard.swallowed
        gc.disable()
        from .cli import main as run

        heard.loaded = True
        run()
    except KeyboardInterrupt:
        _leave()


if __name__ == "__main__":
    main()
