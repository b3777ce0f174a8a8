"""A headless Chromium, where there is one, and the application for it to open."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.listening import address, listen
from tacenda.app.server import server
from tacenda.app.service import Service
from tacenda.app.web.access import Access
from tacenda.errors import InputError
from tests.serving import serving
from tests.waiting import until

from ..building import LETTER, MEMO, addressed, service


@dataclass(frozen=True)
class Site:
    """A running application: its service and the address that opens it."""

    service: Service
    url: str

    @property
    def root(self) -> str:
        """Return the address without path and token."""
        return self.url.split("/?")[0].rstrip("/")

    def at(self, path: str) -> str:
        """Return the address of a page, of things known by their numbers."""
        return self.root + addressed(self.service, path)


@contextmanager
def running(made: Service, access: Access) -> Iterator[Site]:
    """Serve the application until the block ends."""
    with _listening() as listener, serving(server(made.store, access, (), made), listener):
        yield Site(made, address(listener, token=access.token))


_PORTS: list[int] = []
"""Ports that were listened at: a browser has compiled the scripts of an address that it knows."""


@contextmanager
def _listening() -> Iterator[socket.socket]:
    """Listen at a port of an earlier site that has ended, or at a new one."""
    try:
        listener = listen("127.0.0.1", _PORTS.pop() if _PORTS else 0)
    except InputError:  # Another program has it by now.
        listener = listen("127.0.0.1", 0)
    with listener:
        port = listener.getsockname()[1]
        yield listener
    _PORTS.append(port)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Return a site with a letter and a memo, for Ann."""
    made = service(tmp_path, LETTER, MEMO)
    with running(made, Access("Ann")) as found:
        yield found
    made.store.close()


@pytest.fixture
def page(chromium: Any, site: Site) -> Iterator[Any]:
    """Return a tab with the letter open; at the end nothing may have gone wrong in it."""
    with tab(chromium, site, site.at("/documents/1")) as found:
        yield found


def follow(page: Any, link: Any, url: str = "**/documents/*") -> None:
    """Click what leads to ``url``, and wait until that page is loaded, whole.

    Before that it is shown already, but nobody listens to a click or a key.
    """
    with page.expect_navigation(url=url):
        link.click()


def settled(page: Any) -> None:
    """Wait until every answer of the program has come and is in its place."""
    page.wait_for_function(
        "() => !document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling, .htmx-added')"
    )
    page.evaluate("() => fetch(location).then(() => new Promise(requestAnimationFrame))")


def painted(page: Any) -> None:
    """Wait until the page has its layout: its observers have run, and its scrolling has been heard of."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def disconnect(page: Any) -> None:
    """Go offline, and wait until that has reached the part of the browser that sends."""
    _set_offline(page, True)


def reconnect(page: Any) -> None:
    """Be no longer offline, and wait as for ``disconnect``."""
    _set_offline(page, False)


def _set_offline(page: Any, is_offline: bool) -> None:
    page.context.set_offline(is_offline)
    is_lost = "() => fetch(location).then(() => false, () => true)"
    until(lambda: page.evaluate(is_lost) == is_offline)


_WINDOW = {"width": 1400, "height": 900}
_IDLE: dict[Any, list[Any]] = {}
"""Tabs that nobody uses, by browser: to open another one costs a third of a test."""


@contextmanager
def tab(
    chromium: Any,
    site: Site,
    place: str = "",
    *,
    viewport: dict[str, int] = _WINDOW,
    color_scheme: str = "light",
    is_reused: bool = True,
    is_touch: bool = False,
) -> Iterator[Any]:
    """Yield a tab that came in; fails if a script failed or anything was fetched from elsewhere.

    Args:
        chromium: the browser.
        site: the application.
        place: the address to open, other than the first page.
        viewport: the size of the window.
        color_scheme: light or dark.
        is_reused: whether it may be a tab of an earlier test, and of a later one.
        is_touch: whether it is a phone's.
    """
    is_reused = is_reused and not is_touch
    idle = _IDLE.setdefault(chromium, []) if is_reused else []
    device = {"has_touch": is_touch, "is_mobile": is_touch}
    page = idle.pop() if idle else chromium.new_context(**device).new_page()
    page.set_viewport_size(viewport)
    # What is scrolled to is there at once: no place is measured on the way.
    page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
    page.set_default_timeout(60_000)
    faults: list[str] = []
    origin = "/".join(site.root.split("/")[:3])
    listeners: dict[str, Callable[[Any], None]] = {
        "pageerror": lambda error: faults.append(f"script: {error}"),
        "dialog": lambda dialog: faults.append(f"dialog: {dialog.message}"),
        "console": lambda message: (
            faults.append(message.text) if "Security Policy" in message.text else None
        ),
        "request": lambda request: (
            faults.append(f"elsewhere: {request.url}")
            if not request.url.startswith((origin, "data:", "about:"))
            else None
        ),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    if place:
        page.request.get(site.url, max_redirects=0)  # It brings the cookie.
    page.goto(place or site.url)
    is_clean = False
    try:
        yield page
        is_clean = is_reused and faults == []
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)
        if is_clean:
            _forget(page, origin)
            idle.append(page)
        else:
            page.context.close()
    assert faults == []


def _forget(page: Any, origin: str) -> None:
    """Leave nothing of a test in a tab, but its history."""

    def leave(dialog: Any) -> None:
        dialog.accept()  # It asks whether what isn't saved may be lost.

    page.context.set_offline(False)
    page.mouse.move(-1, -1)
    page.on("dialog", leave)
    page.goto("about:blank")
    page.remove_listener("dialog", leave)
    page.context.clear_cookies()
    session = page.context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()
