"""What is taken for a secret and what never is: tables to extend by a line.

A row is wrong in one of two ways. A secret that is missed leaves the machine. A word that is taken
for a secret is only hidden from the model, and stands again in what it quotes. So the rows lean
towards hiding, except for the words that make a log line worth reading.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

PLACEHOLDER: Final = re.compile(r"\[SECRET-[1-9][0-9]{0,8}\]")
"""What stands in a redacted text for a secret."""

# Keys ---------------------------------------------------------------------------------------------

STRONG: Final = [
    r"passw(?:or)?d|passwd|passphrase|passcode|pwd|(?:admin|bind|db|root|user)_?pw",
    r"secret",
    r"(?:access|account|api|app|auth|client|consumer|deploy|encryption|hmac|license|master|private"
    r"|secret|service|shared|signing|ssh|storage|subscription)[-_. ]?(?:access[-_. ]?)?key",
    r"passwort|kennwort|contrase(?:ñ|n)a|senha|mot[-_ ]?de[-_ ]?passe",
    r"пароль|密码|密碼|パスワード|비밀번호",
]
"""Lower-case ends of names whose value is a secret, whatever it looks like."""

STRONG_WORDS: Final = ["otp|cvv|cvc"]
"""The same, but only as words of their own: ``one_otp``, ``oneOtp``, and not ``potp``."""

MIDDLING: Final = ["token|jwt|bearer", "assertion|verifier"]
"""As the strong ones, but a short number is a count and no secret."""

MIDDLING_WORDS: Final = ["pass|pw|csrf|xsrf|mnemonic"]

WEAK: Final = [
    r"j?sess(?:ion)?(?:[-_. ]?id)?|connect\.sid|phpsessid",
    r"credentials?|creds?",
    r"cookie|salt|nonce",
    r"signature|access[-_]?key[-_]?id",
    r"(?<=[?&])code",
]
"""As the strong ones, but only where the value looks made by chance."""

WEAK_WORDS: Final = ["auth|sig"]

AFTER: Final = (
    r"(?:s|[-_.]?(?:again|b64|base64|confirm|confirmation|current|hash|new|old|plain|raw|text|value"
    r"|[0-9]{1,2}))?"
)
"""What may follow such an end and leave the name that of a secret."""

HINTS: Final = (
    *("pass", "pwd", "secret", "key", "token", "jwt", "bearer", "otp", "cv", "pw", "srf", "sess"),
    *("mnemonic", "assertion", "verifier", "cred", "auth", "cookie", "salt", "sig", "code"),
    *("nonce", "connect.sid", "kennwort", "contrase", "senha", "mot", "пароль", "密"),
    *("パスワード", "비밀번호"),
)
"""Where none of these occurs no key above can."""

# Values -------------------------------------------------------------------------------------------

NOT_SECRET: Final = frozenset(
    """
    absent accepted bad basic bearer blank cannot changed check correct default denied deprecated
    disabled does don't empty enabled error expired expires fail failed failure false filtered for
    found given has hidden illegal in incorrect invalid is it just length malformed masked mismatch
    missing must n/a na never nil no none not null of ok okay omitted on off optional or present
    provided redacted refused rejected removed required reset revoked sanitized secret set should
    still stripped success supplied the to too true type undefined unexpected unknown unset unused
    updated valid verified wants was were will with without wrong yes you your
    array boolean bytes expected int object optional[str] password str string token
    """.split()
)
"""Lower-case words that stand where a secret would, and say that it is not there, or how it is."""

MASK: Final = frozenset("*•●∙·.…xX#-_? ")
"""A value of these alone has been masked already."""

SCHEMES: Final = frozenset(
    """
    api-key apikey aws aws4-hmac-sha256 basic bearer digest dpop genericapikey geniekey googlelogin
    hawk hmac hmac-sha256 jwt key mac negotiate ntlm oauth private-token sharedaccesssignature
    sharedkey sharedkeylite signature splunk sso-key ssws token vapid
    """.split()
)
"""Lower-case words before the credentials of an Authorization header, by IANA and by vendors."""

COOKIE_ATTRIBUTES: Final = frozenset(
    """
    comment domain expires httponly max-age partitioned path priority samesite secure version
    """.split()
)
"""What beside the cookie itself stands in Set-Cookie (RFC 6265 and its drafts)."""

# Shapes -------------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """Secrets that begin with a fixed ``prefix``; ``tail`` matches what follows it.

    ``chance``: the tail must hold a digit, since words and names begin with the prefix too.
    ``keep``: the prefix is a name that stays readable.
    """

    prefix: str
    tail: re.Pattern[str]
    chance: bool = False
    keep: bool = False


_WORD: Final = r"[\w-]"
_DER: Final = "[A-Za-z0-9+/=]{24,}+"


def _shapes(prefixes: str, tail: str, chance: bool = False, keep: bool = False) -> list[Shape]:
    pattern = re.compile(tail, re.ASCII)
    return [Shape(prefix, pattern, chance, keep) for prefix in prefixes.split()]


SHAPES: Final[list[Shape]] = [
    # A JSON object in base64: the head of a JWT or JWE, a Docker login, a signed session.
    *_shapes("eyJ", r"[\w+/=%-]{16,}+(?:\.[\w+/=%-]*+){0,4}"),
    # Cloud providers.
    *_shapes("AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
    *_shapes("AIza", rf"{_WORD}{{30,}}+"),
    *_shapes("ya29. GOCSPX- 1//0", r"[\w.-]{16,}+"),
    *_shapes("LTAI", r"[A-Za-z0-9]{12,26}+(?![A-Za-z0-9])", chance=True),
    *_shapes("dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{32,}+"),
    *_shapes("dapi", r"[a-f0-9]{32}"),
    *_shapes("hvs. hvb. hvr.", rf"{_WORD}{{20,}}+"),
    # Forges and registries.
    *_shapes("ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"\w{20,}+"),
    *_shapes(
        "glpat- gldt- glft- glsoat- glrt- glrtr- glcbt- glptt- glagent- gloas- glimt- glffct- "
        "GR1348941",
        r"[\w.-]{16,}+",
    ),
    *_shapes("npm_", r"[A-Za-z0-9]{30,}+"),
    *_shapes("pypi-Ag", rf"{_WORD}{{40,}}+"),
    *_shapes("rubygems_ dckr_pat_ dckr_oat_ CCIPAT_", rf"{_WORD}{{20,}}+", chance=True),
    *_shapes("ATATT3 ATCTT3 ATBB AKCp", r"[\w=-]{20,}+"),
    *_shapes("sbp_ sb_secret_ nfp_ lin_api_ ntn_ pscale_tkn_ pscale_pw_", r"[\w.-]{20,}+"),
    # Talk and mail.
    *_shapes("xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-", r"[\w.%-]{10,}+"),
    *_shapes("hooks.slack.com/services/", r"[\w/]{16,}+", keep=True),
    *_shapes("discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"[\w/-]{30,}+", keep=True),
    *_shapes("webhook.office.com/webhookb2/", r"[\w@/-]{30,}+", keep=True),
    *_shapes("SG.", r"[\w-]{16,}+\.[\w-]{16,}+"),
    *_shapes("SK", r"[a-f0-9]{32}(?![A-Za-z0-9])"),
    *_shapes("key-", r"[a-z0-9]{32}(?![A-Za-z0-9])", chance=True),
    *_shapes("xkeysib-", rf"{_WORD}{{30,}}+"),
    # Money.
    *_shapes("sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[A-Za-z0-9+/=]{16,}+"),
    *_shapes("sq0atp- sq0csp- EAAA", rf"{_WORD}{{20,}}+", chance=True),
    *_shapes("shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{30,}+"),
    # Models.
    *_shapes("sk-", rf"{_WORD}{{20,}}+", chance=True),
    *_shapes("gsk_ hf_ r8_ xai- pplx- fw_ nvapi-", rf"{_WORD}{{24,}}+", chance=True),
    # Watching.
    *_shapes("glsa_ glc_ NRAK- NRJS- sntrys_ sntryu_ PMAK- dp.pt. dp.st.", r"[\w+/=.-]{20,}+"),
    # Keys.
    *_shapes("AGE-SECRET-KEY-1", r"[A-Z0-9]{20,}+"),
    *_shapes("b3BlbnNzaC1rZXktdjE", r"[A-Za-z0-9+/=]*+"),
]
"""By the vendors' own documentation of their keys. Lengths are lower bounds, for keys grow."""

