"""What keeps strangers, and other web pages in the same browser, out.

| against | what | where |
|---|---|---|
| other programs and users of the machine | a random token, or keys; sessions that end | ``access.py``, ``keys.py`` |
| other users of the server | everything has an owner, and an id that can't be guessed | ``../permission.py`` |
| guessing | who was wrong several times waits | ``throttle.py`` |
| names that resolve to this machine (DNS rebinding) | only known hosts are answered | ``guard.py`` |
| other pages that post (CSRF) | cookie SameSite=Strict, Origin, and a header that they can't know | ``guard.py`` |
| scripts in documents | no inline script or style runs; templates escape | ``headers.py`` |
| a flood of requests of one key | three at once, the others wait | ``guard.py`` |
| huge uploads | a limit on the body, declared or not | ``limits.py`` |
| text in logs | errors are logged by class and place | ``guard.py`` |
"""

from __future__ import annotations

from .access import Access, Session
from .guard import Guard
from .keys import LOCAL, Identity, Key, Role, read_keys

__all__ = ["LOCAL", "Access", "Guard", "Identity", "Key", "Role", "Session", "read_keys"]
