"""Annotation mode: people mark texts by the guidelines of TAB, or choose replacements for spans.

    files, reviews ─ sources ─▶ store ─ events of each annotator ─ replay ─▶ Annotation ─ pages, export

Two flows, one a project. *TAB* (Pilán et al. 2022, section 4.2): entities, masking decisions,
confidential attributes, relations, review. *Replacement* (Olstad, Papadopoulou and Lison,
"Generation of Replacement Options in Text Sanitization", section 4.1 and appendix A): read, choose
one option for each marked span, read again, submit.

An annotation project is a project of the store like any other: it has an owner, and its members are the
annotators. Its pages are a router of the application.

| file | contents |
|---|---|
| ``annotation.py`` | annotations of a text, and its initial marks |
| ``events.py`` | the replay of annotators' events (``app/events.py``) to an annotation |
| ``store.py`` | documents and annotators of a project |
| ``service.py`` | operations of the pages; permission to see annotations |
| ``sources.py`` | documents of files and reviews with their marks, and options for each mark |
| ``export.py`` | TAB standoff JSON and WikiReplace JSON |
| ``rendering.py``, ``comparison.py`` | rows of one annotation, comparison of several |
| ``views.py``, ``routes.py`` | the pages; that of a text is the review's (``web/templates/text.html``) |
"""
