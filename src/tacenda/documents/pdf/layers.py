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
        properties = properties if isinstance(properties, Dictionary) else Dictionary()
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
        hidden = {"/AllOn": not all(shown), "/AnyOff": all(shown), "/AllOff": any(shown)}
        return hidden.get(str(group.get("/P")), not any(shown))

    def _shows(self, expression: Any, depth: int) -> bool:
        if isinstance(expression, Dictionary):
            return not self.hides(expression)
        if not isinstance(expression, Array) or not len(expression) or depth > _DEEPEST:
            return True
        values = [self._shows(item, depth + 1) for item in list(expression)[1:]]
        shown = {"/Not": not all(values), "/Or": any(values)}
        return shown.get(str(expression[0]), all(values))


def _numbers(groups: Any) -> set[tuple[int, int]]:
    """Return the numbers of the objects in an array."""
    members = groups if isinstance(groups, Array) else ()
    return {each.objgen for each in members if isinstance(each, Dictionary)}
