"""``tacenda serve --presidio``: Presidio's REST interface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from .options import PRESIDIO, SanitizerOptions

_AsPresidio = Annotated[
    bool,
    typer.Option(
        "--presidio",
        help="Serve Presidio's REST interface instead: /analyze, /anonymize and the rest. It keeps "
        "nothing, and asks for no key.",
        rich_help_panel=PRESIDIO,
    ),
]
_Workers = Annotated[
    int,
    typer.Option(min=1, help="Processes; each loads the weights.", rich_help_panel=PRESIDIO),
]
_Requests = Annotated[
    int,
    typer.Option(
        min=1,
        help="Requests at once in a process; others are told to wait.",
        rich_help_panel=PRESIDIO,
    ),
]
_Seconds = Annotated[
    float, typer.Option(min=0.1, help="Time limit of a request.", rich_help_panel=PRESIDIO)
]
_Megabytes = Annotated[int, typer.Option(min=1, help="Largest request.", rich_help_panel=PRESIDIO)]
_CutErrors = Annotated[
    bool | None,
    typer.Option(
        "--cut-errors/--whole-errors",
        help="Break off the answers of errors, for clients that take an error for nothing found; by default "
        "for aiohttp alone, which LiteLLM has.",
        show_default=False,
        rich_help_panel=PRESIDIO,
    ),
]


@dataclass(frozen=True, slots=True)
class PresidioOptions:
    """Options of the Presidio-compatible service."""

    presidio: _AsPresidio = False
    workers: _Workers = 1
    requests: _Requests = 100
    request_seconds: _Seconds = 60.0
    request_megabytes: _Megabytes = 8
    cut_errors: _CutErrors = None

    def serve(self, options: SanitizerOptions, host: str, port: int, names: Sequence[str]) -> None:
        """Serve until the program is stopped.

        Args:
            options: policy, model and threads.
            host: address to listen at.
            port: of it.
            names: further names of the server.

        Raises:
            MissingExtraError: if the extra ``service`` is not installed.
        """
        from ..errors import MissingExtraError

        try:
            import prometheus_client  # noqa: F401
            import starlette  # noqa: F401
            import uvicorn  # noqa: F401
        except ImportError:
            raise MissingExtraError("the Presidio-compatible service", "service") from None
        from ..app.listening import LOOPBACK, address, is_loopback, listen
        from ..integrations.presidio.gate import ServiceLimits
        from ..integrations.presidio.service import ServiceSettings
        from ..integrations.presidio.serving import serve

        is_local = is_loopback(host)
        if not is_local:
            typer.echo(
                "tacenda: whoever reaches this address may use it; it keeps nothing.", err=True
            )
        if self.cut_errors is False:
            typer.echo(
                "tacenda: LiteLLM takes an error for nothing found, and sends the text on, unless it has "
                "output_parse_pii or pii_entities_config.",
                err=True,
            )
        limits = ServiceLimits(
            body=self.request_megabytes * 2**20,
            requests=self.requests,
            seconds=self.request_seconds,
            cut_errors=self.cut_errors,
        )
        # A page of another site may reach this machine under a name of its own.
        hosts = (*LOOPBACK, host, *names) if is_local or names else ()
        settings = ServiceSettings(options.policy, options.model, options.threads, limits, hosts)
        with listen(host, port) as listener:
            typer.echo(f"Serving Presidio's interface at {address(listener)}")
            serve(settings, listener, self.workers)
