"""A guard of language models: they see ``[PERSON_1]``, the user sees names.

    session = tacenda.guard()
    answer = ask(session.hide(messages))
    print(session.reveal(answer))

| module | |
|---|---|
| ``session`` | a conversation: ``hide``, ``reveal``, streams |
| ``shapes`` | where text stands in requests and answers |
| ``hiding`` | strings to placeholders |
| ``stand_ins`` | names that are words, found by what stands around them |
| ``placeholders`` | how they are written, and read in an answer |
| ``streaming`` | answers piece by piece |
| ``answers`` | what a model says of others, masked |
| ``vault`` | the originals, sealed |
| ``conversations`` | many of them, in one process |
| ``proxy`` | the same as a server between a program and a model |
| ``langchain``, ``llamaindex``, ``litellm`` | adapters |
"""

from .session import INSTRUCTION, GuardSession, guard
from .streaming import GuardStream

__all__ = ["INSTRUCTION", "GuardSession", "GuardStream", "guard"]
