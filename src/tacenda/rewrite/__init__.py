"""Turns decisions into text; every edit is recorded with both offsets.

| operator | writes | |
|---|---|---|
| *tag* | ``[PERSON 1]`` | the default: each entity has one number in the document; see ``tags.py`` |
| *suppress* | ``***`` | neighboring masks are joined, so their number tells nothing |
| *generalize* | ``[date in the 1990s]`` | true and less specific; see ``generalize/__init__.py`` |
| *pseudonym* | ``[PERSON 7K2QF4XA]`` | the same for the same name in all documents under one key |
| *hash* | ``[PERSON 5994471a…]`` | the same, with the whole keyed digest, for joining documents |
| *surrogate* | ``Kemal Sezgin`` | a made-up name, contact, ID number, home or date, otherwise the tag; keyed like the others |
| *encrypt* | ``[PERSON e1.MFRGG…]`` | the string itself, encrypted: ``tacenda restore`` brings it back |
"""
