"""``tacenda serve proxy``: a language model that never sees names."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import (
    SERVER,
    Host,
    Model,
    PolicyName,
    Port,
    SanitizerOptions,
    ServerName,
    Target,
    Threads,
    check_choice,
)

_MEDIA = ("refuse", "keep")
_UNKNOWN_FIELDS = ("refuse", "hide")
_ANSWERS = ("keep", "mask")


def proxy(
    upstream: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where the model is, such as https://api.openai.com/v1.",
            rich_help_panel=SERVER,
        ),
    ],
    host: Host = "127.0.0.1",
    port: Port = 8780,
    server_name: ServerName = None,
    media: Annotated[
        str,
        typer.Option(
            help="Pictures, sounds and files, which can't be read: refuse requests that have some, or "
            "keep them.",
            rich_help_panel=SERVER,
        ),
    ] = "refuse",
    unknown_fields: Annotated[
        str,
        typer.Option(
            help="Fields that neither interface has: refuse requests that have some, or hide text in them.",
            rich_help_panel=SERVER,
        ),
    ] = "refuse",
    answers: Annotated[
        str,
        typer.Option(
            help="People whom the model names by itself: keep them, or mask them.",
            rich_help_panel=SERVER,
        ),
    ] = "keep",
    hours: Annotated[
        float,
        typer.Option(
            min=0.01,
            help="Hours without use after which a conversation is forgotten.",
            rich_help_panel=SERVER,
        ),
    ] = 24.0,
    timeout: Annotated[
        float,
        typer.Option(
            min=1,
            help="Seconds that the model may take until it answers.",
            rich_help_panel=SERVER,
        ),
    ] = 600.0,
    policy: PolicyName = "prompts",
    target: Target = None,
    model: Model = None,
    threads: Threads = None,
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
    check_choice(media, _MEDIA, "--media")
    check_choice(unknown_fields, _UNKNOWN_FIELDS, "--unknown-fields")
    check_choice(answers, _ANSWERS, "--answers")
    from ..app.listening import LOOPBACK, address, is_loopback, listen
    from ..errors import MissingExtraError

    if not is_loopback(host) and not server_name:
        raise typer.BadParameter(
            f"{host!r} can be reached by others; say by which name they may call it with --server-name.",
            param_hint="--host",
        )
    try:
        import uvicorn

        from ..integrations.guard.proxy import ProxyOptions, application
    except ModuleNotFoundError:
        raise MissingExtraError("the proxy", "service") from None
    from ..integrations.guard.session import tagging

    options = ProxyOptions(
        upstream,
        (*LOOPBACK, host, *(server_name or ())),
        "keep" if media == "keep" else "refuse",
        "hide" if unknown_fields == "hide" else "refuse",
        "mask" if answers == "mask" else "keep",
        hours * 3600,
        timeout,
    )
    wishes = SanitizerOptions(policy=policy, target=target, model=model, threads=threads)
    sanitizer = wishes.open(tagging(wishes.effective_policy()))
    with listen(host, port) as listener:
        typer.echo(f"Guarding {upstream} at {address(listener, '/v1')}\nStop with Ctrl+C.")
        config = uvicorn.Config(
            application(sanitizer, options),
            access_log=False,
            log_level="warning",
            server_header=False,
        )
        uvicorn.Server(config).run([listener])
