"""Where a key comes from: an environment variable or a file, never the policy itself."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import PolicyError

MINIMUM_KEY_BYTES = 16

NO_KEY = (
    "pseudonym, hash, encrypt and surrogate need a key: set key_env to the name of an environment "
    "variable, or key_file to a path"
)


def read_key(key_env: str | None, key_file: Path | None) -> bytes:
    """Return the key, without white space around it where it comes from a file.

    Raises:
        PolicyError: if none is named, or it is missing or shorter than 16 bytes.
    """
    if key_env is not None:
        place = f"the environment variable {key_env}"
        value = os.environ.get(key_env, "").encode("utf-8", "surrogateescape")
    elif key_file is not None:
        place = f"the file {key_file}"
        try:
            value = key_file.read_bytes().strip()
        except OSError as error:
            raise PolicyError(
                f"{place} can't be read ({error.strerror}); name a file that holds the key"
            ) from error
    else:
        raise PolicyError(NO_KEY)
    if len(value) < MINIMUM_KEY_BYTES:
        raise PolicyError(
            f"{place} holds {len(value)} bytes; a key needs at least {MINIMUM_KEY_BYTES}, for "
            "example from: openssl rand -hex 32"
        )
    return value
