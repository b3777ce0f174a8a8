"""What a parser makes of a page, and strings that try to break out of one."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser

HOSTILE = '</p></title><script>alert(1)</script><img src=x onerror="y"> & $title {{ 7 * 6 }} \'"`'
UNWRITABLE = "half \ud800 and null \0"


class Elements(HTMLParser):
    """A page as a parser reads it.

    Attributes:
        tags: name and attributes of each element, in order.
        text: all text outside of the style sheet and scripts.
    """

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._raw = False
        self.feed(content)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, dict(attributes)))
        self._raw = tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._raw = False

    def handle_data(self, data: str) -> None:
        """Note text."""
        if not self._raw:
            self.text += data


def check_alone(content: str, scripts: int = 0) -> Elements:
    """The elements of a page, which loads nothing and runs nothing but what its policy names."""
    elements = Elements(content)
    names = [tag for tag, _ in elements.tags]
    assert names.count("script") == scripts
    assert not {"img", "iframe", "link", "object", "embed", "base"} & set(names)
    for _, attributes in elements.tags:
        assert not any(name.startswith("on") for name in attributes)
        assert not {"src", "srcset", "action", "style", "xlink:href"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    policy = next(a["content"] for _, a in elements.tags if a.get("http-equiv")) or ""
    assert policy.startswith("default-src 'none'; ")
    for name in ("style", *["script"] * scripts):
        (inside,) = re.findall(f"<{name}>(.*?)</{name}>", content, re.DOTALL)
        digest = b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
        assert not re.search(r"https?:|url\(|@import", inside)
    content.encode("utf-8")
    assert "\0" not in content
    return elements
