"""``tacenda serve``: the proxy before a language model, the tools of MCP, and Presidio's REST API."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from .options import (
    Host,
    Model,
    Only,
    PolicyName,
    Port,
    SanitizerOptions,
    ServerName,
    Target,
    Threads,
    cli_option,
    grouped,
    option,
)
from .printing import print_note


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxySettings:
    """Options of ``tacenda serve proxy``."""

    upstream: str = option(..., metavar="URL")
    media: str = option("refuse", choices=("refuse", "keep"))
    unknown_fields: str = option("refuse", choices=("refuse", "hide"))
    answers: str = option("keep", choices=("keep", "mask"))
    hours: float = option(24.0, min=0.01)
    timeout: float = option(600.0, min=1)


@grouped
def proxy(
    host: Host = "127.0.0.1",
    port: Port = 8780,
    server_name: ServerName = None,
    policy: PolicyName = "prompts",
    target: Target = None,
    model: Model = None,
    threads: Threads = None,
    *,
    settings: ProxySettings,
) -> None:
    """Hide names from a language model behind a proxy.

    The model sees [PERSON_1]; programs see the names. Point programs that use the OpenAI or
    Anthropic API at the address of this proxy, with /v1 at the end; they keep their API key.
    Streams and tool calls are restored too, and content that can't be sanitized is rejected.
    Originals stay in the memory of this process.

    Examples:
      tacenda serve proxy --upstream https://api.openai.com/v1
      tacenda serve proxy --upstream http://127.0.0.1:11434/v1 --port 9000
      tacenda serve proxy --upstream https://api.openai.com/v1 --answers mask
    """
    from ..app.listening import LOOPBACK, address, is_loopback, listen
    from ..errors import require_extra

    if not is_loopback(host) and not server_name:
        raise typer.BadParameter(
            f"{host!r} can be reached by others; give the name that they use with --server-name",
            param_hint="--host",
        )
    require_extra("service", "the proxy", "uvicorn", "httpx", "starlette")
    import uvicorn

    from ..integrations.guard.proxy import ProxyOptions, application
    from ..integrations.guard.session import tagging

    options = ProxyOptions(
        settings.upstream,
        (*LOOPBACK, host, *(server_name or ())),
        media=settings.media,  # type: ignore[arg-type]  # one of the choices, as the next two
        unknown_fields=settings.unknown_fields,  # type: ignore[arg-type]
        answers=settings.answers,  # type: ignore[arg-type]
        lifetime=settings.hours * 3600,
        timeout=settings.timeout,
    )
    wishes = SanitizerOptions(policy=policy, target=target, model=model, threads=threads)
    sanitizer = wishes.open(tagging(wishes.effective_policy()))
    with listen(host, port) as listener:
        typer.echo(f"Guarding {settings.upstream} at {address(listener, '/v1')}\nStop with Ctrl+C.")
        config = uvicorn.Config(
            application(sanitizer, options),
            access_log=False,
            log_level="warning",
            server_header=False,
        )
        uvicorn.Server(config).run([listener])


_Root = Annotated[Path, cli_option("servers.root", metavar="FOLDER", exists=True, file_okay=False)]


@grouped
def mcp(
    root: _Root,
    *,
    options: Annotated[
        SanitizerOptions,
        Only(
            "policy",
            "target",
            "operator",
            "tag_language",
            "key_file",
            "threshold",
            "risk",
            "model",
            "threads",
        ),
    ],
) -> None:
    """Serve the Model Context Protocol on stdin and stdout.

    The tools list, scan, assess and sanitize files by path. Results are counts, risks, positions and
    file names, never text. Close stdin to stop the server.

    Examples:
      tacenda serve mcp --root letters/
    """
    from ..integrations.loading import LazySanitizer
    from ..integrations.mcp import server

    policy = options.effective_policy()
    if options.model is not None:
        policy = policy.with_changes(model=options.model)
    server(root, LazySanitizer(policy, options.threads)).run("stdio")


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
    # A page from another site may reach this machine under a host name of its own.
    hosts = (*LOOPBACK, host, *(server_name or ())) if is_local or server_name else ()
    service = ServiceSettings(options.policy, options.model, options.threads, limits, hosts)
    with listen(host, port) as listener:
        typer.echo(f"Serving Presidio's interface at {address(listener)}")
        serve(service, listener, settings.workers)
