"""Webhooks: what is told to whom, signed, again if need be, and nowhere it may not go."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import json
import socket
import ssl
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tacenda.app import webhooks
from tacenda.app.events import Event, EventKind
from tacenda.app.release import release
from tacenda.app.service import Service
from tacenda.app.store import Store
from tacenda.app.store.deliveries import LEASE, PAUSES, Deliveries, DeliveryState
from tacenda.app.webhooks import Messenger, NotAllowed, WebhookReach
from tacenda.errors import InputError
from tests.examples import for_each
from tests.waiting import until

from .building import LETTER, MEMO, client, come_in, documents, sanitizer

HERE = WebhookReach.of(["127.0.0.0/8"])


class Receiver(ThreadingHTTPServer):
    """A program that is told things; it answers with ``status``."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = 200
        self.messages: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        """Return its address, without TLS."""
        return f"http://127.0.0.1:{self.server_port}/hook?key=cem"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """Keep the message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.messages.append((self.path, dict(self.headers), body))
        self.send_response(self.server.status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def receiving(receiver: Receiver) -> Iterator[Receiver]:
    """Let it receive until the block ends."""
    thread = Thread(target=receiver.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield receiver
    finally:
        receiver.shutdown()
        receiver.server_close()
        thread.join()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Return one that receives."""
    with receiving(Receiver()) as found:
        yield found


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Service]:
    """Return a service that may reach this machine."""
    found = Service(Store(tmp_path / "projects.db"), sanitizer(), reach=HERE)
    yield found
    found.store.close()


def _begun(made: Service, url: str, purpose: str = "review") -> int:
    """Return the number of a project of two documents with a webhook."""
    id = made.add_project("Byron's letters", documents(LETTER, MEMO), purpose=purpose).id
    made.set_webhook(id, url)
    return id


def _analyse(made: Service, project: int) -> None:
    for row in made.store.documents.of(project):
        made.analysed(row.id, made.sanitizer.analyze(made.store.documents.text(row.id)))


def _deliver(
    deliveries: Deliveries, reach: WebhookReach = HERE, context: ssl.SSLContext | None = None
) -> None:
    with ThreadPoolExecutor(2) as pool:
        Messenger(deliveries, reach, context).deliver(pool)


def _latest(made: Service, project: int = 1) -> DeliveryState:
    return made.store.deliveries.of(project)[0]


@pytest.mark.parametrize(
    ("purpose", "event"), [("review", "project.analysed"), ("job", "job.finished")]
)
def test_the_end_is_told_once_in_numbers(
    made: Service, receiver: Receiver, purpose: str, event: str
) -> None:
    """With the last document; signed with the secret; no name and no text is in it."""
    project = _begun(made, receiver.url, purpose)
    secret = made.store.deliveries.webhook(project).secret
    first, second = made.store.documents.of(project)
    made.store.documents.failed(first.id, "can't be read: Ada Byron.")
    _deliver(made.store.deliveries)
    assert receiver.messages == []
    made.analysed(second.id, made.sanitizer.analyze(made.store.documents.text(second.id)))
    _deliver(made.store.deliveries)
    _deliver(made.store.deliveries)
    ((path, headers, body),) = receiver.messages
    content = json.loads(body)
    assert path == "/hook?key=cem"
    assert content == {
        "id": headers["X-Tacenda-Delivery"],
        "event": event,
        "project": made.project(project).handle,
        "at": content["at"],
        "documents": 2,
        "ready": 1,
        "failed": 1,
        "reviewed": 0,
    }
    moment, signed = headers["X-Tacenda-Signature"].split(",")
    message = moment.removeprefix("t=").encode() + b"." + body
    assert signed == "v1=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
    assert abs(time.time() - int(moment.removeprefix("t="))) < 60
    state = _latest(made, project)
    assert (state.state, state.attempts, state.outcome) == ("delivered", 1, "answered 200")


def test_a_release_is_told(made: Service, receiver: Receiver) -> None:
    """With the number of reviewed documents, in the transaction of the release."""
    project = made.add_project("Notes", documents("Nobody was there.")).id
    _analyse(made, project)
    made.set_webhook(project, receiver.url)
    (row,) = made.store.documents.of(project)
    made.change(row.id, "Ann", 0, Event(EventKind.DONE, value="yes"))
    release(made, project, "Ann")
    _deliver(made.store.deliveries)
    events = [json.loads(body) for _, _, body in receiver.messages]
    found = {item["event"]: item["reviewed"] for item in events}
    # What was analysed before the webhook was set is told of at once.
    assert found == {"project.analysed": 0, "project.released": 1}


