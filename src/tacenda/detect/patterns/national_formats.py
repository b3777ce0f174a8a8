"""Formats of national identity, tax and health numbers, and who checks them.

A format stands alone where its check digits and its shape leave few chances: fewer than one in
twenty numbers of that shape pass. The others count only near a word that speaks of identity.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """One way to write numbers, and the modules of stdnum that tell whether one is valid.

    Attributes:
        shape: pattern of the whole number; ``9`` is a digit and ``A`` a capital, all else itself.
        alone: names of stdnum modules whose check is evidence enough.
        announced: names of stdnum modules that need a word of identity nearby.
    """

    shape: str
    alone: tuple[str, ...] = ()
    announced: tuple[str, ...] = ()


FORMATS = (
    Format(
        "99999999999",
        ("pl.pesel", "no.fodselsnummer", "ee.ik", "lt.asmens", "tr.tckimlik", "gr.amka"),
        ("de.idnr", "hr.oib", "be.nn", "br.cpf", "lv.pvn", "it.iva"),
    ),
    Format("999999 99999", ("no.fodselsnummer",)),
    Format("999999-99999", ("lv.pvn",)),
    Format("999999-9999", ("se.personnummer", "dk.cpr", "is_.kennitala")),
    Format("99999999-9999", ("se.personnummer",)),
    Format("999999+9999", ("se.personnummer",)),
    Format("999999/9999", ("cz.rc",)),
    Format("999999/999", ("cz.rc",)),
    Format("999999-9999999", ("kr.rrn",)),
    Format("9999999999999", ("ro.cnp", "si.emso", "za.idnr")),
    Format("99.99.99-999.99", ("be.nn",)),
    Format("999.999.999-99", ("br.cpf",)),
    Format("999.9999.9999.99", ("ch.ssn",)),
    Format("999-99-9999", ("us.ssn", "us.itin")),
    Format("99.999.999-9", ("cl.rut",)),
    Format("999999999999999", ("fr.nir",)),
    Format("9 99 99 99 999 999 99", ("fr.nir",)),
    Format("999999999999999999", ("cn.ric",)),
    Format("99999999999999999A", ("cn.ric",)),
    Format("999999-999A", ("fi.hetu",)),
    Format("999999A999A", ("fi.hetu",)),
    Format("999999-9999A", (), ("fi.hetu",)),
    Format("99999999A", ("es.dni",)),
    Format("99999999-A", ("es.dni",)),
    Format("A9999999A", ("es.nie",)),
    Format("A-9999999-A", ("es.nie",)),
    Format("9999999A", ("ie.pps",)),
    Format("9999999AA", ("ie.pps",)),
    Format("AAAAAA99A99A999A", ("it.codicefiscale",)),
    Format("AAAA999999AAAAAA99", ("mx.curp",)),
    Format("AAAA999999AAAAAAA9", ("mx.curp",)),
    Format("AAAAA9999A", (), ("in_.pan",)),
    Format("9999999999", (), ("gb.nhs", "bg.egn", "cz.rc", "at.vnr", "gb.utr", "ua.rntrc")),
    Format("999 999 9999", (), ("gb.nhs",)),
    Format("999-999-9999", (), ("gb.nhs",)),
    Format("9999 999999", (), ("at.vnr",)),
    Format("999999999", (), ("nl.bsn", "pt.nif", "ca.sin", "au.tfn", "us.ssn", "il.idnr")),
    Format("999 999 999", (), ("ca.sin", "au.tfn", "nl.bsn", "pt.nif")),
    Format("999-999-999", (), ("ca.sin",)),
    Format("9999 9999 9999", (), ("in_.aadhaar",)),
    Format("999999999999", (), ("in_.aadhaar", "ua.rntrc")),
    Format("99 999 999 999", (), ("de.idnr",)),
)