BEGINNING: Final = r"(?:(?<![\w+./-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\u00[0-9a-f]{2}))"
"""Where a word begins, also after an escape of JSON or a URL, which ends in letters and digits."""

PATTERNS: Final[list[tuple[str, re.Pattern[str]]]] = [
    # Telegram: the bot's number, a colon, 35 characters that begin with AA.
    (":AA", re.compile(r"(?<![0-9])[0-9]{8,10}(:AA[\w-]{30,}+)")),
    # Mailchimp: 32 hexadecimal digits and a data centre.
    ("-us", re.compile(rf"{BEGINNING}([a-f0-9]{{32}})-us[0-9]{{1,2}}")),
    # Azure, an application's secret: 3 characters, a digit, Q~.
    ("Q~", re.compile(r"([\w~.-]{3}[0-9]Q~[\w~.-]{30,}+)")),
    # DER of a private key in base64: a sequence that begins with version 0 or 1.
    ("IBA", re.compile(rf"{BEGINNING}(M[A-Za-z0-9+/]{{3,5}}IBA[AD]{_DER})")),
    ("CAQ", re.compile(rf"{BEGINNING}(M[A-Za-z0-9+/]{{2,4}}CAQ[EA]{_DER})")),
    ("AgEA", re.compile(rf"{BEGINNING}(MI[A-Za-z0-9+/]{{2}}AgEA{_DER})")),
    # Oracle's user/password@host.
    ("thin:", re.compile(r"thin:[\w.$-]{0,64}/([^@\s/]{1,128})@")),
    # The Go driver's user:password@tcp(host).
    ("@tcp(", re.compile(r"(?<![\w.-])[\w.-]{1,64}+:([^\s\"'@]{1,128}+)@tcp\(")),
    ("@unix(", re.compile(r"(?<![\w.-])[\w.-]{1,64}+:([^\s\"'@]{1,128}+)@unix\(")),
    # What comes as an argument: curl -u user:password, sshpass -p password.
    ("curl", re.compile(r"(?:-u|--user)[ =]{1,4}[\"']?[^\s:\"']{0,64}:([^\s\"']{1,256}+)")),
    ("sshpass", re.compile(r"sshpass[ \t]{1,4}-p[ \t]{0,4}[\"']?([^\s\"']{1,256}+)")),
    ("docker", re.compile(r"docker login\b[^|;&]{0,60}? -p[ =]?([^\s\"']{1,256}+)")),
    ("mysql", re.compile(r"\bmysql[a-z]{0,8}\b[^|;&]{0,60}? -p([^\s\"']{1,256}+)")),
    ("AUTH ", re.compile(r"\bAUTH (?:PLAIN|LOGIN|XOAUTH2) ([A-Za-z0-9+/=]{6,}+)")),
    # SQL.
    ("dentified", re.compile(r"(?i:identified by (?:password )?)'((?:[^'\\]|\\.|''){1,256}+)")),
    ("DENTIFIED", re.compile(r"(?i:identified by (?:password )?)'((?:[^'\\]|\\.|''){1,256}+)")),
]
"""A text without which there is none, and the pattern; its group 1 is the secret."""
