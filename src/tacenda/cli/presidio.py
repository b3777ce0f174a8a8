"""``tacenda serve presidio``: Presidio's REST API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .options import Host, Only, Port, SanitizerOptions, ServerName, grouped, option
from .printing import print_note


@dataclass(frozen=True, slots=True, kw_only=True)
class PresidioSettings:
    """Options of ``tacenda serve presidio``."""

    workers: int = option(1, min=1)
    requests: int = option(100, min=1)
    request_seconds: float = option(60.0, min=0.1)
    request_megabytes: int = option(8, min=1)
    cut_errors: bool | None = option(None, "--cut-errors/--whole-errors", show_default=False)


@grouped
def serve_presidio(
    *,
    options: Annotated[SanitizerOptions, Only("policy", "model", "threads")],
    host: Host = "127.0.0.1",
    port: Port = 8765,
    server_name: ServerName = None,
    settings: PresidioSettings,
) -> None:
    """Serve Presidio's REST API: /analyze, /anonymize and the rest.

    It stores nothing and requires no key; put a server that authenticates users in front of it.

    Examples:
      tacenda serve presidio --port 5002 --workers 4
    """
    from ..errors import require_extra

    modules = "prometheus_client", "starlette", "uvicorn"
    require_extra("service", "the Presidio-compatible service", *modules)
    from ..app.listening import LOOPBACK, address, is_loopback, listen
    from ..integrations.presidio.gate import ServiceLimits
    from ..integrations.presidio.service import ServiceSettings
    from ..integrations.presidio.serving import serve

    is_local = is_loopback(host)
    if not is_local:
        print_note("anyone who can reach this address can use the service; it stores nothing")
    if settings.cut_errors is False:
        print_note(
            "LiteLLM treats an error as an empty result and sends the text on unless "
            "output_parse_pii or pii_entities_config is set"
        )
    limits = ServiceLimits(
        body=settings.request_megabytes * 2**20,
        requests=settings.requests,
        seconds=settings.request_seconds,
        cut_errors=settings.cut_errors,
    )
    # A page of another site may reach this machine under a name of its own.
    hosts = (*LOOPBACK, host, *(server_name or ())) if is_local or server_name else ()
    service = ServiceSettings(options.policy, options.model, options.threads, limits, hosts)
    with listen(host, port) as listener:
        typer.echo(f"Serving Presidio's interface at {address(listener)}")
        serve(service, listener, settings.workers)
