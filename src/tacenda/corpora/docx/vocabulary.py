"""The words of WordprocessingML and its neighbours (ECMA-376, Part 1) that sanitizing must know."""

from __future__ import annotations

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

KNOWN_NAMESPACES = (
    "{http://schemas.openxmlformats.org/",
    "{http://schemas.microsoft.com/office/",
    "{urn:schemas-microsoft-com:",
    "{http://www.w3.org/XML/1998/namespace}",
)
"""Their attributes are structure but for those below; of other namespaces nothing is kept."""

STRICT_NAMESPACES = b"http://purl.oclc.org/ooxml/"
"""Of "Strict Open XML", which says the same in other words."""

KEPT_PARTS = {
    "chart": "chart",
    "chartColorStyle": "colors",
    "chartStyle": "style",
    "chartUserShapes": "drawing",
    "comments": "comments",
    "commentsExtended": "commentsExtended",
    "diagramColors": "diagramColors",
    "diagramData": "diagramData",
    "diagramDrawing": "diagramDrawing",
    "diagramLayout": "diagramLayout",
    "diagramQuickStyle": "diagramStyle",
    "endnotes": "endnotes",
    "fontTable": "fontTable",
    "footer": "footer",
    "footnotes": "footnotes",
    "glossaryDocument": "glossary",
    "header": "header",
    "numbering": "numbering",
    "settings": "settings",
    "styles": "styles",
    "theme": "theme",
    "themeOverride": "themeOverride",
}
"""Types of relationship (last part of their name) whose parts are kept, and what they are called.

All else goes: properties of the application and of the user's own, thumbnails, people, custom
XML, embedded files and fonts, printer settings, macros, signatures, and whatever was not invented yet.
"""

UNREADABLE = ("aFChunk", "subDocument")
"""Relationships to text that stands in another document: leaving it out would lose text."""

IMAGE = "image"
HYPERLINK = "hyperlink"

PARAGRAPHS = (f"{W}p", f"{A}p")
RUN_TEXT = (f"{W}t", f"{A}t", f"{M}t")
TABS = (f"{W}tab", f"{W}ptab", f"{A}tab")
CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
BREAKS = (f"{W}br", f"{W}cr", f"{A}br")

NUMBERS = frozenset("posOffset align pctWidth pctHeight pctPosHOffset pctPosVOffset".split())
"""Elements whose content is structure."""

TEXT_ATTRIBUTES = frozenset("alt descr displayText href src string title tooltip".split())
"""Attributes, by local name, that a reader may see or hear, or follow."""

TEXT_VALUES = frozenset(
    "alias default helpText listEntry lvlText statusText tag tblCaption tblDescription".split()
)
"""Elements whose ``w:val`` is text."""

NAME_ATTRIBUTES = frozenset("docLocation name styleId tgtFrame value".split())
NAME_VALUES = frozenset(
    """
    aliases basedOn caption category docPart docPartCategory docPartGallery entryMacro exitMacro
    link linkedToStyle name next numStyleLink pStyle rStyle styleLink tblStyle
    """.split()
)
"""Names that link one place with another: masked strings are struck out in all of them alike."""
