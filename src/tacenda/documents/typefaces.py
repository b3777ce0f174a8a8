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
    Angsana New/Cordia New/DaunPenh/DilleniaUPC/DokChampa/Estrangelo Edessa/Euphemia/Gautami/Iskoola Pota/Javanese Text
    Kalinga/Kartika/Latha/Mangal/Microsoft Himalaya/Microsoft JhengHei/Microsoft New Tai Lue/Microsoft Tai Le
    Microsoft Uighur/Microsoft YaHei/Microsoft Yi Baiti/Miriam/Mongolian Baiti/MoolBoran/MV Boli/Myanmar Text/Nirmala UI
    Phagspa/Plantagenet Cherokee/Raavi/Shruti/Tunga/Vrinda/ＭＳ Ｐゴシック/ＭＳ ゴシック/ＭＳ 明朝/游ゴシック/游ゴシック Light
    游明朝/メイリオ/맑은 고딕/HY엽서L/宋体/新細明體/等线/等线 Light/华文楷体
    """.strip()
    .replace("\n", "/")
    .split("/")
)
_CUTS = (
    re.compile(r"(?:[,\- ]|PS|MT|Regular|Normal|Standard|Bold|Italic|Oblique)+$"),
    re.compile(r"[,\-]?Roman$"),
)
_SUBSET = re.compile(r"^[A-Z]{6}\+")


def is_shipped(name: str) -> bool:
    """Return whether a name is of a shipped typeface, in any cut: ``ABCDEF+Georgia-BoldItalic``."""
    family = _SUBSET.sub("", name)
    families = [family]
    for cut in _CUTS:
        families.append(cut.sub("", families[-1]))
    return any(re.sub(r"\W", "", each).lower() in _FAMILIES for each in families)
