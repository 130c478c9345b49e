"""``seatlog``, and ``python -m seatlog``: starts the command line.

Memory isn't tidied up meanwhile: a command makes few circles, and its process ends soon.
"""

import gc

gc.disable()

from .cli import main  # noqa: E402

if __name__ == "__main__":
    main()
