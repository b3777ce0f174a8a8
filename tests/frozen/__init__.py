"""Behaviour that no change of the code's shape may change, as snapshots.

    shell        the command line, many calls in one process
    digests      what is decided and written of 30 documents, under policies and operators
    calls        options of every command, exit codes, figures, JSON by its schemas
    api          the REST API of a running server

``python -m tests.frozen`` takes the snapshots anew; what changes in them is a change for users and
belongs into the changelog. Nothing here knows a module of the package: all goes through the
command line.
"""