def test_what_fails_is_tried_again_ever_more_rarely(made: Service, receiver: Receiver) -> None:
    """After 10 s, a minute, and so on to half a day; then it is given up."""
    moment = 1000.0
    deliveries = Deliveries(made.store.database, lambda: moment)
    receiver.status = 500
    _analyse(made, _begun(made, receiver.url))
    with made.store.database.transaction() as connection:
        connection.execute("UPDATE delivery SET due = 1000")
    for count, pause in enumerate(PAUSES, start=1):
        _deliver(deliveries)
        assert len(receiver.messages) == count
        assert (_latest(made).state, _latest(made).outcome) == ("waiting", "answered 500")
        moment += pause - 1
        _deliver(deliveries)
        assert len(receiver.messages) == count
        moment += 1
    _deliver(deliveries)
    assert (_latest(made).state, _latest(made).attempts) == ("failed", len(PAUSES) + 1)
    moment += 1e9
    _deliver(deliveries)
    assert len(receiver.messages) == len(PAUSES) + 1
    assert len({headers["X-Tacenda-Delivery"] for _, headers, _ in receiver.messages}) == 1


@pytest.mark.parametrize(("status", "state"), [(302, "waiting"), (307, "waiting"), (410, "failed")])
def test_nobody_is_sent_elsewhere(
    made: Service, receiver: Receiver, status: int, state: str
) -> None:
    """A redirect is a failure like others; who says that it is gone is not asked again."""
    receiver.status = status
    _analyse(made, _begun(made, receiver.url))
    _deliver(made.store.deliveries)
    assert [path for path, _, _ in receiver.messages] == ["/hook?key=cem"]
    assert (_latest(made).state, _latest(made).outcome) == (state, f"answered {status}")


def test_of_two_servers_one_makes_the_attempt(made: Service) -> None:
    """Until it must be dead; a new address ends what is under way to the old one."""
    _analyse(made, _begun(made, "http://127.0.0.1/"))
    moment = time.time()
    one, two = (Deliveries(made.store.database, lambda: moment) for _ in range(2))
    (delivery,) = one.claim(8)
    assert two.claim(8) == []
    moment += LEASE
    (again,) = two.claim(8)
    assert (again.handle, again.attempts) == (delivery.handle, 2)
    made.set_webhook(1, "")
    moment += 1e6
    assert not one.is_due()
    one.settle(delivery, "answered 200", delivered=True, again=True)
    assert (_latest(made).state, _latest(made).outcome) == ("failed", "the address was changed")
    made.delete_project(1)
    assert made.store.database.rows("SELECT count(*) FROM delivery") == [(0,)]


PRIVATE = (
    "127.0.0.1 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 "
    "255.255.255.255 ::1 :: fe80::1 fd00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 "
    "64:ff9b::7f00:1 2002:7f00:1:: 2001:0:0:0:0:0:80ff:fffe"
)


