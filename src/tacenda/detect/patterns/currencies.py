"""Names of currencies: ISO 4217 codes (with those of the last decades), symbols and words."""

from __future__ import annotations

CODES = frozenset(
    (
        "AED ALL AMD ARS ATS AUD AZN BAM BEF BGN BHD BRL BYN BYR CAD CHF CLP CNY COP CSK CYP CZK "
        "DDM DEM DKK DZD EEK EGP ESP EUR FIM FRF GBP GEL GRD HKD HRD HRK HUF IDR IEP ILS INR IQD "
        "IRR ISK ITL JOD JPY KES KRW KWD KZT LBP LTL LUF LVL MAD MDL MKD MTL MXN MYR NGN NLG NOK "
        "NZD OMR PEN PHP PKR PLN PLZ PTE QAR RMB ROL RON RSD RUB RUR SAR SEK SGD SIT SKK SUR THB "
        "TND TRL TRY TWD UAH USD UYU VND XAF XOF YTL YUM ZAR"
    ).split()
)
"""Codes of three capitals."""

SIGNS = "€£¥₺₽₹₴₪₩฿$"
"""Signs of one character; before an amount or after it."""

ABBREVIATIONS = ("zł", "kr", "Kč", "Fr", "Rs")
"""Short forms before an amount."""

WORDS = frozenset(
    (
        "euro euros Euro Euros dollar dollars Dollars pound pounds Pounds franc francs Francs mark "
        "marks Mark Marks lira liras lire lirasi Lira Liras krone kroner kronen krona kronor kronas "
        "Krone Kroner Kronor zloty zlotys zloties zlotych zlote złoty złotych złote Zloty Zlotys "
        "rouble roubles ruble rubles schilling schillings Schilling Schillings forint forints lev "
        "leva levs leu lei koruna korunas koruny korun kuna kunas dinar dinars peseta pesetas "
        "escudo escudos drachma drachmas guilder guilders peso pesos rupee rupees yen yuan hryvnia "
        "hryvnias tolar tolars litas litai lats kroon kroons shekel shekels rand rial rials riyal "
        "riyals cent cents pence zł kr Kč"
    ).split()
)
"""Words that stand after an amount."""
