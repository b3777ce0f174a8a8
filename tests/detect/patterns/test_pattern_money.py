"""Amounts of money."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "amount",
    ["EUR 3,000", "€23", "3,000 euros (EUR)", "3,000 euros", "PLN 1,000.50", "two million dollars",
     "US$5m", "$1.5 billion", "200 Turkish liras (TRY)", "500 old zlotys", "1,579 New Turkish liras",
     "1,234.56 pounds sterling", "five hundred euros", "two billion Danish kroner (DKK)", "3 500 kr",
     "50 zł", "100 DEM", "€３００"],
)  # fmt: skip
def test_an_amount_is_found_with_its_currency(find, amount):
    """Code, sign or word, before or after, in digits or in words."""
    assert find(f"He paid {amount} then.") == [("money", amount)]


@pytest.mark.parametrize(
    "text",
    ["two million people", "ABC 123", "a mark of distinction", "the euro", "30 members", "NATO 3"],
)
def test_a_number_without_a_currency_is_no_money(find, text):
    """And a currency without a number is none either."""
    assert find(text, "money") == []


def test_a_value_of_blood_is_no_amount_of_rupees(find):
    """International normalized ratios have one decimal."""
    assert find("INR 2.6, INR 12.4", "money") == []
    assert find("INR 2,600", "money") == [("money", "INR 2,600")]
