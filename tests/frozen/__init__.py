"""Behaviour that no change of the code's shape may change, as snapshots.

    shell        the command line, many calls in one process
    digests      30 documents under every policy with every operator
    commands     the help of every command, and exit codes

``python -m tests.frozen`` takes the snapshots anew; what changes in them is a change for users and
belongs into the changelog. Nothing here knows a module of the package: all goes through the
command line.
"""
