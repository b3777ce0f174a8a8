"""Names of typefaces that systems and office programs ship: machinery of a file, whoever is masked."""

from __future__ import annotations

import re

_FAMILIES = frozenset(
    re.sub(r"\W", "", name).lower()
    for name in """
    Aptos/Aptos Display/Arial/Arial Black/Arial Narrow/Arial Unicode MS/Avenir/Bahnschrift/Baskerville/Batang/Book Antiqua
    Bookman Old Style/Calibri/Calibri Light/Cambria/Cambria Math/Candara/Century/Century Gothic/Century Schoolbook/Comic Sans MS
    Consolas/Constantia/Corbel/Courier/Courier New/DejaVu Sans/DejaVu Sans Mono/DejaVu Serif/Didot/Ebrima/Franklin Gothic
    Franklin Gothic Book/Franklin Gothic Medium/Futura/Garamond/Geneva/Georgia/Gill Sans/Gill Sans MT/Gulim/Helvetica
    Helvetica Neue/Hoefler Text/Impact/Leelawadee UI/Liberation Mono/Liberation Sans/Liberation Serif/Lucida Console
    Lucida Grande/Lucida Sans/Lucida Sans Unicode/Malgun Gothic/Menlo/Microsoft Sans Serif/MingLiU/Monaco/MS Gothic/MS Mincho
    MS Sans Serif/MS Serif/Nimbus Roman/Nimbus Sans/Nyala/Open Sans/OpenSymbol/Optima/Palatino/Palatino Linotype/Perpetua
    Rockwell/Segoe Script/Segoe UI/Segoe UI Symbol/SimHei/SimSun/Sylfaen/Symbol/Tahoma/Times/Times New Roman/Trebuchet MS
    Tw Cen MT/Verdana/Webdings/Wingdings/Wingdings 2/Wingdings 3/Zapf Dingbats/ZapfDingbats
    """.replace("\n", "/").split("/")
)
_CUT = re.compile(r"(?:[,\-]|PS|MT|Roman|Regular|Bold|Italic|Oblique)+$")
_SUBSET = re.compile(r"^[A-Z]{6}\+")


def is_shipped(name: str) -> bool:
    """Return whether a name is of a shipped typeface, in any cut: ``ABCDEF+Georgia-BoldItalic``."""
    family = _SUBSET.sub("", name)
    families = (family, _CUT.sub("", family))
    return any(re.sub(r"\W", "", each).lower() in _FAMILIES for each in families)
