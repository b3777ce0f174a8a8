"""Keys: where they come from, which are refused, and what is made of them."""

from __future__ import annotations

import base64
import hashlib
import random
from pathlib import Path

import pytest

from tacenda.errors import PolicyError
from tacenda.policy.loading import INSECURE, is_random, is_weak, read_key
from tests.keys import KEY, write_key

WEAK = (
    "aaaaaaaaaaaaaaaa",
    "passwordpassword",
    "PasswordPassword1",
    "0123456789abcdef",
    "0123456789abcdef0123456789abcdef",
    "1234567890123456",
    "qwertyuiopasdfghjkl",
    "letmein letmein2 letmein3",
    "secretsecretsecret123",
    "abababababababababababababababab",
)
PASSPHRASE = "maple lantern orbit velvet cactus"


@pytest.mark.parametrize("key", WEAK)
def test_a_key_that_can_be_guessed_is_refused(
    key: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Repetitions, sequences and common words are no secret; the message does not show them."""
    monkeypatch.setenv("K", key)
    for place in (("K", None), (None, write_key(tmp_path / "k", key))):
        with pytest.raises(PolicyError, match=r"can be guessed.*openssl rand -hex 32") as caught:
            read_key(*place)
        assert key not in str(caught.value)


def test_random_keys_are_used_as_they_stand(tmp_path: Path) -> None:
    """Hexadecimal digits, base64 and bytes of a generator: 128 bits and more need no scrypt."""
    source = random.Random(13)
    for size in (24, 32):
        for _ in range(500):
            raw = source.randbytes(size)
            for key in (raw.hex().encode(), base64.b64encode(raw), base64.urlsafe_b64encode(raw)):
                assert not is_weak(key)
    key = source.randbytes(32).hex()
    assert read_key(None, write_key(tmp_path / "key", f"{key}\n")) == key.encode()
    assert is_random(b"\xff" + bytes(range(7, 240, 9)))


def test_a_passphrase_goes_through_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in every run, and not the passphrase: guessing one costs 32 MiB and its time."""
    monkeypatch.setenv("K", PASSPHRASE)
    expected = hashlib.scrypt(
        PASSPHRASE.encode(),
        salt=b"tacenda key, version 1",
        n=32768,
        r=8,
        p=1,
        maxmem=2**26,
        dklen=32,
    )
    assert read_key("K", None) == expected
    assert not is_random(b"CorrectHorseBatteryStaple1")


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    """Neither the group nor the world may read or change it; the way out is named."""
    path = write_key(tmp_path / "key")
    path.chmod(mode)
    with pytest.raises(PolicyError, match=rf"mode {mode:o}\); chmod 600"):
        read_key(None, path)


def test_who_insists_gets_weak_and_exposed_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One variable lets both through; a weak key still goes through scrypt."""
    path = write_key(tmp_path / "key", WEAK[1])
    path.chmod(0o644)
    monkeypatch.setenv(INSECURE, "1")
    assert len(read_key(None, path)) == 32
    path.write_text("short")
    with pytest.raises(PolicyError, match="at least 16"):
        read_key(None, path)
    path.write_text(KEY)
    assert read_key(None, path) == KEY.encode()
