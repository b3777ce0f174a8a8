"""Behaviour that no change of the code's shape may change, as snapshots.

    shell        the command line, many calls in one process
    digests      30 documents under every policy with every operator
    calls        help, exit codes, JSON, and a page of what was sanitized
    api          the REST API of a running server

``python -m tests.frozen`` takes the snapshots anew; what changes in them is a change for users and
belongs into the changelog. Nothing here knows a module of the package: all goes through the
command line.
"""
