"""Keys, tokens and passwords, the users in paths, and what looks like them."""

from __future__ import annotations

import pytest

# In parts, so that no scanner of repositories takes them for keys in use.
_JWT = ".".join(("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N"))
_GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
_SLACK = "xoxb-" + "2104329412-82xyQ1"
_STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("key AKIAIOSFODNN7EXAMPLE was revoked", "AKIAIOSFODNN7EXAMPLE"),
        (f"remote: {_GITHUB} is valid", _GITHUB),
        (f"slack says {_SLACK}.", _SLACK),
        (f"STRIPE={_STRIPE}", _STRIPE),
        (f"cookie {_JWT} expired", _JWT),
        (f"Authorization: Bearer {_JWT}", _JWT),
        ("authorization: Basic YW5uYTpodW50ZXIyMTIz", "YW5uYTpodW50ZXIyMTIz"),
        ("password=hunter2 host=db", "hunter2"),
        ("PGPASSWORD=s3cr3t!x psql", "s3cr3t!x"),
        ('{"password": "correcthorse"}', "correcthorse"),
        ('"apiKey": "9f8a7c6b5d4e3f2a"', "9f8a7c6b5d4e3f2a"),
        ("client_secret: 'Zx81kk2Lw9'", "Zx81kk2Lw9"),
        ("GET /a?access_token=a1b2c3d4e5f6&x=1", "a1b2c3d4e5f6"),
        ("login ok session=8f14e45fceea167a", "8f14e45fceea167a"),
        ("Cookie: JSESSIONID=0AAB6C8DE415; lang=en", "0AAB6C8DE415"),
        ("mysql --password tr0ub4dor", "tr0ub4dor"),
        ("amqp://guest:s3cret@queue:5672/", "s3cret"),
    ],
)
def test_a_secret_is_found_without_its_name(find, text, secret):
    """A key has a form of its own, a password follows its name."""
    assert find(text, "secret") == [("secret", secret)]


def test_a_private_key_is_found_line_by_line(find):
    """Its marks stay, and so does what comes after it."""
    lines = ("MIIEvQIBADANBgkqhkiG9w0BAQEF", "AASCBKcwggSjAgEAAoIBAQC7")
    text = (
        "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(lines) + "\n-----END RSA PRIVATE KEY-----"
    )
    (hit,) = find(f"{text}\nand so on", "secret")
    assert hit[1].split() == list(lines)


@pytest.mark.parametrize(
    "text",
    [
        "password=********",
        "password: ${DB_PASSWORD}",
        '"password"=>"[FILTERED]"',
        "PWD=/home/anna2 ; USER=root",
        "password=$PASSWORD",
        "token = request.headers.token",
        "token = get_token(user)",
        "def login(password: str, token: str) -> None",
        "Enter your password: required",
        '"password": "your-password-here"',
        '<input type="password" name="password">',
        "the secret: nobody knew",
        "Token: expired",
        "a bearer of good news",
        "basic understanding-of-statistics",
        "sk-learn-contrib-and-other-packages",
        "https://example.org:8080/@anna",
        "primary key: 12345678",
        "session: morning",
    ],
)
def test_what_only_looks_like_a_secret_is_none(find, text):
    """Placeholders, code and prose are left alone."""
    assert find(text, "secret") == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("open /home/anna.berg/.ssh/config", "anna.berg"),
        ("/Users/jsmith: no such folder", "jsmith"),
        (r"C:\Users\Halina\AppData", "Halina"),
        (r"C:\Users\Precious Moyo\x.docx", "Precious Moyo"),
        (r'"D:\\Users\\k.mensah\\x"', "k.mensah"),
        ("postgres://anna:hunter22@db/x", "anna"),
    ],
)
def test_the_user_of_a_path_or_address_is_found(find, text, name):
    """The folder's own name, not the path around it."""
    assert find(text, "user_name") == [("user_name", name)]


@pytest.mark.parametrize(
    "text",
    [
        "/home/ubuntu/app",
        "/home/runner/work",
        r"C:\Users\Public\Documents",
        "GET /home/news HTTP/1.1",
        "see example.org/home/about",
        "/home/index.html",
        "postgres://postgres:hunter22@db/x",
        "/home/$USER/bin",
    ],
)
def test_accounts_of_machines_are_no_users(find, text):
    """Nobody is called by the account of a service, an example, or a page."""
    assert find(text, "user_name") == []
