"""Geographic coordinates: ``52.5200° N, 13.4050° E``, ``52°31′12″N 13°24′18″E``, decimal pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .hit import Hit

_PRIME = r"\s?['’′]"
_SECOND = r"\s?(?:\"|”|″|''|’’|′′)"
_ANGLE = (
    rf"[0-9]{{1,3}}(?:\.[0-9]{{1,10}})?\s?(?:°|º|deg\b)"
    rf"(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_PRIME}(?:\s?[0-9]{{1,2}}(?:\.[0-9]{{1,8}})?{_SECOND})?)?"
)
_DEGREES = re.compile(r"[0-9](?<![\w.][0-9])(?=[0-9.]{0,13}\s?(?:°|º|deg\b))")
_ANGLES = re.compile(
    rf"(?:{_ANGLE}\s?(?:[NSns]\b|north|south)\s?[,;/]?\s?(?:and\s)?{_ANGLE}\s?(?:[EWewOo]\b|east|west)"
    rf"|(?:{_ANGLE}),?\s(?:[NSEW]\s)?{_ANGLE}"
    rf"|{_ANGLE}\s?(?:[NSEW]\b|north\b|south\b|east\b|west\b))"
)
_LETTERS_FIRST = re.compile(
    r"[NS](?<!\w.)\s?[0-9]{1,2}(?:\.[0-9]{2,10}|°\s?[0-9.]{1,10}['’′]?(?:\s?[0-9.]{1,9}[\"”″])?)[,;/]?\s?"
    r"[EWO]\s?[0-9]{1,3}(?:\.[0-9]{2,10}|°\s?[0-9.]{1,10}['’′]?(?:\s?[0-9.]{1,9}[\"”″])?)"
)
# 52.52 N, 13.405 E, or two numbers of four decimals and more that could be latitude and longitude.
_PAIR = re.compile(
    r"[0-9](?<!\w[0-9])(?<![0-9][.,][0-9])(?P<rest>[0-9]{0,2}\.[0-9]{2,10})(?:"
    r"\s?[NS]\b[,;/]?\s?[0-9]{1,3}\.[0-9]{2,10}\s?[EWO]\b"
    r"|(?<=\.[0-9]{4})[0-9]{0,6}\s?[,;]\s?(?P<second>[+-]?[0-9]{1,3}\.[0-9]{4,10})(?![\w%]|\.[0-9]))"
)


def find_coordinates(text: str) -> Iterator[Hit]:
    """Yield positions on the earth (kind ``coordinates``)."""
    if "°" in text or "º" in text or " deg" in text:
        for degrees in _DEGREES.finditer(text):
            match = _ANGLES.match(text, degrees.start())
            if match is not None:
                yield Hit(match.start(), match.end(), "coordinates")
    for match in _LETTERS_FIRST.finditer(text):
        yield Hit(match.start(), match.end(), "coordinates")
    for match in _PAIR.finditer(text):
        start, second = match.start(), match["second"]
        if second is not None:
            if float(text[start] + match["rest"]) > 90 or abs(float(second)) > 180:
                continue
            start -= bool(start and text[start - 1] in "+-")
        yield Hit(start, match.end(), "coordinates")
