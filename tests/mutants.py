"""Mutants of the core of metrics, merging, deciding and risk: each must fail a test.

    python -m tests.mutants [NAME...]

A mutant is the package with one line of it wrong. Its tests run on a copy; a mutant that passes them all has survived, and a test is
missing. ``test_mutants.py`` holds that each mutant still has its line.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "tacenda"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault put into the package.

    Attributes:
        name: what is wrong with it.
        path: of its file in the package.
        right: the code, once in the file.
        wrong: what stands there instead.
        tests: those that must notice, files or folders of ``tests``.
    """

    name: str
    path: str
    right: str
    wrong: str
    tests: str

    def put_into(self, package: Path) -> None:
        """Write the fault into a copy of the package."""
        file = package / self.path
        code = file.read_text("utf-8")
        file.unlink()  # it may be one file with the original
        file.write_text(code.replace(self.right, self.wrong), "utf-8")


METRICS, MATCHING, GOLD = "evaluate/metrics.py", "evaluate/matching.py", "evaluate/gold.py"
MERGE, DECIDE, ASSESS = "detect/merge.py", "decide/decide.py", "risk/assess.py"
RECOGNIZER_RISK, COMBINED_RISK = "risk/recognizer_risk.py", "risk/combined_risk.py"
BREAKING, ALGORITHM = "decide/combinations.py", "risk/search/algorithm.py"
WEIGHTS, RANKS = "evaluate/weights.py", "reidentify/attackers/base.py"
SEARCH, OBJECTIVE = "reidentify/anonymize/search.py", "reidentify/anonymize/objective.py"

