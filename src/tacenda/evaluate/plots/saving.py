"""Writing a figure to a file, the same bytes for the same figure."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ...atomic import write_atomically
from ...errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_METADATA: Final = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What would tell when and by which version a file was made, by format."""

FORMATS: Final = tuple(_METADATA)

_DOTS_PER_INCH: Final = 300


def format_of(path: Path) -> str:
    """Return the format that the name of a file asks for.

    Raises:
        InputError: it is none that can be written.
    """
    name = path.suffix.lower().removeprefix(".")
    if name not in _METADATA:
        raise InputError(
            f"a picture can't be written as {path.suffix!r}; choose "
            f"{', '.join(f'.{each}' for each in FORMATS)}",
            str(path),
        )
    return name


def save(figure: Figure, path: Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the name of the file.

    Raises:
        InputError: of another format.
        OutputError: the file can't be written.
    """
    from matplotlib import rc_context

    name = format_of(path)
    # Without a salt the ids in an SVG are random; with fonttype none its text stays text.
    with rc_context({"svg.hashsalt": "tacenda", "svg.fonttype": "none"}):
        picture = BytesIO()
        figure.savefig(picture, format=name, dpi=_DOTS_PER_INCH, metadata=_METADATA[name])
    write_atomically(path, picture.getvalue())
