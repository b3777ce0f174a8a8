"""``tacenda serve presidio``: Presidio's REST API."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import (
    SERVER,
    Host,
    Only,
    Port,
    SanitizerOptions,
    ServerName,
    grouped,
)
from .printing import print_note

_Workers = Annotated[
    int,
    typer.Option(min=1, help="Processes; each loads the weights.", rich_help_panel=SERVER),
]
_Requests = Annotated[
    int,
    typer.Option(
        min=1,
        help="Requests at once in a process; others are told to wait.",
        rich_help_panel=SERVER,
    ),
]
_Seconds = Annotated[
    float, typer.Option(min=0.1, help="Time limit of a request.", rich_help_panel=SERVER)
]
_Megabytes = Annotated[int, typer.Option(min=1, help="Largest request.", rich_help_panel=SERVER)]
_CutErrors = Annotated[
    bool | None,
    typer.Option(
        "--cut-errors/--whole-errors",
        help="Break off the answers of errors, for clients that take an error for nothing found; by default "
        "for aiohttp alone, which LiteLLM has.",
        show_default=False,
        rich_help_panel=SERVER,
    ),
]


@grouped
def serve_presidio(
    *,
    options: Annotated[SanitizerOptions, Only("policy", "model", "threads")],
    host: Host = "127.0.0.1",
    port: Port = 8765,
    server_name: ServerName = None,
    workers: _Workers = 1,
    requests: _Requests = 100,
    request_seconds: _Seconds = 60.0,
    request_megabytes: _Megabytes = 8,
    cut_errors: _CutErrors = None,
) -> None:
    """Serve Presidio's REST API: /analyze, /anonymize and the rest.

    It stores nothing and requires no key; put a server that authenticates users in front of it.

    Examples:
      tacenda serve presidio --port 5002 --workers 4
    """
    from ..errors import MissingExtraError

    try:
        import prometheus_client  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingExtraError("the Presidio-compatible service", "service") from None
    from ..app.listening import LOOPBACK, address, is_loopback, listen
    from ..integrations.presidio.gate import Limits
    from ..integrations.presidio.service import ServiceSettings
    from ..integrations.presidio.serving import serve

    is_local = is_loopback(host)
    if not is_local:
        print_note("anyone who can reach this address can use the service; it stores nothing")
    if cut_errors is False:
        print_note(
            "LiteLLM treats an error as an empty result and sends the text on unless "
            "output_parse_pii or pii_entities_config is set"
        )
    limits = Limits(
        body=request_megabytes * 2**20,
        requests=requests,
        seconds=request_seconds,
        cut_errors=cut_errors,
    )
    # A page of another site may reach this machine under a name of its own.
    hosts = (*LOOPBACK, host, *(server_name or ())) if is_local or server_name else ()
    settings = ServiceSettings(options.policy, options.model, options.threads, limits, hosts)
    with listen(host, port) as listener:
        typer.echo(f"Serving Presidio's interface at {address(listener)}")
        serve(settings, listener, workers)
