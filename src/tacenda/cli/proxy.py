"""``tacenda serve proxy``: a language model that never sees names."""

from __future__ import annotations

from dataclasses import dataclass

import typer

from .options import (
    Host,
    Model,
    PolicyName,
    Port,
    SanitizerOptions,
    ServerName,
    Target,
    Threads,
    check_choice,
    grouped,
    option,
)

_MEDIA = ("refuse", "keep")
_UNKNOWN_FIELDS = ("refuse", "hide")
_ANSWERS = ("keep", "mask")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxySettings:
    """Options of ``tacenda serve proxy``."""

    upstream: str = option(..., metavar="URL")
    media: str = option("refuse")
    unknown_fields: str = option("refuse")
    answers: str = option("keep")
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
    check_choice(settings.media, _MEDIA, "--media")
    check_choice(settings.unknown_fields, _UNKNOWN_FIELDS, "--unknown-fields")
    check_choice(settings.answers, _ANSWERS, "--answers")
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
        "keep" if settings.media == "keep" else "refuse",
        "hide" if settings.unknown_fields == "hide" else "refuse",
        "mask" if settings.answers == "mask" else "keep",
        settings.hours * 3600,
        settings.timeout,
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
