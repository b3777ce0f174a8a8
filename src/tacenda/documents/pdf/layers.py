"""The layers of a PDF (optional content, PDF 32000, 8.11), in their state when it is opened."""

from __future__ import annotations

from typing import Any

from pikepdf import Array, Dictionary, Pdf

_DEEPEST = 50


class Layers:
    """The layers that are switched off.

    Attributes:
        switched_off: their number.
    """

    def __init__(self, pdf: Pdf) -> None:
        self._off: set[tuple[int, int]] = set()
        properties = pdf.Root.get("/OCProperties")
        if not isinstance(properties, Dictionary):
            self.switched_off = 0
            return
        usual = properties.get("/D")
        usual = usual if isinstance(usual, Dictionary) else Dictionary()
        if usual.get("/BaseState") == "/OFF":
            self._off |= _numbers(properties.get("/OCGs")) - _numbers(usual.get("/ON"))
        self._off |= _numbers(usual.get("/OFF"))
        self.switched_off = len(self._off)

    def hides(self, group: Any) -> bool:
        """Return whether the content of a group, or combination of groups, is hidden."""
        if not isinstance(group, Dictionary):
            return False
        if group.get("/Type") != "/OCMD":
            return group.objgen in self._off
        expression = group.get("/VE")
        if isinstance(expression, Array):
            return not self._shows(expression, 0)
        members = group.get("/OCGs")
        groups = list(members) if isinstance(members, Array) else [members]
        shown = [not self.hides(each) for each in groups if isinstance(each, Dictionary)]
        if not shown:
            return False
        match str(group.get("/P", "/AnyOn")):
            case "/AllOn":
                return not all(shown)
            case "/AnyOff":
                return all(shown)
            case "/AllOff":
                return any(shown)
        return not any(shown)

    def _shows(self, expression: Any, depth: int) -> bool:
        if isinstance(expression, Dictionary):
            return not self.hides(expression)
        if not isinstance(expression, Array) or not len(expression) or depth > _DEEPEST:
            return True
        values = [self._shows(item, depth + 1) for item in list(expression)[1:]]
        match str(expression[0]):
            case "/Not":
                return not all(values)
            case "/Or":
                return any(values)
        return all(values)


def _numbers(groups: Any) -> set[tuple[int, int]]:
    """Return the numbers of the objects in an array."""
    members = groups if isinstance(groups, Array) else ()
    return {each.objgen for each in members if isinstance(each, Dictionary)}
