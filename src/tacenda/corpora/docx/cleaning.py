"""What a part says about its makers and its making is taken out; its text is not touched here.

| what | becomes |
|---|---|
| tracked changes | accepted, see ``revisions`` |
| authors and initials of comments | ``Author 1``, ``A1``; the dates go |
| sessions of editing (``rsid``), ids of the document, mail merge, document variables, permissions | gone |
| names of pictures and shapes | ``Object 1``, … |
| names of bookmarks, but for a word processor's own | ``bookmark1``, …, wherever they are named |
| smart tags, custom XML around text, ties to custom XML | gone, the text stays |
| elements and attributes of other vocabularies | gone, as Word ignores them |
| data of reference managers in fields | gone, what they show stays |
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .revisions import accept_changes
from .vocabulary import KNOWN_NAMESPACES, A, W
from .xml import Element, drop_unknown, local_name, remove, unwrap

_OWN_BOOKMARK = re.compile(r"_(?:Toc|Ref|Hlk|Hlt|GoBack|PictureBullets)\d{0,12}")
_WORD = re.compile(r"\w+")
_REMOVED = frozenset(
    """
    attachedSchema attachedTemplate dataBinding docId docVars fldData mailMerge permEnd permStart
    proofErr rsids saveThroughXslt schemaLibrary userId writeProtection
    """.split()
)
_WRAPPERS = (f"{W}smartTag", f"{W}customXml")
_WRAPPER_PROPERTIES = (f"{W}smartTagPr", f"{W}customXmlPr")
_DATES = frozenset(("date", "dateUtc", "fullDate"))
_DRAWN = frozenset(("docPr", "cNvPr"))


@dataclass(slots=True)
class Cleaning:
    """Names that were given anew, alike in all parts of one document.

    Attributes:
        authors: author to running number.
        bookmarks: bookmark to its new name.
        objects: how many pictures and shapes were named.
    """

    authors: dict[str, int] = field(default_factory=dict)
    bookmarks: dict[str, str] = field(default_factory=dict)
    objects: int = 0

    def collect(self, root: Element) -> None:
        """Note the bookmarks of a part; call it for all parts before the first ``clean``."""
        for mark in root.iter(f"{W}bookmarkStart"):
            name = mark.get(f"{W}name") or ""
            if name and not _OWN_BOOKMARK.fullmatch(name):
                self.bookmarks.setdefault(name, f"bookmark{len(self.bookmarks) + 1}")

    def clean(self, root: Element) -> None:
        """Clean a part, in its tree."""
        drop_unknown(root, KNOWN_NAMESPACES)
        accept_changes(root)
        for element in list(root.iter()):
            if local_name(element) in _REMOVED or element.tag in _WRAPPER_PROPERTIES:
                remove(element)
        for element in list(root.iter(*_WRAPPERS)):
            unwrap(element)
        # Of a picture it says where it was linked from, or holds a second one as SVG.
        for element in list(root.iter(f"{A}blip")):
            for extension in element.findall(f"{A}extLst"):
                remove(extension)
        for element in root.iter():
            self._attributes(element)
        _spell_out(root)
        self._fields(root)

    def renamed(self, target: str) -> str:
        """Return an address with the bookmark behind its ``#`` as it is called now."""
        address, mark, place = target.partition("#")
        return address + mark + self.bookmarks.get(place, place)

    def _attributes(self, element: Element) -> None:
        drawn = local_name(element) in _DRAWN
        for key in list(element.attrib):
            name = key.rpartition("}")[2]
            if name.startswith("rsid") or name in _DATES:
                del element.attrib[key]
            elif name == "author":
                number = self.authors.setdefault(element.get(key), len(self.authors) + 1)
                element.set(key, f"Author {number}")
                if f"{W}initials" in element.attrib:
                    element.set(f"{W}initials", f"A{number}")
            elif drawn and name == "name":
                self.objects += 1
                element.set(key, f"Object {self.objects}")
            elif name == "anchor" or (
                name in ("name", "val") and element.tag in (f"{W}bookmarkStart", f"{W}name")
            ):
                value = element.get(key)
                element.set(key, self.bookmarks.get(value, value))

    def _fields(self, root: Element) -> None:
        """Gather the code of each field in one place, and rename the bookmarks in it."""
        open_codes: list[Element | None] = []
        for element in root.iter(f"{W}fldChar", f"{W}instrText", f"{W}fldSimple"):
            if element.tag == f"{W}fldSimple":
                element.set(f"{W}instr", self._code(element.get(f"{W}instr") or ""))
            elif element.tag == f"{W}instrText":
                first = open_codes[-1] if open_codes else None
                if first is None:
                    if open_codes:
                        open_codes[-1] = element
                else:
                    first.text = (first.text or "") + (element.text or "")
                    element.text = ""
            elif element.get(f"{W}fldCharType") == "begin":
                open_codes.append(None)
            elif element.get(f"{W}fldCharType") == "end" and open_codes:
                open_codes.pop()
        for element in root.iter(f"{W}instrText"):
            element.text = self._code(element.text or "")

    def _code(self, code: str) -> str:
        keyword = _WORD.search(code)
        if keyword is None:
            return code
        if keyword[0].upper() == "ADDIN":
            return " ADDIN "
        start = keyword.end()
        return code[:start] + _WORD.sub(
            lambda match: self.bookmarks.get(match[0], match[0]), code[start:]
        )


def _spell_out(root: Element) -> None:
    """Write hyphens that are elements as characters, so that they split no name."""
    for element in list(root.iter(f"{W}noBreakHyphen", f"{W}softHyphen", f"{W}sym")):
        name = local_name(element)
        if name == "softHyphen":
            remove(element)
            continue
        text = "\N{NON-BREAKING HYPHEN}"
        if name == "sym":
            code = int(element.get(f"{W}char") or "0", 16)
            if not 0x20 <= code < 0xD800:  # a picture of a symbol font
                continue
            text = chr(code)
            element.attrib.clear()
        element.tag = f"{W}t"
        element.text = text
