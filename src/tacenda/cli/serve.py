"""``tacenda serve``: the same service for several people, and for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .review import Background, Model, PolicyOption, StoreOption, Threads, open_service, require_app


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8765,
    api_key_file: Annotated[
        Path | None,
        typer.Option(
            help="Lines `name key`, then user or admin, for your eyes only (chmod 600); people log in with "
            "their key, programs send it. Each sees what is theirs; the role admin sees everything. A key "
            "may be written as sha256: and its digest."
        ),
    ] = None,
    server_name: Annotated[
        list[str] | None,
        typer.Option(help="A name by which others call this server; may be repeated."),
    ] = None,
    quota_texts: Annotated[
        int, typer.Option(min=1, help="With keys: texts of one owner that may wait at once.")
    ] = 20_000,
    quota_jobs: Annotated[
        int, typer.Option(min=1, help="With keys: jobs that one owner may have.")
    ] = 100,
    quota_megabytes: Annotated[
        int, typer.Option(min=1, help="With keys: size of all that one owner may have.")
    ] = 1024,
    keep_jobs: Annotated[
        float,
        typer.Option(
            min=0, help="Hours after which finished jobs and their originals are deleted."
        ),
    ] = 24.0,
    policy: PolicyOption = "default",
    store: StoreOption = None,
    threads: Threads = None,
    model: Model = None,
    background: Background = None,
) -> None:
    """Serve the review application and a REST API (/api/v1/openapi.json).

    Without keys it listens on this machine only, and prints a token that opens it. Put a server
    that speaks TLS in front of it before others reach it over a network. Several servers may share a
    store: what waits is analysed once.

    Examples:
      tacenda serve --api-key-file keys.txt

      curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '{"text": "Ada Byron wrote."}' http://127.0.0.1:8765/api/v1/sanitize

      curl -H "Authorization: Bearer $KEY" -F file=@letter.docx -o clean.docx http://127.0.0.1:8765/api/v1/sanitize/file
    """
    from ..app.loopback import is_loopback

    if api_key_file is None and not is_loopback(host):
        raise typer.BadParameter(
            f"{host!r} can be reached by others; say who may come in with --api-key-file.",
            param_hint="--host",
        )
    require_app()
    from ..app.listening import listen
    from ..app.server import address, server
    from ..app.store.quota import Quota
    from ..app.web.security.access import Access
    from ..app.web.security.keys import LOCAL, read_keys

    keys = read_keys(api_key_file) if api_key_file else None
    quota = Quota(quota_texts, quota_jobs, quota_megabytes * 2**20) if keys else None
    service = open_service(store, policy, threads, model, background, quota, keep_jobs * 3600)
    try:
        access = Access(LOCAL, keys)
        names = [*(server_name or ()), host]
        with listen(host, port) as listener:
            typer.echo(f"Serving at {address(listener, access)}")
            server(service, access, names).run([listener])
    finally:
        service.store.close()
