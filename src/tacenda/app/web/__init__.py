"""Pages for people, and the application with pages and REST API.

| file | contents |
|---|---|
| ``application.py`` | the one application: pages, REST API and annotation |
| ``guard.py`` | access control, with its threats |
| ``keys.py``, ``access.py`` | identities and their keys; tokens and sessions |
| ``permission.py`` | permissions |
| ``base.py``, ``labels.py`` | templates, values of a request, answers to errors; labels |
| ``routes_*.py`` | addresses; those of annotation are in ``annotation/routes.py`` |
| ``views.py``, ``rows.py`` | content of the document page, as values and as HTML |

``static/htmx.min.js`` is htmx 2.0.11 as published on npm (Zero-Clause BSD, ``htmx.LICENSE``); the
pages load nothing from anywhere else.
"""
