"""Every secret here is made up, and put together at run time: no scanner takes it for one."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logdocket.model.redaction import redact

PLACEHOLDER = re.compile(r"\[SECRET-[1-9][0-9]*\]")
MADE_UP = "A1b2C3d4E5" * 12
WORD = "s3cr3t-" + "example"
HEX = "0a1b2c3d" * 8
BASIC = "dXNlcjpl" + "eGFtcGxl"
ACCESS_KEY = "AK" + "IA" + "EXAMPLE" * 2 + "12"
ACCESS_SECRET = "wJalr/" + "Example1" * 4 + "ab"
JWT = "ey" + "J" + MADE_UP[:30] + ".ey" + "J" + MADE_UP[:40] + "." + MADE_UP[:43]
CARD = "4111 " + "1111 " * 2 + "1111"
BEGIN, END = "-----BEGIN ", "-----END "
KEY = "PRIVATE KEY"

NAMED = [
    "level=info msg=login user=bob password={} ip=192.0.2.1",
    "PASSWORD={}",
    "passwd={}",
    "pwd={};",
    "db_password: {}",
    "dbPass={}",
    "userPassword = {}",
    'password="{}',
    "password: {}",
    "  password: {}",
    '{{"user":"bob","password":"{}"}}',
    '{{"user":"bob","password" : "{}"}}',
    "{{'password': '{}'}}",
    r'{{"msg":"{{\"password\":\"{}\",\"u\":1}}"}}',
    r'{{"m":"{{\"m\":\"{{\\\"password\\\":\\\"{}\\\"}}\"}}"}}',
    r'{{"m":"password\u003d{}\u0026a\u003db"}}',
    "&quot;password&quot;:&quot;{}&quot;",
    "%22password%22%3A%22{}%22",
    "password%3D{}%26x%3D1",
    "<password>{}</password>",
    '<user name="a" password="{}"/>',
    ':password=>"{}"',
    "'password' => '{}'",
    "('password', '{}')",
    "user[password]={}&x=1",
    "{{password={}, user=bob}}",
    "Creds(user=bob, password={})",
    'password: Some("{}")',
    '{{"passwords":["{}"]}}',
    'export SECRET_KEY="{}"',
    "client_secret={}&grant_type=x",
    "grant_type=password&username=a&password={}",
    "--password {} --host x",
    "--api-key={}",
    "CREATE ROLE a LOGIN PASSWORD '{}'",
    "CREATE USER a IDENTIFIED BY '{}'",
    "host=h user=u password='{}' dbname=x",
    "Server=h.example;Database=x;User Id=a;Password={};Encrypt=true",
    "docker login -u bob -p {}",
    "mysql -u root -p{}",
    "curl -u bob:{} https://h.example",
    "sshpass -p {} ssh h.example",
    "connect postgres://app:{}@db.example:5432/x",
    "mongodb+srv://app:{}@db.example/x?y=1",
    "amqp://app:{}@mq.example//",
    "redis://:{}@cache.example:6379/0",
    'dsn="app:{}@tcp(db.example:3306)/x?parseTime=true"',
    "bind failed: dn=cn=admin,dc=example bindpw={}",
    "jdbc:oracle:thin:scott/{}@h.example:1521:x",
    "jdbc:mysql://h.example/db?user=a&password={}&useSSL=false",
    "X-Api-Key: {}",
    "API key: {}",
    "?access_token={} HTTP/1.1",
    'refresh_token":"{}"',
    "token={}",
    "token: {}",
    "the password is {}",
    "Kennwort: {}",
    "пароль: {}",
    "密码={}",
]

CHANCE = [
    "session_id={}",
    "JSESSIONID={}",
    "credentials={}",
    "AccountKey={}==;EndpointSuffix=core.example",
    "https://x.example/c?sv=2020&sig={}%3D&se=x",
    "AWS_SECRET_ACCESS_KEY={}",
    "Authorization: Bearer {}",
    "curl -H 'Authorization: Bearer {}' https://h.example",
    'curl -H "authorization: token {}"',
    '{{"headers":{{"Authorization":"Bearer {}","Accept":"*/*"}}}}',
    '{{"Authorization":["Bearer {}"]}}',
    "{{Authorization=[Bearer {}], Accept=[*/*]}}",
    "[('authorization', 'Bearer {}')]",
    "authorization=Bearer%20{}&x=1",
    "Proxy-Authorization: NTLM {}",
    "Authorization: Custom {}",
    "Authorization: {}",
    "sending bearer {} to upstream",
    "Cookie: theme=dark; sid={}; x=y",
    "Set-Cookie: sid={}; Path=/; HttpOnly; SameSite=Lax",
    '{{"cookie":"a=xyz; sid={}"}}',
    "[(b'cookie', b'sid={}')]",
    '{{"set-cookie":["a=xyz; Path=/","sid={}; Secure"]}}',
]

WHOLE = [
    ACCESS_KEY,
    "gh" + "p_" + MADE_UP[:36],
    "github" + "_pat_" + MADE_UP[:60],
    "gl" + "pat-" + MADE_UP[:20],
    "xo" + "xb-123-456-" + MADE_UP[:20],
    "sk" + "_live_" + MADE_UP[:24],
    "wh" + "sec_" + MADE_UP[:32],
    "AI" + "za" + MADE_UP[:35],
    "GOC" + "SPX-" + MADE_UP[:28],
    "sk" + "-proj-" + MADE_UP[:48],
    "sk" + "-ant-api03-" + MADE_UP[:90],
    "np" + "m_" + MADE_UP[:36],
    "py" + "pi-AgEIcHlwaS5vcmc" + MADE_UP[:80],
    "SG" + "." + MADE_UP[:22] + "." + MADE_UP[:43],
    "SK" + HEX[:32],
    HEX[:32] + "-us" + "12",
    "h" + "f_" + MADE_UP[:34],
    "hv" + "s." + MADE_UP[:60],
    "12345678" + ":AA" + MADE_UP[:33],
    "abc1" + "Q~" + MADE_UP[:34],
    "MIIEvQ" + "IBADANBgkq" + MADE_UP,
    JWT,
    CARD,
    CARD.replace(" ", ""),
    f"{BEGIN}{KEY}-----\nMIIE{MADE_UP}\n{END}{KEY}-----",
    f"{BEGIN}RSA {KEY}-----\\nMIIE{MADE_UP}\\n{END}RSA {KEY}-----\\n",
    f"{BEGIN}PGP {KEY} BLOCK----- lQ{MADE_UP} {END}PGP {KEY} BLOCK-----",
]

READABLE = """
token expired
password incorrect for admin
invalid token: unexpected ','
SyntaxError: Unexpected token: '}'
token=true
token=null
token=none
token=0
token=expired
token=***
password=******
password=[FILTERED]
password=<redacted>
password=${DB_PASSWORD}
Access denied for user 'root'@'192.0.2.7' (using password: YES)
Failed password for invalid user admin from 192.0.2.7 port 22 ssh2
pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh rhost=192.0.2.9
sudo: bob : TTY=pts/0 ; PWD=/home/bob ; USER=root ; COMMAND=/bin/ls
MountVolume.SetUp failed for volume "x" : secret "db-creds" not found
Secret default/my-secret updated secret=default/my-secret
request_id=7f3a9c2e4b1d4e5f8a9b0c1d2e3f4a5b done
trace_id=0af7651916cd43dd8448eb211c80319c span_id=b7ad6b7169203331
commit 9fceb02d0ae598e95dc970b74767f19372d61af8 deployed
session_id=550e8400-e29b-41d4-a716-446655440000 ok
session opened for user root by (uid=0)
Established session 0x14ed93111f20027 with negotiated timeout 10000
authorization failed for user bob
authorization: denied
Authorization: user bob denied
"authorization": "required"
Bearer token expired
Basic auth failed
WWW-Authenticate: Bearer error="invalid_token"
cookie: invalid
max_tokens=4096 total_tokens=812
tokens: 1234
token_type=bearer expires_in=3600
cache_key=users:17:profile
http://192.0.2.1:8080/path?mail=a@b.example
https://h.example/@scope/pkg
bypass=true
12 passed, pass=12
password must be at least 8 characters
password: must not be empty
password is incorrect
auth: user bob logged in
order 4111111111111112 shipped
4716281923716251 bytes
disk-1234567890abcdefghijkl full
task-abcdefghijklmnopqrstuv12
BEGIN CERTIFICATE
missing fields: ["password", "token"]
API key: invalid
passwordFile=/run/secrets/db
token: line 5 column 3
next token is ','
JWT expired at 2031-01-01T00:00:00Z. Current time: 2031-01-01T00:01:00Z
2031-05-06 07:08:09 auth-service token refresh took 12ms
""".strip().split("\n")

HOSTILE = [
    *r"""
    a A 1 4 : = " ' \ / - _ . , ; & % < ( [ { @ eyJ eyJ. eyJa. "password": password password=
    password=a password=" password=\" token= session= session=a session="a auth= sig= :// ://a
    ://a: ://a:b@ ://a:b/ -----BEGIN -----END aws AKIA sk- sk-a1 bearer authorization cookie
    "authorization":" cookie=a a=b; SG. SG.a [SECRET-1] [SECRET- password=[SECRET-1] IBA MIIBA Q~
    a1Q~ -us1 12345678:AA thin:/ <password> <password>a &quot; password&quot; \u0022 %22 password%3d
    İ пароль 密码= pwd=/a glpat- xoxb- password=a,b password=a&b password=a;b password=a%
    \"password\":\" mysql docker password=a\ ?code= 411111111111111
    """.split(),
    *(" ", "\n", "token ", "token: a1b2c3 ", "bearer a ", "Basic dXNlcjpw ", "authorization: x "),
    *('authorization: digest a="b", ', "cookie: a=b; ", "4 ", "4111 1111 1111 1111 "),
    *("curl -u a:b ", "identified by '", "('password', 'a')", "--password a ", "password is "),
    *(f"{BEGIN}{KEY}", f"{BEGIN}{KEY}-----", "\udc80", "mysql a "),
]

FRAGMENTS = [
    *("password", "token", "secret", "api_key", "session", "auth", "Authorization", "cookie"),
    *("set-cookie", "bearer", "basic", "otp", "pwd", "=", ": ", ":", '"', "'", '\\"', '\\\\\\"'),
    *("\\", " ", ",", ";", "&", "{", "}", "[", "]", "(", ")", "<", ">", "%3d", "%22", "&quot;"),
    *("\\u0022", "\\n", "://", "@", "/", "user", "a1b2c3d4e5f6", "hunter2", "expired", "***"),
    *("[SECRET-1]", "[SECRET-2]", "[SECRET-", "1]", "eyJ", ".", "eyJhbGciOiJub25lIn0"),
    *("-----BEGIN RSA ", "PRIVATE KEY-----", "-----END ", "sk-", "AKIA", "EXAMPLEEXAMPLE12"),
    *(
        "4111 1111 1111 1111",
        "--password ",
        "<password>",
        "é",
        "İ",
        "\udc80",
        "密码",
        "=>",
        "Some(",
    ),
    *("is ", "curl -u ", "IDENTIFIED BY ", "Path", "xoxb-", "123456789012"),
]
lines = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join) | st.text(max_size=80)


@pytest.mark.parametrize("form", NAMED)
def test_a_value_that_its_name_gives_away_does_not_leave(form: str) -> None:
    """In every form in which logs write names and values; what stands around it is kept."""
    line = form.format(WORD)
    assert redact(line).text == form.format("[SECRET-1]")


@pytest.mark.parametrize("form", CHANCE)
def test_credentials_and_cookies_do_not_leave(form: str) -> None:
    """Nor what only looks made by chance, under a name that need not be a secret's."""
    secret = MADE_UP[:40]
    redacted = redact(form.format(secret))
    assert secret not in redacted.text
    assert redacted.restore(redacted.text) == form.format(secret)


