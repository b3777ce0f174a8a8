"""Where tacenda was installed from, as pip recorded it (PEP 610)."""

from __future__ import annotations


def install_command(extra: str = "", package: str = "tacenda") -> str:
    """Return the command that installs an extra, or ``tacenda-lab``, from the same source as tacenda."""
    import json
    import os
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path
    from shlex import quote
    from urllib.parse import unquote, urlsplit

    folder = "./lab" if package == "tacenda-lab" else "."
    extras = f"[{extra}]" if extra else ""
    try:
        record = distribution("tacenda").read_text("direct_url.json")
    except PackageNotFoundError:
        record = "{}"
    if record is None:  # pip records no source for packages from an index.
        return f"pip install {quote(package + extras)}"
    origin = json.loads(record)
    if "vcs_info" in origin:
        address = f"{origin['vcs_info']['vcs']}+{origin['url']}"
        place = "#subdirectory=lab" if package == "tacenda-lab" else ""
        return f"pip install {quote(f'{package}{extras} @ {address}{place}')}"
    if "dir_info" in origin:
        path = unquote(urlsplit(origin["url"]).path)
        repository = Path(path.removeprefix("/") if os.name == "nt" else path)
        if (repository / "pyproject.toml").is_file():
            option = "-e " if origin["dir_info"].get("editable") else ""
            return f"pip install {option}{quote(str(repository / folder) + extras)}"
    return f"pip install {quote(folder + extras)} in a copy of the repository"
