"""Presidio's REST interface: the same requests and answers, with tacenda's decisions and probabilities.

``entities`` maps entity names, ``operators`` says what is written in place of a span,
``recognizers`` are those that a request defines, ``analysis`` finds mentions, and ``service``
answers requests (started by ``tacenda serve presidio``).
"""