@pytest.mark.parametrize("secret", WHOLE)
@pytest.mark.parametrize(
    "form", ["{}", "got {} from bob", '{{"k":"{}"}}', "a\\n{}\\nb", "k=%22{}%22"]
)
def test_what_has_the_shape_of_a_key_does_not_leave(secret: str, form: str) -> None:
    """By its own shape, without a name beside it."""
    redacted = redact(form.format(secret))
    assert all(
        part not in redacted.text for part in re.split(r"\s|\\n|-{5}[A-Z ]+-{5}", secret) if part
    )
    assert redacted.restore(redacted.text) == form.format(secret)


@pytest.mark.parametrize(
    "line",
    [
        f"id {ACCESS_KEY} and {ACCESS_SECRET}",
        f'Authorization: Digest username="bob", realm="r", response="{HEX}"',
        f"Authorization: AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/x, Signature={HEX}",
        f"Authorization: Basic {BASIC}",
        rf'{{"msg":"{{\"authorization\":\"Basic {BASIC}\"}}"}}',
        f'["authorization","Basic {BASIC}"]',
        f"https://hooks.slack.com/services/T0/B0/{HEX}",
        f"{BEGIN}EC {KEY}-----\\n{HEX}",
    ],
)
def test_what_belongs_to_a_secret_goes_with_it(line: str) -> None:
    """A key's other half, a digest's response, a private key whose end was cut off."""
    redacted = redact(line)
    assert not any(part in redacted.text for part in (ACCESS_KEY, ACCESS_SECRET, HEX, BASIC))
    assert redacted.restore(redacted.text) == line


