"""A notebook for rule authors: IPython's magics over a draft, a table, and questions about both.

``desk`` is what the magics do, without IPython; each gives a value that shows itself as text and as
HTML. Only ``magics`` knows IPython, which has loaded itself by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .desk import Desk as Desk
    from .magics import load_ipython_extension as load_ipython_extension
    from .magics import unload_ipython_extension as unload_ipython_extension
else:
    from ..doors import door

    __getattr__ = door(
        __name__,
        desk="Desk",
        magics="load_ipython_extension unload_ipython_extension",
    )
