"""Codes of countries and of the states of three federations, with their names and usual abbreviations.

Countries by ISO 3166-1 (two and three letters); states by the codes of the post, abbreviations as newspapers and
government printers write them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from .tokens import word_list


@dataclass(frozen=True, slots=True)
class CodedPlace:
    """A country or state.

    Attributes:
        codes: of the place, the shortest first.
        names: the full name, then abbreviations and other names.
        country: the code of a state's country; empty for a country.
    """

    codes: tuple[str, ...]
    names: tuple[str, ...]
    country: str = ""


@cache
def places_of(scheme: str) -> dict[str, CodedPlace]:
    """Return the places of a scheme by each code and name, folded.

    Args:
        scheme: one of ``SCHEMES``.
    """
    by_string: dict[str, CodedPlace] = {}
    for row in SCHEMES[scheme].split("|"):
        head, _, names = row.partition(" ")
        codes: tuple[str, ...] = (head,)
        if scheme == "country":
            second, _, names = names.partition(" ")
            codes = (head, second)
        country = "" if scheme == "country" else scheme
        place = CodedPlace(codes, tuple(names.split(", ")), country)
        for string in (*place.codes, *place.names):
            by_string.setdefault(" ".join(word_list(string)), place)
    return by_string


@cache
def state_names() -> dict[str, str]:
    """Return the full names of the states of the US and of Puerto Rico by each code and name, folded.

    Without the other territories, whose codes are words (*as*) or abbreviations of much else.
    """
    codes = {row.partition(" ")[0] for row in _STATES.split("|")}
    return {
        string: " ".join(word_list(place.names[0]))
        for string, place in places_of("US").items()
        if place.codes[0] in codes
    }


_COUNTRIES = (
    "AD AND Andorra|AE ARE United Arab Emirates, UAE, U.A.E.|AF AFG Afghanistan"
    "|AG ATG Antigua and Barbuda|AI AIA Anguilla|AL ALB Albania|AM ARM Armenia|AO AGO Angola"
    "|AQ ATA Antarctica|AR ARG Argentina|AS ASM American Samoa|AT AUT Austria|AU AUS Australia"
    "|AW ABW Aruba|AX ALA Aland Islands|AZ AZE Azerbaijan|BA BIH Bosnia and Herzegovina"
    "|BB BRB Barbados|BD BGD Bangladesh|BE BEL Belgium|BF BFA Burkina Faso|BG BGR Bulgaria"
    "|BH BHR Bahrain|BI BDI Burundi|BJ BEN Benin|BL BLM Saint Barthelemy|BM BMU Bermuda"
    "|BN BRN Brunei|BO BOL Bolivia|BQ BES Bonaire|BR BRA Brazil|BS BHS Bahamas|BT BTN Bhutan"
    "|BW BWA Botswana|BY BLR Belarus|BZ BLZ Belize|CA CAN Canada|CC CCK Cocos Islands"
    "|CD COD Democratic Republic of the Congo|CF CAF Central African Republic"
    "|CG COG Republic of the Congo|CH CHE Switzerland|CI CIV Ivory Coast, Côte d'Ivoire"
    "|CK COK Cook Islands|CL CHL Chile|CM CMR Cameroon|CN CHN China|CO COL Colombia"
    "|CR CRI Costa Rica|CU CUB Cuba|CV CPV Cabo Verde, Cape Verde|CW CUW Curacao"
    "|CX CXR Christmas Island|CY CYP Cyprus|CZ CZE Czechia, Czech Republic"
    "|DE DEU Germany, Federal Republic of Germany|DJ DJI Djibouti|DK DNK Denmark|DM DMA Dominica"
    "|DO DOM Dominican Republic|DZ DZA Algeria|EC ECU Ecuador|EE EST Estonia|EG EGY Egypt"
    "|EH ESH Western Sahara|ER ERI Eritrea|ES ESP Spain|ET ETH Ethiopia|FI FIN Finland"
    "|FJ FJI Fiji|FK FLK Falkland Islands|FM FSM Micronesia|FO FRO Faroe Islands|FR FRA France"
    "|GA GAB Gabon|GB GBR United Kingdom, UK, U.K., Great Britain, Britain|GD GRD Grenada"
    "|GE GEO Georgia|GF GUF French Guiana|GG GGY Guernsey|GH GHA Ghana|GI GIB Gibraltar"
    "|GL GRL Greenland|GM GMB Gambia|GN GIN Guinea|GP GLP Guadeloupe|GQ GNQ Equatorial Guinea"
    "|GR GRC Greece|GS SGS South Georgia and the South Sandwich Islands|GT GTM Guatemala"
    "|GU GUM Guam|GW GNB Guinea-Bissau|GY GUY Guyana|HK HKG Hong Kong|HN HND Honduras"
    "|HR HRV Croatia|HT HTI Haiti|HU HUN Hungary|ID IDN Indonesia|IE IRL Ireland|IL ISR Israel"
    "|IM IMN Isle of Man|IN IND India|IQ IRQ Iraq|IR IRN Iran|IS ISL Iceland|IT ITA Italy"
    "|JE JEY Jersey|JM JAM Jamaica|JO JOR Jordan|JP JPN Japan|KE KEN Kenya|KG KGZ Kyrgyzstan"
    "|KH KHM Cambodia|KI KIR Kiribati|KM COM Comoros|KN KNA Saint Kitts and Nevis"
    "|KP PRK North Korea|KR KOR South Korea, Korea|XK XKX Kosovo|KW KWT Kuwait"
    "|KY CYM Cayman Islands|KZ KAZ Kazakhstan|LA LAO Laos|LB LBN Lebanon|LC LCA Saint Lucia"
    "|LI LIE Liechtenstein|LK LKA Sri Lanka|LR LBR Liberia|LS LSO Lesotho|LT LTU Lithuania"
    "|LU LUX Luxembourg|LV LVA Latvia|LY LBY Libya|MA MAR Morocco|MC MCO Monaco|MD MDA Moldova"
    "|ME MNE Montenegro|MF MAF Saint Martin|MG MDG Madagascar|MH MHL Marshall Islands"
    "|MK MKD North Macedonia, Macedonia|ML MLI Mali|MM MMR Myanmar, Burma|MN MNG Mongolia"
    "|MO MAC Macao|MP MNP Northern Mariana Islands|MQ MTQ Martinique|MR MRT Mauritania"
    "|MS MSR Montserrat|MT MLT Malta|MU MUS Mauritius|MV MDV Maldives|MW MWI Malawi|MX MEX Mexico"
    "|MY MYS Malaysia|MZ MOZ Mozambique|NA NAM Namibia|NC NCL New Caledonia|NE NER Niger"
    "|NF NFK Norfolk Island|NG NGA Nigeria|NI NIC Nicaragua|NL NLD Netherlands|NO NOR Norway"
    "|NP NPL Nepal|NR NRU Nauru|NU NIU Niue|NZ NZL New Zealand|OM OMN Oman|PA PAN Panama"
    "|PE PER Peru|PF PYF French Polynesia|PG PNG Papua New Guinea|PH PHL Philippines"
    "|PK PAK Pakistan|PL POL Poland|PM SPM Saint Pierre and Miquelon|PN PCN Pitcairn"
    "|PR PRI Puerto Rico|PS PSE Palestinian Territory|PT PRT Portugal|PW PLW Palau"
    "|PY PRY Paraguay|QA QAT Qatar|RE REU Reunion|RO ROU Romania|RS SRB Serbia"
    "|RU RUS Russia, Russian Federation|RW RWA Rwanda|SA SAU Saudi Arabia|SB SLB Solomon Islands"
    "|SC SYC Seychelles|SD SDN Sudan|SS SSD South Sudan|SE SWE Sweden|SG SGP Singapore"
    "|SH SHN Saint Helena|SI SVN Slovenia|SJ SJM Svalbard and Jan Mayen|SK SVK Slovakia"
    "|SL SLE Sierra Leone|SM SMR San Marino|SN SEN Senegal|SO SOM Somalia|SR SUR Suriname"
    "|ST STP Sao Tome and Principe|SV SLV El Salvador|SX SXM Sint Maarten|SY SYR Syria"
    "|SZ SWZ Eswatini, Swaziland|TC TCA Turks and Caicos Islands|TD TCD Chad|TG TGO Togo"
    "|TH THA Thailand|TJ TJK Tajikistan|TK TKL Tokelau|TL TLS Timor Leste, East Timor"
    "|TM TKM Turkmenistan|TN TUN Tunisia|TO TON Tonga|TR TUR Turkey, Türkiye"
    "|TT TTO Trinidad and Tobago|TV TUV Tuvalu|TW TWN Taiwan|TZ TZA Tanzania|UA UKR Ukraine"
    "|UG UGA Uganda|US USA United States, USA, U.S.A., U.S., United States of America"
    "|UY URY Uruguay|UZ UZB Uzbekistan|VA VAT Vatican, Holy See"
    "|VC VCT Saint Vincent and the Grenadines|VE VEN Venezuela|VG VGB British Virgin Islands"
    "|VI VIR U.S. Virgin Islands|VN VNM Vietnam|VU VUT Vanuatu|WF WLF Wallis and Futuna"
    "|WS WSM Samoa|YE YEM Yemen|YT MYT Mayotte|ZA ZAF South Africa|ZM ZMB Zambia|ZW ZWE Zimbabwe"
)
_STATES = (
    "AL Alabama, Ala.|AK Alaska|AZ Arizona, Ariz.|AR Arkansas, Ark.|CA California, Calif., Cal."
    "|CO Colorado, Colo.|CT Connecticut, Conn.|DE Delaware, Del.|FL Florida, Fla.|GA Georgia, Ga."
    "|HI Hawaii|ID Idaho|IL Illinois, Ill.|IN Indiana, Ind.|IA Iowa|KS Kansas, Kans.|KY Kentucky, Ky."
    "|LA Louisiana, La.|ME Maine|MD Maryland, Md.|MA Massachusetts, Mass.|MI Michigan, Mich."
    "|MN Minnesota, Minn.|MS Mississippi, Miss.|MO Missouri, Mo.|MT Montana, Mont.|NE Nebraska, Nebr."
    "|NV Nevada, Nev.|NH New Hampshire, N.H.|NJ New Jersey, N.J.|NM New Mexico, N. Mex.|NY New York, N.Y."
    "|NC North Carolina, N.C.|ND North Dakota, N. Dak.|OH Ohio|OK Oklahoma, Okla.|OR Oregon, Oreg."
    "|PA Pennsylvania, Pa., Penn.|RI Rhode Island, R.I.|SC South Carolina, S.C.|SD South Dakota, S. Dak."
    "|TN Tennessee, Tenn.|TX Texas, Tex.|UT Utah|VT Vermont, Vt.|VA Virginia, Va.|WA Washington, Wash."
    "|WV West Virginia, W. Va.|WI Wisconsin, Wis.|WY Wyoming, Wyo.|PR Puerto Rico, P.R."
)
_TERRITORIES = (
    "DC District of Columbia, D.C.|GU Guam|VI Virgin Islands, V.I.|AS American Samoa"
    "|MP Northern Mariana Islands|PI Philippine Islands, P.I.|DK Dakota Territory, Dak.|OL Orleans Territory"
)
_PROVINCES = (
    "AB Alberta, Alta.|BC British Columbia, B.C.|MB Manitoba, Man.|NB New Brunswick, N.B."
    "|NL Newfoundland and Labrador, Nfld.|NS Nova Scotia, N.S.|NT Northwest Territories, N.W.T.|NU Nunavut"
    "|ON Ontario, Ont.|PE Prince Edward Island, P.E.I.|QC Quebec, Que.|SK Saskatchewan, Sask.|YT Yukon"
)
_AUSTRALIAN = (
    "NSW New South Wales, N.S.W.|VIC Victoria, Vic.|QLD Queensland, Qld.|WA Western Australia, W.A."
    "|SA South Australia, S.A.|TAS Tasmania, Tas.|ACT Australian Capital Territory, A.C.T."
    "|NT Northern Territory, N.T."
)
SCHEMES: Final = {
    "US": f"{_STATES}|{_TERRITORIES}",
    "CA": _PROVINCES,
    "AU": _AUSTRALIAN,
    "country": _COUNTRIES,
}
"""Rows of places by scheme, a federation's country code or ``country``."""
