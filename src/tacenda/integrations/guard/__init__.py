"""A guard for language models: models see ``[PERSON_1]``, users see names.

    session = tacenda.guard()
    answer = ask(session.hide(messages))
    print(session.reveal(answer))

| module | |
|---|---|
| ``session`` | a conversation: ``hide``, ``reveal``, streams |
| ``shapes`` | where requests and answers contain text |
| ``hiding`` | replacing strings with placeholders |
| ``stand_ins`` | names that are also words, found by their context |
| ``placeholders`` | how placeholders are written, and recognized in an answer |
| ``streaming`` | answers that arrive in pieces |
| ``answers`` | masking what a model says about other people |
| ``vault`` | the originals, encrypted |
| ``conversations`` | many conversations in one process |
| ``proxy`` | the same as a server between a program and a model |
| ``langchain``, ``llamaindex``, ``litellm`` | adapters |
"""

from .session import INSTRUCTION, GuardSession, guard
from .streaming import GuardStream

__all__ = ["INSTRUCTION", "GuardSession", "GuardStream", "guard"]