@pytest.mark.parametrize("value", ["12345678", '"a b \\"c\\" d"', '"p@ss,w;rd&x"', "p@ss,w0rd"])
def test_a_password_may_look_like_anything(value: str) -> None:
    """Numbers, spaces, escaped quotes and separators belong to it."""
    redacted = redact(f'{{"password":{value},"user":"bob"}}')
    assert (
        redacted.text.replace('"[SECRET-1]"', "[SECRET-1]")
        == '{"password":[SECRET-1],"user":"bob"}'
    )


@pytest.mark.parametrize("secret", ["p@ss/w0rd", "a:b", "p%40ss", "p#ss", "p?ss"])
def test_a_password_in_an_address_may_be_unescaped(secret: str) -> None:
    """The host comes after the last @."""
    assert redact(f"postgres://app:{secret}@db.example/x").text == (
        "postgres://app:[SECRET-1]@db.example/x"
    )


@pytest.mark.parametrize("line", READABLE)
def test_what_a_log_line_is_about_stays_readable(line: str) -> None:
    """Words about secrets, ids, hashes and names of things are none."""
    assert redact(line).text == line


def test_the_same_secret_has_the_same_placeholder() -> None:
    """And different ones have different ones, in the order in which they occur."""
    line = f"password={WORD} token={MADE_UP[:20]} passwd={WORD}"
    assert redact(line).text == "password=[SECRET-1] token=[SECRET-2] passwd=[SECRET-1]"


