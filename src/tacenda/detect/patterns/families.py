"""The families of patterns, in the order that decides between equal hits."""

from __future__ import annotations

from collections.abc import Sequence

from .addresses import find_addresses
from .cards import find_cards
from .case_numbers import find_case_numbers
from .coordinates import find_coordinates
from .dates import find_dates
from .durations import find_durations
from .emails import find_emails
from .foreign_scripts import find_foreign_scripts
from .hit import Finder
from .ibans import find_ibans
from .identity_numbers import find_identity_numbers
from .ip_addresses import find_ip_addresses
from .mac_addresses import find_mac_addresses
from .money import find_money
from .national_ids import find_national_ids
from .numeric_dates import find_numeric_dates
from .phones import PhoneFinder
from .plates import find_plates
from .postcodes import find_postcodes
from .times import find_times
from .urls import find_urls
from .user_names import find_user_names
from .years import find_years


def families(regions: Sequence[str]) -> tuple[Finder, ...]:
    """Return all families, the one with the strongest evidence first.

    Args:
        regions: ISO 3166 codes of the regions whose national telephone numbers count.
    """
    return (
        find_emails,
        find_urls,
        find_ibans,
        find_mac_addresses,
        find_ip_addresses,
        find_cards,
        find_national_ids,
        find_coordinates,
        find_user_names,
        find_identity_numbers,
        PhoneFinder(regions),
        find_plates,
        find_case_numbers,
        find_addresses,
        find_postcodes,
        find_numeric_dates,
        find_dates,
        find_years,
        find_times,
        find_money,
        find_durations,
        find_foreign_scripts,
    )
