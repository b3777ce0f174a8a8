"""Webhooks: send a small JSON object to an address the project's owner gave, when something is done.

| against | what |
|---|---|
| requests to addresses only this machine can reach (SSRF) | the name is resolved once, all its addresses must be public or in networks the operator allows, and the connection goes to one of these; redirects and the environment's proxies are ignored |
| eavesdropping | TLS with the usual authorities; plain HTTP only inside networks the operator allows |
| forged or repeated messages | ``X-Tacenda-Signature: t=TIME,v1=HMAC-SHA256 of "TIME.BODY"``, and an id that stays the same |
| endpoints that hang | timeouts for each step and in total; response bodies aren't read |

Messages contain only numbers and the project's id. Addresses may be secrets, so they are never
logged.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
import socket
import sqlite3
import ssl
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread, Timer
from urllib.parse import SplitResult, urlsplit

from ..errors import InputError
from .store.deliveries import Deliveries, Delivery

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_LONGEST = 2000
_CONNECT_SECONDS = 10.0
"""Seconds for each step of an attempt."""
_WHOLE = 30.0
"""Seconds for an attempt, from the time of connection."""
_AT_ONCE = 8
_PAUSE = 2.0
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WebhookReach:
    """Networks and hosts that webhooks may reach.

    Attributes:
        networks: networks of private addresses that the operator allows.
    """

    networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, networks: Sequence[str]) -> WebhookReach:
        """Return the reach with these networks, such as ``10.1.0.0/16``.

        Raises:
            InputError: if one isn't a network.
        """
        try:
            return cls(tuple(ipaddress.ip_network(item) for item in networks))
        except ValueError as error:
            raise InputError(
                f"{error}; a network is written like 10.1.0.0/16 or 192.0.2.7."
            ) from None

    def allows(self, address: _Address) -> bool:
        """Return whether the operator allows an address explicitly."""
        return any(address in network for network in self.networks)

    def check(self, url: str) -> str:
        """Return an address that may be notified, as far as can be known without resolving its name.

        Raises:
            InputError: if it may not be.
        """
        parts = _parts(url)
        schemes = ("https", "http") if self.networks else ("https",)
        if parts is None or parts.scheme not in schemes:
            raise InputError(
                "a webhook is an https:// address with a host, without a name, password or "
                f"fragment, of at most {_LONGEST} characters in ASCII."
            )
        return url

    def resolve(self, host: str, port: int, is_plain: bool) -> list[_Address]:
        """Return the addresses of a host; all of them must be allowed.

        Args:
            host: its name.
            port: the port to connect to.
            is_plain: whether to connect without TLS.

        Raises:
            NotAllowed: if one of them isn't.
            OSError: if it has none.
        """
        records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [ipaddress.ip_address(item[4][0]) for item in records]
        for address in addresses:
            meant = _meant(address)
            if not self.allows(meant) and (is_plain or not _is_public(meant)):
                raise NotAllowed
        return addresses


class NotAllowed(Exception):
    """A webhook leads to an address that isn't allowed."""


def _parts(url: str) -> SplitResult | None:
    """Return the parts of a URL, or None if it can't be used."""
    if len(url) > _LONGEST or not url.isascii() or any(c <= " " or c == "\x7f" for c in url):
        return None
    try:
        parts = urlsplit(url)
        is_usable = bool(parts.hostname) and parts.port != 0 and "\\" not in url
    except ValueError:
        return None
    return parts if is_usable and "@" not in parts.netloc and not parts.fragment else None


