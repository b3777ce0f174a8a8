"""Documents of Word (.docx, ECMA-376), read and written in place; extra ``documents``.

| module | what it does |
|---|---|
| ``document`` | the record of a document, and the way back |
| ``opening`` | bytes → entries: sizes, encryption, damage |
| ``assembly`` | entries → parts: which are kept, under which names |
| ``cleaning``, ``revisions``, ``properties``, ``pictures`` | what goes, whatever is masked |
| ``places`` | where strings stand in a part, and which of them are one line |
| ``extraction`` | all strings of all parts → one text with slots |
| ``sweeping`` | what is no text, without what is masked |
| ``package`` | parts → bytes |
| ``vocabulary``, ``xml`` | the names that matter; parsing without entities |

Every part of the output is one of the kept parts, every string in it was either read as text,
swept for masked names, or is a word of the format.
"""

from .document import read

__all__ = ["read"]
