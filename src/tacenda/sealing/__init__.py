"""Sealed strings: what *encrypt* writes and ``tacenda restore`` opens again.

    cipher    AES-SIV under keys derived from the user's
    token     how a sealed string stands in a text, and how it is found there
    text      the tokens of a text opened, all of them or none

Needs the extra ``encrypt``; nothing here is imported before an operator or a command asks for it.
"""
