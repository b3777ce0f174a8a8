"""``tacenda serve mcp``: tools for language models that see no text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from .options import Only, SanitizerOptions, cli_option, grouped

_Root = Annotated[Path, cli_option("mcp.root", metavar="FOLDER", exists=True, file_okay=False)]


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