def test_a_secret_is_hidden_wherever_it_occurs() -> None:
    """Also where nothing beside it tells of it."""
    assert redact(f"password={WORD} rejected: x{WORD}y").text == (
        "password=[SECRET-1] rejected: x[SECRET-1]y"
    )


def test_a_short_secret_does_not_take_words_with_it() -> None:
    """The password is root, and root is also a user."""
    assert redact("user=root password=root").text == "user=root password=[SECRET-1]"


def test_a_placeholder_in_the_line_is_not_taken_for_one_of_ours() -> None:
    """Someone wrote it there, and a quote of it stays as it is."""
    redacted = redact(f"saw [SECRET-1] password={WORD}")
    assert redacted.text == "saw [SECRET-1] password=[SECRET-2]"
    assert redacted.restore("[SECRET-1]") == "[SECRET-1]"


def test_a_quote_over_several_placeholders_is_mapped_back() -> None:
    """To the bytes of the line, however many it spans."""
    line = f"a password={WORD} b token={MADE_UP[:20]} c"
    redacted = redact(line)
    assert redacted.restore("password=[SECRET-1] b token=[SECRET-2] c") == line[2:]


def test_a_placeholder_that_was_cut_stays_as_it_is() -> None:
    """Half a placeholder stands for nothing."""
    redacted = redact(f"password={WORD}")
    assert redacted.restore("password=[SECRET-1") == "password=[SECRET-1"
    assert redacted.restore("[SECRET-7]") == "[SECRET-7]"


