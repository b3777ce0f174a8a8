"""Keys, roles and sessions: who comes in, for how long, and how often they may be wrong."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from tacenda.app.service import Service
from tacenda.app.web.access import IDLE, LONGEST, Access, TooManyWrong
from tacenda.app.web.guard import Guard
from tacenda.app.web.keys import Key, KeyIdentity, Role, read_keys
from tacenda.errors import InputError

from ...keys import KEY, OTHER_KEY, write_key
from ..building import LETTER, client, service

DIGEST = hashlib.sha256(OTHER_KEY.encode()).hexdigest()


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        """Return its time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock."""
    return Clock()


@pytest.fixture
def access(clock: Clock) -> Access:
    """Return what lets Ann in by key."""
    return Access("local", {"Ann": Key.of(KEY)}, clock)


@pytest.fixture
def outside(tmp_path: Path, access: Access) -> Iterator[TestClient]:
    """Return a client of a server with keys."""
    made = service(tmp_path, LETTER)
    with client(made, access) as found:
        yield found
    made.store.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ann short", "line 1 has a key that can be guessed"),
        (f"Ann {'k' * 32}", "line 1 has a key that can be guessed"),
        ("Ann password1password1password1", "line 1 has a key that can be guessed"),
        (f"# people\n\nAnn {KEY}\nAnn {OTHER_KEY}", "line 4 has the name or the key"),
        (f"Ann {KEY}\nBen {KEY}", "line 2 has the name or the key"),
        (f"Ann {OTHER_KEY}\nBen sha256:{DIGEST}", "line 2 has the name or the key"),
        (f"local {KEY}", "line 1 is not `name key"),
        (f"Ann {KEY} root", "role one of user, admin"),
        ("# nobody", "has no key"),
    ],
)
def test_keys_are_checked(tmp_path: Path, text: str, message: str) -> None:
    """The error names the line and never the key."""
    path = write_key(tmp_path / "keys", text)
    with pytest.raises(InputError, match=message) as caught:
        read_keys(path)
    assert KEY not in str(caught.value)


def test_keys_are_read_as_digests(tmp_path: Path) -> None:
    """A name, a key or its digest, and a role a line; nothing keeps the key itself."""
    path = write_key(tmp_path / "keys", f"# people\nAnn {KEY}\n\nBen   sha256:{DIGEST} admin\n")
    keys = read_keys(path)
    assert keys == {"Ann": Key.of(KEY), "Ben": Key.of(OTHER_KEY, Role.ADMIN)}
    access = Access("local", keys)
    assert access.identify(OTHER_KEY, "") == KeyIdentity("Ben", Role.ADMIN)
    assert KEY not in repr((keys, vars(access)))
    with pytest.raises(InputError, match="can't be read"):
        read_keys(tmp_path / "gone")


def test_keys_that_others_can_read_are_refused(tmp_path: Path) -> None:
    """The server's file of keys is for its owner's eyes."""
    path = write_key(tmp_path / "keys", f"Ann {KEY}\n")
    path.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        read_keys(path)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", "bEaReR"])
def test_the_scheme_is_read_in_any_case(outside: TestClient, scheme: str) -> None:
    """Schemes of authentication have no case (RFC 7235, section 2.1)."""
    headers = {"Authorization": f"{scheme} {KEY}"}
    assert outside.get("/api/v1/projects", headers=headers).status_code == 200
    refused = outside.get("/api/v1/projects", headers={"Authorization": f"{scheme} wrong"})
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")


def test_a_session_ends_when_nobody_asks_and_in_any_case(access: Access, clock: Clock) -> None:
    """Two hours without a request, or twelve with: whoever finds the browser open finds nothing."""
    value = access.begin(KeyIdentity("Ann"))
    clock.now += IDLE - 1
    assert access.session(value) is not None
    clock.now += IDLE + 1
    assert access.session(value) is None
    value = access.begin(KeyIdentity("Ann"))
    for _ in range(int(LONGEST // IDLE)):
        assert access.session(value) is not None
        clock.now += IDLE
    clock.now += 1
    assert access.session(value) is None


def test_a_page_of_an_ended_session_goes_to_the_login(outside: TestClient, clock: Clock) -> None:
    """The whole page, also where only a piece of it was asked for."""
    outside.post("/login", data={"key": KEY})
    assert outside.get("/").status_code == 200
    clock.now += LONGEST + 1
    assert outside.get("/").headers["location"] == "/login"
    assert outside.get("/", headers={"HX-Request": "true"}).headers["HX-Redirect"] == "/login"


def test_who_logs_out_is_out(outside: TestClient, access: Access) -> None:
    """The cookie is taken away, and a copy of it opens nothing."""
    outside.post("/login", data={"key": KEY})
    assert "Log out" in outside.get("/").text
    copy = outside.cookies[access.cookie]
    answer = outside.post("/logout")
    assert answer.headers["location"] == "/login"
    assert "Max-Age=0" in answer.headers["set-cookie"]
    outside.cookies.set(access.cookie, copy)
    assert outside.get("/").headers["location"] == "/login"


def test_a_cookie_that_came_by_tls_goes_by_tls(outside: TestClient) -> None:
    """Behind a server that speaks TLS the cookie is never sent without."""
    for scheme, secure in (("https", True), ("http", False)):
        answer = outside.post(f"{scheme}://127.0.0.1/login", data={"key": KEY})
        assert ("secure" in answer.headers["set-cookie"].lower()) == secure


def test_another_page_logs_nobody_out(outside: TestClient) -> None:
    """The form needs no proof, but must come from here."""
    outside.post("/login", data={"key": KEY})
    answer = outside.post("/logout", headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert outside.get("/").status_code == 200


def test_who_is_wrong_again_and_again_waits_longer(access: Access, clock: Clock) -> None:
    """Five wrong keys are free; then even the right one waits, twice as long each time."""
    waits = []
    for _ in range(8):
        try:
            assert access.identify("wrong", "192.0.2.1") is None
        except TooManyWrong as error:
            waits.append(error.wait)
            clock.now += error.wait
            assert access.identify("wrong", "192.0.2.1") is None
    assert waits == [1, 2, 4]
    with pytest.raises(TooManyWrong):
        access.identify(KEY, "192.0.2.1")
    assert access.identify(KEY, "192.0.2.2") == KeyIdentity("Ann")
    clock.now += 400
    assert access.identify(KEY, "192.0.2.1") == KeyIdentity("Ann")
    assert access.identify("wrong", "192.0.2.1") is None


def test_who_has_a_key_guesses_no_others(access: Access) -> None:
    """A right key in between does not make an address right."""
    for _ in range(5):
        assert access.identify(KEY, "192.0.2.1") is not None
        assert access.identify("wrong", "192.0.2.1") is None
    with pytest.raises(TooManyWrong):
        access.identify("wrong", "192.0.2.1")


def test_a_name_is_not_guessed_at_from_many_addresses(access: Access) -> None:
    """Wrong keys for one name count together."""
    for number in range(5):
        assert access.identify("wrong", f"192.0.2.{number}", "Ann") is None
    with pytest.raises(TooManyWrong):
        access.identify("wrong", "192.0.2.99", "Ann")
    assert access.identify(KEY, "192.0.2.99", "Ben") is None


def test_a_flood_of_wrong_keys_fills_no_memory(access: Access) -> None:
    """Ten thousand addresses are remembered, the latest."""
    for number in range(10_100):
        access.identify("wrong", str(number))
    assert len(access._throttle._wrong) == 10_000


def test_too_many_wrong_keys_are_answered_429(outside: TestClient) -> None:
    """The API and the form say after how many seconds to try again."""
    for _ in range(5):
        assert outside.post("/login", data={"key": "wrong", "name": "Ann"}).status_code == 401
    for answer in (
        outside.post("/login", data={"key": KEY, "name": "Ann"}),
        outside.get("/api/v1/projects", headers={"Authorization": f"Bearer {KEY}"}),
    ):
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1


def test_nobody_waits_for_many_requests_of_another_key() -> None:
    """Three of Ann's ten are worked on at once; Ben's comes between them."""
    order: list[str] = []
    is_there = asyncio.Event()
    running = Counter[str]()
    most = Counter[str]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["state"]["person"]
        order.append(name)
        running[name] += 1
        most[name] = max(most[name], running[name])
        if name == "Ben":
            is_there.set()
        await is_there.wait()
        running[name] -= 1
        await Response("done")(scope, receive, send)

    guard = Guard(app, Access("local", {"Ann": Key.of(KEY), "Ben": Key.of(OTHER_KEY)}), ["host"])

    async def ask() -> list[int]:
        transport = httpx.ASGITransport(guard)
        async with httpx.AsyncClient(transport=transport, base_url="http://host") as web:
            headers = [{"Authorization": f"Bearer {key}"} for key in [KEY] * 10 + [OTHER_KEY]]
            answers = await asyncio.gather(*(web.get("/", headers=item) for item in headers))
            return [answer.status_code for answer in answers]

    # Tests of the pages leave a loop running in this thread.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(ask())).result() == [200] * 11
    assert most == {"Ann": 3, "Ben": 1}
    assert order.index("Ben") == 3


def test_the_token_of_a_file_opens_once(tmp_path: Path) -> None:
    """A second use, and anybody who finds the file later, gets nothing."""
    made: Service = service(tmp_path, LETTER)
    access = Access("Ann")
    used: list[bool] = []
    with client(made, access) as outside:
        token = access.once("Ann", lambda: used.append(True))
        assert outside.get(f"/?token={token}").status_code == 303
        outside.cookies.clear()
        assert outside.get(f"/?token={token}").status_code == 401
        assert used == [True]
    made.store.close()