@for_each("address", PRIVATE.split())
def test_no_private_address_is_reached(address: str) -> None:
    """However it is written, and with TLS or without."""
    for is_plain in (True, False):
        with pytest.raises(NotAllowed):
            WebhookReach().resolve(address, 443, is_plain)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_public_addresses_are_reached_by_tls_alone(address: str) -> None:
    """What the operator allows is reached without it too, and doesn't open other networks."""
    assert WebhookReach().resolve(address, 443, False) == [ipaddress.ip_address(address)]
    with pytest.raises(NotAllowed):
        WebhookReach().resolve(address, 80, True)
    assert HERE.resolve("127.0.0.1", 80, True)
    for is_plain in (True, False):
        with pytest.raises(NotAllowed):
            HERE.resolve("10.0.0.1", 80, is_plain)


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """All addresses count, not the first."""
    answers = [(socket.AF_INET, 0, 0, "", (item, 443)) for item in ("93.184.215.14", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    with pytest.raises(NotAllowed):
        WebhookReach().resolve("hook.example", 443, False)


def test_a_name_is_resolved_once(
    made: Service, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who answers otherwise the second time (DNS rebinding) wins nothing; the host is named as in the URL."""
    resolve = socket.getaddrinfo
    names = []

    def once(host: str, *rest: Any, **options: Any) -> Any:
        if host == "hook.example":
            names.append(host)
            assert len(names) == 1
            host = "127.0.0.1"
        return resolve(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", once)
    _analyse(made, _begun(made, f"http://hook.example:{receiver.server_port}/"))
    _deliver(made.store.deliveries)
    ((_, headers, _),) = receiver.messages
    assert headers["Host"] == f"hook.example:{receiver.server_port}"
    assert names == ["hook.example"]


def test_an_operator_takes_an_allowance_back(made: Service, receiver: Receiver) -> None:
    """What was set under it is not reached any more."""
    _analyse(made, _begun(made, receiver.url))
    _deliver(made.store.deliveries, WebhookReach())
    assert receiver.messages == []
    assert "may not reach" in _latest(made).outcome


def _certificate(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    pem = serialization.Encoding.PEM
    private = key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(pem))
    return path


def test_tls_is_checked(made: Service, tmp_path: Path, receiver: Receiver) -> None:
    """An unknown authority or another name ends it before anything is said."""
    path = _certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    receiver.socket = context.wrap_socket(receiver.socket, server_side=True)
    trusting = ssl.create_default_context(cafile=path)
    reach = WebhookReach.of(["127.0.0.0/8", "::1"])
    for host, own, outcome in (
        ("localhost", None, "no trusted TLS"),
        ("127.0.0.1", trusting, "no trusted TLS"),
        ("localhost", trusting, "answered 200"),
    ):
        project = _begun(made, f"https://{host}:{receiver.server_port}/")
        _analyse(made, project)
        _deliver(made.store.deliveries, reach, own)
        assert _latest(made, project).outcome == outcome
    assert len(receiver.messages) == 1


def test_an_endpoint_that_never_ends_is_left(
    made: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends a letter now and then keeps nobody for longer than all may take."""
    monkeypatch.setattr(webhooks, "_WHOLE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip() -> None:
            stream, _ = listener.accept()
            with stream:
                try:
                    while True:
                        stream.sendall(b"H")
                        time.sleep(0.02)
                except OSError:
                    return

        thread = Thread(target=drip)
        thread.start()
        _analyse(made, _begun(made, f"http://127.0.0.1:{listener.getsockname()[1]}/"))
        _deliver(made.store.deliveries)
        thread.join()
    assert _latest(made).state == "waiting"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https:///x", "example.org",
        "https://ann:secret@example.org/", "https://example.org/#x", "https://example.org:0/",
        "https://example.org:99999/", "https://exämple.org/", "https://example.org/\r\nX: y",
        "https://example.org\\@127.0.0.1/", "https://example.org/" + "x" * 2000,
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(made: Service, url: str) -> None:
    """Without an allowed network only https is one; the message doesn't repeat it."""
    with pytest.raises(InputError, match="a webhook is an https") as error:
        WebhookReach().check(url)
    assert "secret" not in str(error.value)


def test_a_network_is_written_as_one() -> None:
    """The message says how."""
    with pytest.raises(InputError, match="written like"):
        WebhookReach.of(["10.0.0.1/8"])


def test_the_api_gives_the_secret_once(made: Service, receiver: Receiver) -> None:
    """To who sets the address; a running server delivers by itself; another secret with each setting."""
    job = {"documents": [{"text": MEMO}], "webhook": receiver.url}
    with client(made) as outside:
        inside = come_in(outside)
        answer = inside.post("/api/v1/jobs", json=job)
        place = f"/api/v1/projects/{answer.json()['id']}/webhook"
        assert answer.status_code == 202
        assert len(answer.json()["webhook_secret"]) == 43
        until(lambda: receiver.messages)
        until(lambda: inside.get(place).json()["deliveries"][0]["state"] == "delivered")
        shown = inside.get(place)
        assert shown.json()["url"] == receiver.url
        assert answer.json()["webhook_secret"] not in shown.text
        first = inside.put(place, json={"url": receiver.url}).json()
        second = inside.put(place, json={"url": receiver.url}).json()
        assert len({first["secret"], second["secret"], answer.json()["webhook_secret"]}) == 3
        assert inside.delete(place).status_code == 204
        assert inside.get(place).json()["url"] == ""
        job["webhook"] = "gopher://example.org/"
        count = len(made.store.projects.all("job"))
        assert inside.post("/api/v1/jobs", json=job).status_code == 422
        assert len(made.store.projects.all("job")) == count


def test_the_form_of_a_project_sets_and_removes_the_address(
    made: Service, receiver: Receiver
) -> None:
    """The secret is in the answer, not on the page; a fault is said beside the field."""
    project = made.add_project("Letters", documents(MEMO)).id
    with client(made) as outside:
        inside = come_in(outside)
        place = f"/projects/{project}/webhook"
        answer = inside.post(place, data={"url": f" {receiver.url} "})
        secret = made.store.deliveries.webhook(project).secret
        assert secret in answer.text
        page = inside.get(f"/projects/{project}").text
        assert receiver.url in page
        assert secret not in page
        wrong = inside.post(place, data={"url": "ftp://x"})
        assert (wrong.status_code, 'role="alert"' in wrong.text) == (422, True)
        assert made.store.deliveries.webhook(project).url == receiver.url
        inside.post(place, data={"url": ""})
        assert made.store.deliveries.webhook(project).url == ""
