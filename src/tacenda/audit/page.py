"""The audit record as a page to print, to file and to sign; nothing in it runs or is loaded."""

from __future__ import annotations

import html
from collections.abc import Iterable
from importlib import resources
from typing import Any

from ..document import Risk
from ..wording import indicator_label, risk_left
from .origin import Origin

_SHORT = 12


def page_start(origin: Origin) -> str:
    """Return the head of a page, with what all documents have in common."""
    style = (resources.files(__package__) / "page.css").read_text("utf-8")
    head = origin.as_object()
    policy, model = head["policy"], head["model"]
    rows = [
        ("Made", _time(head["created"])),
        ("By", f"tacenda {_text(head['tool']['version'])}"),
        ("Policy", f"{_text(policy['name'] or 'unnamed')} {_digest(policy['sha256'])}"),
        ("Settings", _settings(policy)),
    ]
    rows.append(("Model", _model(model)))
    if (background := head["background"]) is not None:
        rows.append(("Background", f"{_text(background['name'])} {_digest(background['sha256'])}"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="robots" content="noindex">\n<title>Audit record</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<header>\n<h1>Audit record</h1>\n"
        "<p>Who decided what, when, and by which evidence. What was masked is not in this record.</p>\n"
        f"{_facts(rows)}</header>\n<main>\n"
    )


def page_document(item: dict[str, Any]) -> str:
    """Return the section of one document.

    Args:
        item: what ``record.as_object`` made.
    """
    decisions = item["decisions"]
    masked = sum(decision["decision"] == "mask" for decision in decisions)
    risk = item["risk"]
    rows = [
        ("Masked", f"{masked} of {len(decisions)} entities"),
        ("Risk", risk_left(Risk(**risk))),
        ("Text", f"{item['characters']:,} characters {_digest(item['sha256'])}"),
    ]
    if risk["leaks"]:
        rows.append(("Leaks", f"{risk['leaks']} masked strings are still in the text"))
    if "model" in item:
        rows.append(("Model", _model(item["model"])))
    rows += [("Attack", _attack(found)) for found in item["identifications"]]
    rows += [("Warning", _text(warning)) for warning in item["warnings"]]
    heads = ("Entity", "Decision", "Written instead", "Risk", "Evidence", "Decided by")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    ordered = sorted(decisions, key=lambda decision: -decision["risk"])
    body = "\n".join(map(_row, ordered))
    return (
        f"<section>\n<h2>{_text(item['id'])}</h2>\n{_facts(rows)}"
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
        f"{_combinations(item['combinations'], decisions)}{_acts(item['acts'], decisions)}"
        '<p class="signature"><span>Released by</span><span>Date</span><span>Signature</span></p>\n'
        "</section>\n"
    )


def page_end() -> str:
    """Return what ends a page."""
    return "</main>\n</body>\n</html>\n"


def _row(decision: dict[str, Any]) -> str:
    masked = decision["decision"] == "mask"
    verb = f"masked ({_text(decision['operator'])})" if masked else "kept"
    evidence = "".join(
        f"<li>{_text(indicator_label(found['name']))} {found['value']:.2f}: {_text(found['statement'])}</li>"
        for found in decision["indicators"]
    )
    by = decision["decided_by"]
    who = "policy" if by["kind"] == "policy" else f"{_text(by['person'])}<br>{_time(by['at'])}"
    written = " · ".join(map(_text, decision["written"])) or "–"
    count = decision["mentions"]
    return (
        f'<tr class="{decision["decision"]}"><th scope="row">{_label(decision)}<br>'
        f"<small>{decision['identifier']}, {count} mention{'s' if count > 1 else ''}</small></th>"
        f'<td>{verb}</td><td class="written">{written}</td>'
        f'<td class="number">{decision["risk"]:.2f}</td><td><ul>{evidence}</ul></td><td>{who}</td></tr>'
    )


def _combinations(combinations: list[dict[str, Any]], decisions: list[dict[str, Any]]) -> str:
    if not combinations:
        return ""
    labels = {decision["entity"]: _label(decision) for decision in decisions}
    lines = []
    for each in combinations:
        said = " ".join(_text(found["statement"]) for found in each["indicators"])
        state = _state(len(each["entities"]), each["changed"])
        names = ", ".join(labels[id] for id in each["entities"])
        lines.append(f"<li>{names} ({each['risk']:.2f}): {said} {state}</li>")
    head = "<h3>What points to the person together</h3>\n<ul>\n"
    return head + "\n".join(lines) + "\n</ul>\n"


def _state(size: int, changed: bool) -> str:
    if size == 1:
        return "It is masked." if changed else "<b>It is left.</b>"
    return "Not all of them are left." if changed else "<b>All of them are left.</b>"


def _attack(found: dict[str, Any]) -> str:
    verdict = "the person is found" if found["found"] else "the person is hidden"
    return (
        f"{_text(found['attacker'])}: rank {found['rank']:,} of {found['people']:,} "
        f"(probability {found['probability']:.3f}); {verdict}"
    )


def _model(model: dict[str, Any] | None) -> str:
    if model is None:
        return "none"
    files = (f"<br>{_text(name)} {_digest(sha)}" for name, sha in model["files"].items())
    return _text(model["name"]) + "".join(files)


def _acts(acts: list[dict[str, Any]], decisions: list[dict[str, Any]]) -> str:
    if not acts:
        return '<p class="acts">No person changed a decision.</p>\n'
    labels = {decision["entity"]: _label(decision) for decision in decisions}
    lines = []
    for act in acts:
        about = ", ".join(labels.get(id, _text(id)) for id in act["entities"]) or "the document"
        value = f" <b>{_text(act['value'])}</b>" if act["value"] else ""
        lines.append(
            f"<li>{_time(act['at'])} {_text(act['person'])}: {_text(act['action'])}{value}, {about}</li>"
        )
    return "<h3>What people did</h3>\n<ol>\n" + "\n".join(lines) + "\n</ol>\n"


def _label(decision: dict[str, Any]) -> str:
    return f"{decision['type']} {decision['number']}"


def _settings(policy: dict[str, Any]) -> str:
    shown = {key: value for key, value in policy["settings"].items() if value not in ({}, [], None)}
    shown |= {f"rules of {key}": count for key, count in policy["rules"].items() if count}
    return "; ".join(f"{_text(key)}: {_text(value)}" for key, value in shown.items())


def _facts(rows: Iterable[tuple[str, str]]) -> str:
    inside = "".join(f"<dt>{name}</dt><dd>{value}</dd>\n" for name, value in rows)
    return f"<dl>\n{inside}</dl>\n"


def _digest(sha256: str) -> str:
    return f'<code title="SHA-256 {sha256}">{sha256[:_SHORT]}…</code>'


def _time(at: str) -> str:
    return f"<time>{_text(at.replace('T', ' ').replace('+00:00', ' UTC'))}</time>"


def _text(value: object) -> str:
    return html.escape(str(value))
