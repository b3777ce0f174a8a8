"""Annotation mode: people mark texts by the guidelines of TAB, or choose replacements for spans.

    files ─ sources ─▶ store (SQLite) ─ events of each annotator ─ fold ─▶ Annotation ─ pages, export

Two flows, one a project. *TAB* (Pilán et al. 2022, section 4.2): entities, masking decisions,
confidential attributes, relations, review. *Replacement* (Olstad, Papadopoulou and Lison,
"Generation of Replacement Options in Text Sanitization", section 4.1 and appendix A): read, choose
one option for each marked span, read again, submit.

| file | what it does |
|---|---|
| ``change.py`` | one act of an annotator, as a value and as JSON |
| ``annotation.py`` | what an annotator has said of a text so far |
| ``fold.py``, ``grouping.py`` | acts folded to an annotation; which mentions are one entity |
| ``marks.py`` | what is marked before anybody begins |
| ``store.py``, ``schema.py`` | documents, annotators and events on disk |
| ``service.py``, ``access.py`` | what pages ask for; who may see whose annotation |
| ``sources.py``, ``recognized.py``, ``options.py`` | files, the recognizer and the options for a span |
| ``export.py`` | TAB standoff JSON and WikiReplace JSON |
| ``rendering.py``, ``masked.py``, ``differences.py``, ``agreement.py``, ``heat_map.py`` | what pages show |
| ``pages/``, ``application.py``, ``templates/``, ``static/`` | the pages |
"""
