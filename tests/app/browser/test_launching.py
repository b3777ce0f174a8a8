"""From a file on the disk into the application, and out of it again."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import pytest

from tacenda.app.listening import listen
from tacenda.app.server import in_browser, server
from tacenda.app.web.access import Access

from ..building import LETTER, service
from .conftest import serving

pytestmark = pytest.mark.browser


def test_the_file_leads_in_and_the_button_out(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strict cookie although the browser comes from elsewhere; after logging out nothing opens."""
    files: list[str] = []
    monkeypatch.setattr(webbrowser, "open", files.append)
    made, access = service(tmp_path, LETTER), Access("Ann")
    with (
        listen("127.0.0.1", 0) as listener,
        in_browser(access, "Ann", listener),
        serving(server(made.store, access, (), made), listener),
    ):
        page = chromium.new_page()
        page.set_default_timeout(60_000)
        page.goto(files[0])
        page.wait_for_selector("h2:has-text('Projects')")
        assert "token" not in page.url
        assert not Path(files[0].removeprefix("file://")).exists()
        place = page.url
        with page.expect_navigation():
            page.locator("text=Log out").click()
        assert "You are logged out" in page.content()
        assert page.goto(place).status == 401
        page.close()
    made.store.close()
