"""Rewrite: decisions to text; all edits are recorded with both offsets.

| operator | writes | |
|---|---|---|
| *tag* | ``[PERSON 1]`` | the default: the same number for the same entity of the document; read ``tags.py`` |
| *suppress* | ``***`` | neighbouring masks are joined, so their number does not tell |
| *generalize* | ``[date in the 1990s]`` | true and less specific; read ``generalize/__init__.py`` |
| *pseudonym* | ``[PERSON 7K2QF4XA]`` | the same for the same name in all documents under one key |
| *hash* | ``[PERSON 5994471a…]`` | likewise, the whole keyed digest: to join documents by it |
| *surrogate* | ``Kemal Sezgin`` | a made-up name, contact, identity number, home or date; else the tag; keyed like the others |
| *encrypt* | ``[PERSON e1.MFRGG…]`` | the string itself, sealed: ``tacenda restore`` gives it back |
"""