MUTANTS = (
    # The metrics of the benchmark.
    Mutant(
        "WP counts no annotators in what was masked",
        METRICS,
        "len(prepared.annotators) * n * weight",
        "n * weight",
        "evaluate",
    ),
    Mutant(
        "WP counts one annotator of those who agree",
        METRICS,
        "agreement[token] * n * weight",
        "min(1, agreement[token]) * n * weight",
        "evaluate",
    ),
    Mutant(
        "a mention that needs no mask unmasks its entity",
        METRICS,
        "if not covered and mention.needs_masking:",
        "if not covered:",
        "evaluate",
    ),
    Mutant(
        "direct entities are counted with the others",
        METRICS,
        "ENTITIES_DIRECT if entity.is_direct else ENTITIES_QUASI",
        "ENTITIES_QUASI",
        "evaluate",
    ),
    Mutant(
        "what an annotator marked and kept counts as agreement",
        METRICS,
        "if mention is not None and mention.needs_masking:",
        "if mention is not None:",
        "evaluate",
    ),
    Mutant(
        "F2 weighs recall as F1 does",
        METRICS,
        "weight = self.beta**2",
        "weight = 1",
        "evaluate",
    ),
    Mutant("a dash must be masked", MATCHING, "[]–'", "[]'", "evaluate"),
    Mutant(
        "a part of a compound is a closed-class word",
        MATCHING,
        "lowered in CLOSED_CLASS and not in_compound",
        "lowered in CLOSED_CLASS",
        "evaluate",
    ),
    Mutant(
        "a title with its full stop is ignored",
        MATCHING,
        "    if lowered in _TITLES:\n        return not stop_follows",
        "    if lowered in _TITLES:\n        return True",
        "evaluate",
    ),
    Mutant(
        "the cut part of a word before is no token",
        MATCHING,
        "if first and self.ends[first - 1] > start:",
        "if False:",
        "evaluate",
    ),
    Mutant(
        "of mentions with one start the last counts, not the longest",
        MATCHING,
        "return second if second.span.end > first.span.end else first",
        "return second",
        "evaluate",
    ),
    Mutant(
        "an entity is direct if any mention is",
        GOLD,
        "return self.mentions[0].identifier is IdentifierType.DIRECT",
        "return any(m.identifier is IdentifierType.DIRECT for m in self.mentions)",
        "evaluate",
    ),
    Mutant(
        "an entity needs masking if all its mentions do",
        GOLD,
        "return any(mention.needs_masking for mention in self.mentions)",
        "return all(mention.needs_masking for mention in self.mentions)",
        "evaluate",
    ),
    # Weighted precision as the benchmark computes it.
    Mutant(
        "a segment of the benchmark's BERT is longer",
        WEIGHTS,
        "_SEGMENT: Final = 100",
        "_SEGMENT: Final = 128",
        "evaluate/test_information.py",
    ),
    Mutant(
        "the benchmark's segments are of about equal length",
        WEIGHTS,
        "list(places) if self._is_corrected else len(places) + 1",
        "len(places) + 1",
        "evaluate/test_information.py",
    ),
    Mutant(
        "the benchmark's BERT looks at masks",
        WEIGHTS,
        "ids[hidden], attention[hidden] = self._mask_id, 0",
        "ids[hidden], attention[hidden] = self._mask_id, 1",
        "evaluate/test_information.py",
    ),
    Mutant(
        "the text has no special piece at its end",
        WEIGHTS,
        "                *self._checkpoint.after,\n            ]\n        )",
        "            ]\n        )",
        "evaluate/test_information.py",
    ),
    Mutant(
        "pieces are counted without the special one before them",
        WEIGHTS,
        "[before + place for place in _overlapping(pieces, token)]",
        "list(_overlapping(pieces, token))",
        "evaluate/test_information.py",
    ),
    Mutant(
        "a word weighs as much as its likeliest piece",
        WEIGHTS,
        "float(surprisal[rows].max())",
        "float(surprisal[rows].min())",
        "evaluate/test_information.py",
    ),
    Mutant(
        "a word by overlapping windows weighs as much as its first piece",
        WEIGHTS,
        "max((surprisal[idx] for idx in group), default=0.0)",
        "next((surprisal[idx] for idx in group), 0.0)",
        "evaluate/test_information.py",
    ),
    # Merging.
    Mutant(
        "direct is lost where mentions are merged",
        MERGE,
        "p_direct=max(mention.p_direct, peer.p_direct)",
        "p_direct=mention.p_direct",
        "detect/test_merge.py",
    ),
    Mutant(
        "the mask is lost where mentions are merged",
        MERGE,
        "p_mask=max(mention.p_mask, peer.p_mask)",
        "p_mask=mention.p_mask",
        "detect/test_merge.py",
    ),
    Mutant(
        "a pattern comes before the policy",
        MERGE,
        "MentionSource.POLICY: 0,\n    MentionSource.PATTERN: 1,",
        "MentionSource.POLICY: 1,\n    MentionSource.PATTERN: 0,",
        "detect/test_merge.py",
    ),
    Mutant(
        "a number by its form comes last of equals",
        MERGE,
        "        not _is_number(mention),",
        "        _is_number(mention),",
        "detect/test_merge.py",
    ),
    Mutant(
        "a number by its form is absorbed",
        MERGE,
        "            and not (is_number and not (_is_number(outer) and outer.type is mention.type))\n",
        "",
        "detect/test_merge.py",
    ),
    Mutant(
        "a kept mention absorbs one found by propagation no more",
        MERGE,
        "(outer.p_mask >= _LIKELY or mention.source is MentionSource.PROPAGATION)",
        "outer.p_mask >= _LIKELY",
        "detect/test_merge.py",
    ),
    # Deciding.
    Mutant(
        "a penalty for length goes above one half",
        DECIDE,
        "return min(MAJORITY, odds / (1 + odds))",
        "return odds / (1 + odds)",
        "decide",
    ),
    Mutant(
        "a bound masks in a text without identifiers",
        DECIDE,
        "if has_identifiers and assessment.risk >= threshold",
        "if assessment.risk >= threshold",
        "decide",
    ),
    Mutant(
        "an exact allow rule is above a deny rule",
        DECIDE,
        "_ABOVE_DIRECT = (RuleKind.TARGET, RuleKind.TARGET_NAME, RuleKind.DENY)",
        "_ABOVE_DIRECT = (RuleKind.TARGET, RuleKind.TARGET_NAME)",
        "decide",
    ),
    Mutant(
        "a threshold of its type is not asked for what is direct",
        DECIDE,
        "assessment.identifier is IdentifierType.DIRECT and assessment.risk >= bound",
        "assessment.identifier is IdentifierType.DIRECT",
        "decide",
    ),
    Mutant(
        "an entity that shows a masked string is kept",
        DECIDE,
        "if hold and not masked:",
        "if False and not masked:",
        "decide",
    ),
    Mutant(
        "the threshold masks what is above it only",
        DECIDE,
        "effect = Effect.MASK if risk >= bound else Effect.KEEP",
        "effect = Effect.MASK if risk > bound else Effect.KEEP",
        "decide",
    ),
    Mutant(
        "one allowed mention allows the entity",
        DECIDE,
        "        if not indices:\n            return None",
        "        if not indices:\n            continue",
        "decide",
    ),
    # Risky combinations.
    Mutant(
        "the search for the cheapest choice takes nothing back",
        BREAKING,
        "if index in self.changed and all(self._count[n] > 1 for n in self.of[index]):",
        "if False:",
        "decide",
    ),
    Mutant(
        "the dearest change is the first that stays",
        BREAKING,
        "key=lambda index: (-self.prices[index], index)",
        "key=lambda index: (self.prices[index], index)",
        "decide",
    ),
    Mutant(
        "an option above the bound breaks a combination",
        BREAKING,
        "option.risk <= bound and",
        "True and",
        "decide test_sanitizer.py",
    ),
    Mutant(
        "Algorithm 1 leaves out the last pair",
        ALGORITHM,
        "    for last in range(count):",
        "    for last in range(count - 1):",
        "risk",
    ),
    Mutant(
        "Algorithm 1 asks for what holds a risky pair",
        ALGORITHM,
        "            self.outcome.risky[indices] = shared\n            self._closed.add(indices)",
        "            self.outcome.risky[indices] = shared",
        "risk",
    ),
    Mutant(
        "pages for the name with an entity don't count",
        ALGORITHM,
        "self._about |= self._with_people((index,), answers[index])",
        "self._with_people((index,), answers[index])",
        "risk",
    ),
    Mutant(
        "an unfinished answer clears larger combinations",
        ALGORITHM,
        "elif answer.complete and not shared.about:",
        "elif not shared.about:",
        "risk",
    ),
    # Re-identification.
    Mutant(
        "of equal scores the person's comes first",
        RANKS,
        "return above + 1 + level // 2",
        "return above + 1",
        "reidentify/test_attack.py reidentify/test_search.py",
    ),
    Mutant(
        "a person at rank K is hidden",
        OBJECTIVE,
        "return self.rank() > k",
        "return self.rank() >= k",
        "reidentify/test_search.py",
    ),
    Mutant(
        "rank K is not among the first K",
        "reidentify/rates.py",
        "rate(sum(rank <= k for rank in ranks), len(ranks))",
        "rate(sum(rank < k for rank in ranks), len(ranks))",
        "reidentify/test_attack.py reidentify/test_report.py",
    ),
    Mutant(
        "the search goes on when the person is hidden",
        SEARCH,
        "while rest and not objective.hides(k):",
        "while rest:",
        "reidentify/test_search.py",
    ),
    Mutant(
        "the search takes what drops most, whatever it loses",
        SEARCH,
        "np.where(drops > TIE, drops / self._prices[units], drops)",
        "drops",
        "reidentify/test_search.py",
    ),
    Mutant(
        "a needless mask stays",
        SEARCH,
        "                masked.remove(unit)\n",
        "                pass\n",
        "reidentify/test_options.py",
    ),
    # Assessing.
    Mutant(
        "an entity is as risky as its last mention",
        RECOGNIZER_RISK,
        "riskiest = max(entity.mentions, key=lambda mention: (mention.p_mask, mention.p_direct))",
        "riskiest = entity.mentions[-1]",
        "risk",
    ),
    Mutant(
        "all indicators together are as sure as the surest",
        COMBINED_RISK,
        'if policy.combine == "all":\n        return min(values.values())',
        'if policy.combine == "all":\n        return max(values.values())',
        "risk",
    ),
    Mutant(
        "a combination of indicators outvotes what is certain",
        ASSESS,
        "risk = max((combination.value, *values))",
        "risk = combination.value",
        "risk",
    ),
    Mutant(
        "an entity that leaked is not left",
        ASSESS,
        "if not item.masked or item.entity.id in leaked",
        "if not item.masked",
        "risk test_sanitizer.py",
    ),
)


def survives(mutant: Mutant) -> bool:
    """Return whether no test notices the mutant.

    Raises:
        RuntimeError: the tests could not run at all.
    """
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".mutant-") as folder:
        package = Path(folder, "tacenda")
        shutil.copytree(PACKAGE, package, copy_function=os.link)
        mutant.put_into(package)
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        tests = [str(ROOT / "tests" / name) for name in mutant.tests.split()]
        path = os.pathsep.join([folder, str(ROOT / "lab" / "src"), str(ROOT)])
        done = subprocess.run(
            [*command, *tests],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{mutant.name}: the tests did not run:\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def main(names: list[str]) -> int:
    """Try the mutants with these names, or all; return how many survived."""
    chosen = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        alive = list(pool.map(survives, chosen))
    for mutant, lives in zip(chosen, alive, strict=True):
        print(f"{'SURVIVES' if lives else 'killed  '} {mutant.path}: {mutant.name}")
    print(f"{len(chosen) - sum(alive)} of {len(chosen)} killed")
    return sum(alive)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
