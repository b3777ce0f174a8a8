"""The first page in a real browser: paste, choose, drop, tick, begin."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from tacenda.app.profiles import profile_of
from tests.waiting import until

from .conftest import Site, painted, tab
from .test_accessibility import NARROW, check, check_looks

pytestmark = pytest.mark.browser

_DROP = """(files) => {
  const data = new DataTransfer();
  for (const [name, text] of files) data.items.add(new File([text], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(
      new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }
}"""


def test_a_page_of_text_is_sent_once_and_soon_after_the_last_key(chromium: Any, site: Site) -> None:
    """Not with each key, but when nothing was typed for 300 ms."""
    text = "Ada Byron lives in Kentville. " * 100
    with tab(chromium, site, is_reused=False) as page:
        page.clock.install()
        page.clock.pause_at(datetime.now() + timedelta(hours=1))
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        for end in range(150, len(text) + 1, 150):
            page.locator("#text").fill(text[:end])
            page.clock.run_for(30)
        page.evaluate("() => fetch(location)")
        assert [url for url in requests if url.endswith("/try")] == []
        page.clock.run_for(300)
        page.wait_for_selector("#result .masked:has-text('[PERSON 1]')")
        assert len([url for url in requests if url.endswith("/try")]) == 1


def test_a_pasted_text_becomes_a_project(chromium: Any, site: Site) -> None:
    """The result follows the keys and the choices; what is seen is reviewed."""
    with tab(chromium, site) as page:
        page.locator("#text").fill("Ada Byron lives in Kentville.")
        page.wait_for_selector("#result .masked:has-text('[PERSON 1]')")
        page.wait_for_selector("#result .doubtful:has-text('Kentville')")
        assert "1 thing replaced · 1 to look at" in page.locator("#summary").inner_text()
        page.locator("#position").focus()
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        page.wait_for_selector("#result .masked:has-text('[PLACE 1]')")
        assert page.locator("#position").get_attribute("aria-valuetext") == "very strict"
        page.get_by_label("Black box").check()
        page.wait_for_selector("#result .masked:has-text('***')")
        check(page)
        page.locator("#as-project").click()
        page.wait_for_selector("#file-rows li")
        page.locator("#begin:enabled").click()
        page.wait_for_url("**/projects/*")
    assert site.service.project(2).policy.operator == "suppress"


def test_dropped_files_are_named_one_by_one(chromium: Any, site: Site) -> None:
    """Good ones go on, the others say why not; each column is treated as chosen; two clicks make one project."""
    with tab(chromium, site, **NARROW) as page:
        table = "id,note\n7,Ada Byron was here again\n"
        page.evaluate(
            _DROP, [["n.csv", table], ["x.gif", "GIF"], ["a.txt", "Ada"], ["b.txt", "Ada"]]
        )
        page.wait_for_selector("#file-rows li:nth-child(4) .fault")
        states = page.locator("#file-rows .state").all_inner_texts()
        assert states == [
            "table, 1 row",
            "Left out: files with .gif can't be read.",
            "text",
            "Left out: the same file as a.txt; it is taken once.",
        ]
        assert page.evaluate("() => location.pathname") == "/new"
        assert page.locator("main:visible h1").all_inner_texts() == ["New project"]
        columns = page.locator("#file-rows table select")
        note = columns.nth(1)
        assert note.input_value() == "text"
        note.select_option("leave out")
        assert page.locator("#begin").is_disabled()
        note.select_option("sanitize as text")
        columns.first.select_option("keep as it is")
        check_looks(page)
        page.locator("#begin:enabled").dblclick()
        page.wait_for_url("**/projects/*")
    assert len(site.service.store.projects.all()) == 2
    until(lambda: not site.service.store.documents.waiting(1))
    texts = [site.service.store.documents.text(row.id).text for row in _rows(site)]
    assert texts == ["Ada Byron was here again", "Ada"]
    file = site.service.store.files.get(_rows(site)[0].file)
    assert (file.columns, file.kept) == (("note",), ("id",))


def _rows(site: Site) -> Any:
    return site.service.store.documents.of(2)


def test_each_file_has_a_kind_and_a_language_that_can_be_changed(chromium: Any, site: Site) -> None:
    """Both are guessed and shown; each kind begins a project of its own, under its policy."""
    court = "The applicant lodged an appeal. The court heard the defendant at the hearing."
    german = "Der Zeuge sagte, dass er das Haus erst nach dem Abend wieder verlassen habe."
    with tab(chromium, site, site.at("/new")) as page:
        check(page)
        files = [
            {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in (("a.txt", court), ("b.txt", german), ("c.txt", "Ada Byron."))
        ]
        page.locator("#files").set_input_files(files)
        page.wait_for_selector("#begin:enabled")
        kinds = page.locator("#file-rows").get_by_label("Kind of text")
        languages = page.locator("#file-rows").get_by_label("Language")
        assert [kinds.nth(n).input_value() for n in range(3)] == ["court", "usual", "usual"]
        assert [languages.nth(n).input_value() for n in range(3)] == ["en", "de", "en"]
        group = "(select) => select.selectedOptions[0].parentElement.label"
        assert languages.nth(1).evaluate(group) == "not read: check these yourself"
        languages.nth(0).select_option("Danish")
        kinds.nth(2).select_option("Chats and messages")
        kinds.nth(1).select_option("Court judgment")
        assert "each becomes a project of its own" in page.locator("#several-kinds").inner_text()
        page.locator("#name").fill("Spring")
        page.select_option("#new-style", "box")
        page.locator("#begin").click()
        page.wait_for_url("**/#projects-heading")
        names = page.locator(".cards strong").all_inner_texts()
    assert {"Spring: Court judgment", "Spring: Chats and messages"} <= set(names)
    projects = {one.name: one for one in site.service.store.projects.all()}
    made = projects["Spring: Court judgment"]
    assert [row.name for row in site.service.store.documents.of(made.id)] == ["a.txt", "b.txt"]
    documents = site.service.store.documents
    assert [documents.text(row.id).language for row in documents.of(made.id)] == ["da", ""]
    assert profile_of(site.service.sanitizer.policy, made.policy) == "court"
    assert made.policy.operator == "suppress"


def test_projects_without_a_name_are_named_by_size_and_date(chromium: Any, site: Site) -> None:
    """As the page says, also where its files become several projects."""
    with tab(chromium, site, site.at("/new")) as page:
        files = [
            {"name": name, "mimeType": "text/plain", "buffer": f"Ada Byron {name}.".encode()}
            for name in ("a.txt", "b.txt")
        ]
        page.locator("#files").set_input_files(files)
        page.wait_for_selector("#begin:enabled")
        page.get_by_label("Kind of text").nth(1).select_option("Court judgment")
        page.locator("#one-kind").click()
        assert page.locator("#several-kinds").is_hidden()
        assert page.get_by_label("Kind of text").nth(1).input_value() == "usual"
        page.get_by_label("Kind of text").nth(1).select_option("Court judgment")
        page.locator("#begin").click()
        page.wait_for_url("**/#projects-heading")
        names = page.locator(".cards strong").all_inner_texts()
        assert sum(name.startswith("1 document, ") for name in names) == 2
        assert not {"a.txt", "b.txt"} & set(names)


def test_the_way_to_files_is_at_the_top(chromium: Any, site: Site) -> None:
    """Who has files sees where to open them without scrolling, in a low or narrow window, too."""
    for width, height in ((1366, 500), (390, 500)):
        with tab(chromium, site, viewport={"width": width, "height": height}) as page:
            box = page.locator("#to-new").bounding_box()
            assert box["y"] + box["height"] < height


def test_the_way_back_from_a_new_project_keeps_the_text(chromium: Any, site: Site) -> None:
    """The new project is a page with an address; going back shows the text that was tried."""
    with tab(chromium, site) as page:
        page.locator("#text").fill("Ada Byron lives in Kentville.")
        page.locator("#to-new").click()
        page.wait_for_selector("#new-heading:focus")
        assert page.title() == "New project · tacenda"
        page.go_back()
        page.wait_for_selector("#text:visible")
        assert page.locator("#text").input_value() == "Ada Byron lives in Kentville."
        page.goto(site.at("/new"))
        assert page.locator("#first").is_hidden()


def test_choices_of_the_first_page_go_on_to_a_new_project(chromium: Any, site: Site) -> None:
    """By the link and by a drop, on the first page and on the new one; what nobody chose is guessed for each file."""
    fields = ["#new-style", "#new-position", "#file-rows select >> nth=1"]
    for is_dropped in (False, True):
        with tab(chromium, site) as page:
            page.locator("#profile").select_option("research")
            page.get_by_label("Black box").check()
            page.locator("#position").fill("2")
            if not is_dropped:
                page.locator("#to-new").click()
            page.evaluate(_DROP, [["a.txt", "Ada"], ["b.txt", "Ben"]])
            page.wait_for_selector("#begin:enabled")
            assert [page.locator(field).input_value() for field in fields] == [
                "box",
                "2",
                "research",
            ]
            page.locator("#new-style").select_option("tags")
            page.evaluate(_DROP, [["c.txt", "Cole"]])
            page.wait_for_selector("#file-rows li:nth-child(3) .kind:visible")
            assert page.locator("#new-style").input_value() == "tags"
    with tab(chromium, site) as page:
        page.get_by_label("Black box").check()
        page.evaluate(_DROP, [["a.txt", "Ada Byron wrote."]])
        page.wait_for_selector("#result .masked:has-text('***')")


def test_one_dropped_file_is_shown_at_once(chromium: Any, site: Site) -> None:
    """Its text in the box, its result beside it."""
    with tab(chromium, site) as page:
        page.evaluate(_DROP, [["a.txt", "Ada Byron wrote."]])
        page.wait_for_selector("#result .masked:has-text('[PERSON 1]')")
        assert page.locator("#text").input_value() == "Ada Byron wrote."
        page.get_by_role("button", name="a hospital letter").click()
        until(lambda: "Hillside" in page.locator("#text").input_value())
        assert page.locator("#profile").input_value() == "clinical"


def test_both_sides_show_the_same_part(chromium: Any, site: Site) -> None:
    """Whichever is scrolled, by hand or by what is written at its end, the other follows."""
    with tab(chromium, site) as page:
        page.locator("#text").fill("\n".join(["Ada Byron lives in Kentville."] * 200))
        page.wait_for_selector("#result .masked")
        share = """(id) => { const side = document.getElementById(id);
          return side.scrollTop / (side.scrollHeight - side.clientHeight); }"""
        page.evaluate(
            "() => { const side = document.getElementById('text'); side.scrollTop = 1e6; }"
        )
        page.wait_for_function(f"() => ({share})('result') > 0.99")
        painted(page)  # Both have heard of that scrolling before the next.
        page.evaluate("() => { document.getElementById('result').scrollTop = 0; }")
        page.wait_for_function(f"() => ({share})('text') < 0.01")
        page.locator("#text").focus()
        page.keyboard.press("Control+End")
        page.keyboard.type(" Ben Cole, too.")
        page.wait_for_selector("#result .masked:has-text('[PERSON 2]')")
        page.wait_for_function(f"() => ({share})('result') > 0.99")


def test_a_letter_stays_on_the_line_of_its_word(chromium: Any, site: Site) -> None:
    """However narrow the result is."""
    with tab(chromium, site) as page:
        page.locator("#text").fill("Ada Byron, Ben Cole, " * 12)
        page.wait_for_selector("#result .masked")
        apart = """(width) => { const result = document.getElementById("result");
          result.style.width = `${width}px`;
          return [...result.querySelectorAll(".last")].filter((last) => last.getClientRects().length > 1).length; }"""
        assert all(page.evaluate(apart, width) == 0 for width in range(160, 400, 13))
