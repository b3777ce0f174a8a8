"""Pages for people, and the application that serves them.

| file | what it does |
|---|---|
| ``application.py`` | the one application: pages, REST API and annotation |
| ``guard.py``, ``security.py`` | who may come in; see there |
| ``permission.py`` | what is open to whom |
| ``base.py``, ``labels.py`` | templates, what a request knows, answers to errors; what things are called |
| ``routes_*.py`` | addresses; those of annotation are in ``annotation/routes.py`` |
| ``views.py``, ``rows.py`` | what the document page shows, as values and as HTML |

``static/htmx.min.js`` is htmx 2.0.11 as published on npm (Zero-Clause BSD, ``htmx.LICENSE``); the
program loads nothing from anywhere else.
"""