def _meant(address: _Address) -> _Address:
    """Return the IPv4 address embedded in an IPv6 address, or the address itself."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        teredo = address.teredo[1] if address.teredo else None
        return address.ipv4_mapped or address.sixtofour or teredo or address
    return address


def _is_public(address: _Address) -> bool:
    return address.is_global and not address.is_multicast


def signature(secret: str, moment: int, body: str) -> str:
    """Return the value of the header ``X-Tacenda-Signature``.

    Args:
        secret: the webhook's secret.
        moment: time in seconds since 1970.
        body: the body that is sent.
    """
    message = f"{moment}.{body}".encode()
    return f"t={moment},v1={hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()}"


class Messenger:
    """Delivers what is due in the background, until stopped.

    Args:
        deliveries: the store's deliveries.
        reach: addresses they may go to.
        context: the TLS context; the default one if None.
    """

    def __init__(
        self, deliveries: Deliveries, reach: WebhookReach, context: ssl.SSLContext | None = None
    ) -> None:
        self._deliveries = deliveries
        self._reach = reach
        self._context = context
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="tacenda-webhooks", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current attempts."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        with ThreadPoolExecutor(_AT_ONCE, "tacenda-webhook") as pool:
            while not self._stopped.wait(_PAUSE):
                try:
                    self.deliver(pool)
                except sqlite3.Error as error:  # another process is writing, or the disk is full
                    _log.error("the store can't be written: %s", type(error).__name__)

    def deliver(self, pool: ThreadPoolExecutor) -> None:
        """Attempt each delivery that is due."""
        while self._deliveries.is_due() and not self._stopped.is_set():
            for _ in pool.map(self._attempt, self._deliveries.claim(_AT_ONCE)):
                pass

    def _attempt(self, delivery: Delivery) -> None:
        status = 0
        try:
            status = self._post(delivery)
            outcome = f"answered {status}"
        except NotAllowed:
            outcome = "the address is in a network that webhooks may not reach"
        except ssl.SSLError:
            outcome = "no trusted TLS"
        except TimeoutError:
            outcome = "no answer in time"
        except (OSError, HTTPException, ValueError, UnicodeError) as error:
            outcome = f"no connection or no answer ({type(error).__name__})"
        is_gone = status == 410
        delivered = 200 <= status < 300
        self._deliveries.settle(delivery, outcome, delivered=delivered, again=not is_gone)

    def _post(self, delivery: Delivery) -> int:
        """Send a delivery and return the status of the answer."""
        parts = _parts(delivery.webhook.url)
        if parts is None or not parts.hostname:
            raise NotAllowed
        is_plain = parts.scheme != "https"
        port = parts.port or (80 if is_plain else 443)
        addresses = self._reach.resolve(parts.hostname, port, is_plain)
        moment = int(time.time())
        headers = {
            "Host": parts.netloc,
            "Content-Type": "application/json",
            "User-Agent": "tacenda",
            "X-Tacenda-Delivery": delivery.handle,
            "X-Tacenda-Signature": signature(delivery.webhook.secret, moment, delivery.body),
        }
        with ExitStack() as closing:
            stream = closing.enter_context(_connection(addresses, port))
            if not is_plain:
                context = self._context or ssl.create_default_context()
                stream = closing.enter_context(
                    context.wrap_socket(
                        stream, server_hostname=parts.hostname, do_handshake_on_connect=False
                    )
                )
            limit = Timer(_WHOLE, _end, [stream])
            limit.daemon = True
            closing.callback(limit.cancel)
            limit.start()
            if isinstance(stream, ssl.SSLSocket):
                stream.do_handshake()
            # Named as in the URL, but already connected, so the name isn't resolved again.
            connection = HTTPConnection(parts.hostname, port)
            connection.sock = stream
            place = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", place, delivery.body.encode(), headers)
            return connection.getresponse().status


def _connection(addresses: Sequence[_Address], port: int) -> socket.socket:
    """Return a connection to the first address that answers.

    Raises:
        OSError: if none does.
    """
    for address in addresses[:-1]:
        try:
            return socket.create_connection((str(address), port), _CONNECT_SECONDS)
        except OSError:
            continue
    return socket.create_connection((str(addresses[-1]), port), _CONNECT_SECONDS)


def _end(stream: socket.socket) -> None:
    """Close a connection even if someone is waiting for its next byte."""
    with suppress(OSError):
        socket.socket.shutdown(stream, socket.SHUT_RDWR)
