"""Reads a policy's YAML as plain fields, each with its line number."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

import yaml

from ..errors import PolicyError

_LARGEST = 10_000_000


@dataclass(frozen=True, slots=True)
class PolicySource:
    """The YAML of a policy.

    Attributes:
        name: the name of the policy or its file.
        fields: field values by name.
        root: the YAML tree, or None if it is empty.
    """

    name: str
    fields: dict[str, Any] = field(repr=False)
    root: yaml.Node | None = field(repr=False)

    def line(self, place: Sequence[int | str]) -> int | None:
        """Return the line, from 1, of the field at ``place``, or of the innermost one around it."""
        node, number = self.root, None
        for part in place:
            if isinstance(node, yaml.MappingNode):
                inner = next(((k, v) for k, v in node.value if k.value == part), None)
                if inner is None:
                    break
                number, node = inner[0].start_mark.line + 1, inner[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
                node = node.value[part]
                number = node.start_mark.line + 1
            else:
                break
        return number


def purpose(text: str) -> str:
    """The comment at the top of a policy's YAML, on one line."""
    head = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.removeprefix("#").strip() for line in head)


def shipped() -> dict[str, str]:
    """Return the YAML of each shipped policy, by name."""
    folder = resources.files(__package__)
    return {
        item.name.removesuffix(".yaml"): item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".yaml")
    }


def read(path: Path, kind: str = "policies", names: Iterable[str] | None = None) -> str:
    """Return the text of a policy's file.

    Args:
        path: the path of the file.
        kind: the word for such policies in messages.
        names: names of the shipped ones; by default, of the policies for text.

    Raises:
        PolicyError: if it doesn't exist, can't be read, or is too large to be a policy.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise PolicyError(
                f"{path} has more than {_LARGEST} bytes, which is too large for a policy"
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise PolicyError(f"{path} is not UTF-8 at byte {error.start}") from None
    except OSError as error:
        raise PolicyError(
            f"{str(path)!r} is neither a readable YAML file ({error.strerror}) nor one of the "
            f"shipped {kind}: {', '.join(shipped() if names is None else names)}"
        ) from None


def parse(text: str, name: str) -> PolicySource:
    """Read YAML.

    Raises:
        PolicyError: if it isn't YAML, isn't a mapping, or has a field twice; names the line.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        fields = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "somewhere"
        raise PolicyError(f"{name}: not YAML at {place}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise PolicyError(
            f"{name}: not YAML: a character or a nesting that it doesn't allow"
        ) from None
    if fields is None:
        return PolicySource(name, {}, None)
    if not isinstance(fields, dict):
        raise PolicyError(f"{name}: expected fields and values, found a {type(fields).__name__}")
    _refuse_twice(root, name, set())
    for key in fields:
        if not isinstance(key, str):
            raise PolicyError(f"{name}: {key!r} is not a field name")
    return PolicySource(name, fields, root)


def extended(source: PolicySource) -> PolicySource:
    """Return the YAML with the fields of the shipped policy it extends, overridden by its own.

    Raises:
        PolicyError: if no shipped policy has that name.
    """
    if "extends" not in source.fields:
        return source
    name, policies = source.fields["extends"], shipped()
    if not isinstance(name, str) or name not in policies:
        raise PolicyError(
            f"{source.name}: line {source.line(['extends'])}, extends: {name!r} is not one of "
            f"the shipped policies: {', '.join(policies)}"
        )
    base = extended(parse(policies[name], name))
    fields = {field: value for field, value in source.fields.items() if field != "extends"}
    return PolicySource(source.name, base.fields | fields, source.root)


def _refuse_twice(node: yaml.Node | None, name: str, ids: set[int]) -> None:
    """Raise PolicyError if a field is repeated: YAML would silently drop the first one."""
    if node is None or id(node) in ids:
        return
    ids.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_twice(item, name, ids)
    elif isinstance(node, yaml.MappingNode):
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in lines:
                raise PolicyError(
                    f"{name}, line {line}: {key.value} was given on line {lines[key.value]} already"
                )
            if isinstance(key.value, str):
                lines[key.value] = line
            _refuse_twice(value, name, ids)


# Keys: where they come from, how strong they must be, and how they are derived.
#
# A key comes from an environment variable or a file, never from the policy itself. Random keys of
# 128 bits or more, in hexadecimal digits or base64 as ``openssl rand`` prints them, and bytes that
# aren't text, are used as they are. Anything else is a passphrase and goes through scrypt (RFC
# 7914; N = 2^15, r = 8, p = 1, 32 bytes). Its salt is fixed, since the same passphrase must give
# the same key in every run.


MINIMUM_KEY_BYTES = 16
INSECURE = "TACENDA_INSECURE_KEY"
"""Environment variable that, set to 1, lets weak keys and files that others can read through."""

NO_KEY = (
    "pseudonym, hash, encrypt and surrogate need a key: set key_env to the name of an environment "
    "variable, or key_file to a path"
)
_REMEDY = f"make one with: openssl rand -hex 32 (or insist with {INSECURE}=1)"
_SALT = b"tacenda key, version 1"
_SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 2**26, "dklen": 32}
_SUFFICIENT_BITS = 50.0
"""Entropy needed in a passphrase before scrypt; four words of a list of 7,776 have 51.7."""
_RANDOM = (
    (re.compile(r"[0-9a-f]{32,}|[0-9A-F]{32,}"), 8),
    (re.compile(r"[A-Za-z0-9+/_-]{22,}={0,2}"), 12),
)
"""Encodings of 128 random bits, and the minimum number of different characters (expected are 14 and 19)."""
_COMMON = frozenset(
    "password passwort passwd passphrase secret geheim letmein welcome admin administrator root test "
    "changeme default qwerty qwertz asdf asdfgh zxcvbn iloveyou monkey dragon key tacenda example".split()
)
_PIECE = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
_CASES = re.compile(r"(?<=[a-z])(?=[A-Z])")


