"""Pages for people: one file a page in ``pages/``, what they show as values, and ``security/``.

``static/htmx.min.js`` is htmx 2.0.11 as published on npm (Zero-Clause BSD, ``htmx.LICENSE``); the
program loads nothing from anywhere else.
"""
