"""Write docs/policies.md: what each shipped policy does to the same five texts.

    python docs/policies.py

`tests/test_policies_page.py` compares the page with what the policies do.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["TACENDA_ENGINE"] = "onnxruntime"  # the one that every installation has

from tacenda import Sanitizer, load
from tacenda.policy import Policy
from tacenda.policy.loading import purpose, shipped

PAGE = Path(__file__).with_name("policies.md")
TEXTS = {
    "A judgment": (
        "The applicant, Ms Ruta Kazlauskaite, was born in 1968 and lives in Kaunas. She was represented by "
        "Mr J. Petraitis, a lawyer. On 4 May 2006 the Kaunas Regional Court dismissed her claim (no. 1234/06) "
        "for damages of EUR 12,000 under Article 6 of the Convention."
    ),
    "A clinical note": (
        "Margaret Dunne, 93-year-old woman, MRN 00482913, ZIP code 62704. Admitted on 12 March 2024 with a "
        "fracture of the left femur. BP 132/88, HR 72, temp 37.9 °C. Penicillin 500 mg po qid for 7 days. "
        "Review in two weeks, Monday at 10:30. Daughter Ellen on (217) 555-0182."
    ),
    "A chat": (
        "@marta_k91: hi Tom! still on for Friday at 7 pm at Nando's in Leeds?\n"
        "Tom: yes, bring the PlayStation. my brother (23 years old) comes too, ring me on 07700 900231\n"
        "@marta_k91: ok, or mail marta.kowal@example.org"
    ),
    "A log": (
        "2024-05-14T07:02:11Z INFO  [http-8080-3] login ok user=priya.nair ip=203.0.113.77 in 468 ms\n"
        "2024-05-14T07:02:19Z WARN  upload refused user=priya.nair file=/home/pnair/cv.pdf size=48211\n"
        "2024-05-14T07:02:20Z ERROR retry 3/5: db connect failed: postgres://app:s3cr3t!x@db-1:5432/shop"
    ),
    "A letter": (
        "Dear Ms Berg,\n"
        "thank you for your letter of 3 June 2023. Your account 40-22-18 77120934 with Hallam Bank will be closed "
        "next week. Please send the card to 14 Birch Lane, Sheffield S10 2TN.\n"
        "Yours sincerely, Daniel Osei, Customer Care"
    ),
}
_HEAD = """# What does each policy do to the same text?

Five made-up texts under each policy that ships; `tacenda policies show NAME` prints one with its reasons, [here](policy.md) is what
may stand in one. This page is written by `python docs/policies.py`.

"""


def page() -> str:
    """The page's Markdown."""
    first = load()
    sanitizers = {name: first.with_policy(Policy.load(name)) for name in shipped()}
    purposes = "\n".join(f"| `{name}` | {purpose(text)} |" for name, text in shipped().items())
    parts = [f"{_HEAD}| policy | for |\n|---|---|\n{purposes}\n"]
    parts += [_section(title, text, sanitizers) for title, text in TEXTS.items()]
    return "\n".join(parts)


def _section(title: str, text: str, sanitizers: dict[str, Sanitizer]) -> str:
    blocks = [f"## {title}", _block(text)]
    outputs: dict[str, list[str]] = {}
    for name, sanitizer in sanitizers.items():
        outputs.setdefault(sanitizer.sanitize(text).text, []).append(f"`{name}`")
    blocks += [f"{', '.join(names)}:\n\n{_block(output)}" for output, names in outputs.items()]
    return "\n\n".join(blocks) + "\n"


def _block(text: str) -> str:
    return f"```text\n{text}\n```"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
