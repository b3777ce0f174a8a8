"""A fuzzer that plants identifiers in made-up documents, and looks for them in what comes out.

    people       whose names, addresses and numbers are planted, in many scripts
    spellings    the ways in which a name is written
    documents    files of every format with a secret in each of their places
    hostile      files made to break a reader
    reading      an independent reader: every string in a file, decoded in every way
    campaign     documents sanitized by the command line; survivors, and what was lost, counted
    interrupted  runs stopped at a random moment, side by side, and gone on with

A document is a number: the same number makes the same document. ``python -m tests.fuzz -n 100000``
runs a campaign and prints what it tried; the suite runs a bounded one.
"""
