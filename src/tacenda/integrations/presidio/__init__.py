"""Presidio's REST interface: the same requests and answers, with tacenda's decisions and probabilities.

``entities`` has the names of both, ``operators`` what is written instead of a span, ``recognizers`` what a
request brings along, ``analysis`` finds, and ``service`` answers (started by ``tacenda serve presidio``).
"""