def test_placeholders_without_end_are_not_written_out() -> None:
    """What would be longer than the line is no quote of it, and could fill the memory."""
    redacted = redact(f"password={WORD * 4_000}")
    quote = "[SECRET-1]" * 100_000
    assert redacted.restore(quote) == quote
    assert redacted.restore("[SECRET-1]") == WORD * 4_000


def test_a_redacted_text_does_not_show_its_secrets() -> None:
    """Not in a log or a traceback either."""
    redacted = redact(f"password={WORD}")
    assert WORD not in repr(redacted)
    assert len(redacted) == 1


def test_bytes_that_are_no_text_survive() -> None:
    """Lone surrogates stand for them, within a secret and beside it."""
    line = "\udc80 password=\udcffabc\udc81 \udcfe"
    redacted = redact(line)
    assert redacted.text == "\udc80 password=[SECRET-1] \udcfe"
    assert redacted.restore(redacted.text) == line


def test_a_line_of_nothing_but_secrets_is_withheld() -> None:
    """Nothing of it leaves, and it is still known here."""
    line = " ".join(f"password=made-up-{number}" for number in range(100))
    redacted = redact(line)
    assert redacted.text == "[SECRET-1]"
    assert redacted.restore(redacted.text) == line


@given(lines)
@settings(max_examples=400)
def test_what_is_redacted_can_be_restored(line: str) -> None:
    """Byte for byte, whatever the line."""
    redacted = redact(line)
    assert redacted.restore(redacted.text) == line


@given(lines)
@settings(max_examples=400)
def test_redacting_again_changes_nothing(line: str) -> None:
    """What has left once can be shown to have no more in it that would be hidden."""
    once = redact(line).text
    assert redact(once).text == once


@given(lines, st.data())
@settings(max_examples=300)
def test_a_quote_of_what_left_is_a_quote_of_the_line(line: str, data: st.DataObject) -> None:
    """Any slice that cuts no placeholder."""
    redacted = redact(line)
    parts = re.split(f"({PLACEHOLDER.pattern})", redacted.text)
    atoms = [a for i, part in enumerate(parts) for a in ([part] if i % 2 else part)]
    start = data.draw(st.integers(0, len(atoms)))
    end = data.draw(st.integers(start, len(atoms)))
    assert redacted.restore("".join(atoms[start:end])) in line


@given(
    st.sampled_from([*NAMED, *CHANCE]),
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=16, max_size=40),
    st.text("0123456789", min_size=4, max_size=20),
    lines,
)
@settings(max_examples=400)
def test_no_secret_is_left_in_what_leaves(form: str, letters: str, digits: str, tail: str) -> None:
    """Any value, in any form, whatever follows it in the line."""
    secret = letters + digits
    assert secret not in redact(form.format(secret) + " " + tail + " " + secret).text


@pytest.mark.parametrize("pattern", HOSTILE)
def test_no_line_takes_long(pattern: str) -> None:
    """64 KiB of one thing; far above the time it needs, far below that of a search gone astray."""
    line = (pattern * (65_536 // len(pattern) + 1))[:65_536]
    began = time.process_time()
    redacted = redact(line)
    assert time.process_time() - began < 0.5
    assert redacted.restore(redacted.text) == line