def read_key(key_env: str | None, key_file: Path | None) -> bytes:
    """Return the key; if it comes from a file, without the white space around it.

    Raises:
        PolicyError: if none is named, it is missing or weak, or other users can read its file.
    """
    if key_env is not None:
        place = f"the environment variable {key_env}"
        value = os.environ.get(key_env, "").encode("utf-8", "surrogateescape")
    elif key_file is not None:
        place = f"the file {key_file}"
        try:
            value, fault = read_private(key_file)
        except OSError as error:
            raise PolicyError(
                f"{place} can't be read ({error.strerror}); name a file that contains the key"
            ) from error
        value = value.strip()
        if fault:
            raise PolicyError(f"{place} {fault}")
    else:
        raise PolicyError(NO_KEY)
    if len(value) < MINIMUM_KEY_BYTES:
        raise PolicyError(
            f"{place} contains {len(value)} bytes; a key needs at least {MINIMUM_KEY_BYTES}, for "
            "example from: openssl rand -hex 32"
        )
    if is_weak(value) and not insisted():
        raise PolicyError(f"{place} contains a key that can be guessed; {_REMEDY}")
    return derived(value)


def insisted() -> bool:
    """Return whether the user insists on using keys that would otherwise be refused."""
    return os.environ.get(INSECURE) == "1"


def read_private(path: Path) -> tuple[bytes, str]:
    """Return the bytes of a key file and why it is refused, or an empty string if it isn't.

    Raises:
        OSError: if it can't be read.
    """
    with path.open("rb") as stream:
        # Check the open file: its path may point to another file later.
        mode = os.fstat(stream.fileno()).st_mode
        content = stream.read()
    if os.name != "posix" or insisted() or not mode & 0o066:
        return content, ""
    return content, (
        f"can be read or changed by others (mode {mode & 0o777:03o}); chmod 600 it, or insist with "
        f"{INSECURE}=1"
    )


def is_random(value: bytes) -> bool:
    """Return whether a key looks like 128 random bits or more."""
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return len(set(value)) >= 10 and len(_unit(value.decode("latin-1"))) >= MINIMUM_KEY_BYTES
    return any(
        pattern.fullmatch(text) is not None
        and len(set(text)) >= variety
        and len(_unit(text)) == len(text)
        and _steps(text) < 0.5
        and (pattern is _RANDOM[0][0] or _turns(text) > 1 / 3)
        for pattern, variety in _RANDOM
    )


def is_weak(value: bytes) -> bool:
    """Return whether a key is neither random nor a long enough passphrase."""
    return not is_random(value) and _bits(value.decode("utf-8", "replace")) < _SUFFICIENT_BITS


@lru_cache(8)
def derived(value: bytes) -> bytes:
    """Return the working key: a random key unchanged, or a passphrase run through scrypt."""
    return value if is_random(value) else hashlib.scrypt(value, salt=_SALT, **_SCRYPT)


def _bits(text: str) -> float:
    """Return roughly how many bits a guesser with word lists and sequences needs for a key."""
    return sum(_piece_bits(piece) for piece in dict.fromkeys(_pieces(_unit(text))))


def _pieces(text: str) -> Iterator[str]:
    for match in _PIECE.finditer(text):
        yield from (piece.casefold() for piece in _CASES.split(match[0]))


def _piece_bits(piece: str) -> float:
    """Return the bits of a word, a number or symbols; a step of a sequence counts half a bit."""
    if piece in _COMMON:
        return 2.0
    fresh = 1 + sum(abs(ord(after) - ord(before)) > 1 for before, after in pairwise(piece))
    rest = (len(piece) - fresh) * 0.5
    if piece.isdigit():
        return fresh * 3.3 + rest
    if not piece[0].isalpha():
        return fresh * 3.0 + rest
    # A word from a list of 7,776 has 12.9 bits; in longer runs of letters each letter has 1.6.
    return min(2.6 * fresh + rest, 12.9) if len(piece) <= 8 else max(12.9, 1.6 * fresh) + rest


def _unit(text: str) -> str:
    """Return the shortest text whose repetitions, the last maybe cut off, give the whole."""
    return next(
        (
            text[:size]
            for size in range(1, len(text) // 2 + 1)
            if text[size:] == text[: len(text) - size]
        ),
        text,
    )


def _steps(text: str) -> float:
    """Return the share of characters that are next to their predecessor in the alphabet."""
    pairs = list(pairwise(text))
    return sum(abs(ord(after) - ord(before)) <= 1 for before, after in pairs) / len(pairs)


def _turns(text: str) -> float:
    """Return the share of characters whose class differs from the one before, as in random keys."""
    classes = [
        0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3
        for c in text.rstrip("=")
    ]
    pairs = list(pairwise(classes))
    return sum(before != after for before, after in pairs) / len(pairs)
