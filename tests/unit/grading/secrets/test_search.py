from __future__ import annotations

import base64
import random
import string

import pytest

from logdocket.grading.secrets import Search

CHANCE = random.Random(20260102)


def drawn(length: int, letters: str = string.ascii_letters + string.digits) -> str:
    """So many characters by chance: nobody's key, and no two alike."""
    return "".join(CHANCE.choices(letters, k=length - 1)) + "7"


def armour(kind: str, body: str) -> str:
    """A private key as files hold it."""
    return f"-----BEGIN {kind} PRIVATE KEY-----\n{body}\n-----END {kind} PRIVATE KEY-----\n"


def jwt() -> str:
    """A token with a head, claims and a signature."""
    parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"web-1","iat":1767366245}')
    encoded = [base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts]
    return ".".join([*encoded, drawn(43)])


def found(path: str, text: str) -> list[str]:
    """The kinds of what is found in ``text`` at ``path``."""
    search = Search()
    search.through(path, text.encode())
    return [leak.kind for leak in search.leaks]


KEYS = {
    "anthropic": "sk-" + "ant-api03-" + drawn(80),
    "openai of a project": "sk-" + "proj-" + drawn(48),
    "openai of old": "sk-" + drawn(48),
    "google": "AI" + "za" + drawn(35),
    "groq": "gsk" + "_" + drawn(52),
    "hugging face": "hf" + "_" + drawn(34),
    "github": "gh" + "p_" + drawn(36),
    "github, fine": "github" + "_pat_" + drawn(60),
    "gitlab": "gl" + "pat-" + drawn(20),
    "aws": "AK" + "IA" + drawn(16, string.ascii_uppercase + string.digits),
    "stripe": "sk_" + "live_" + drawn(24),
    "sendgrid": "SG" + "." + drawn(22) + "." + drawn(43),
    "slack": "xo" + "xb-" + "482915730264-" + drawn(24),
    "jwt": jwt(),
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app.py", 'client = connect("{}")\n'),
        (".env", "SOMETHING={}\n"),
        ("README.md", "Run it with `{}`.\n"),
        ("tests/test_app.py", "    call('{}')\n"),
        ("fixtures/lines.jsonl", '{{"line": "api: {} refused"}}\n'),
    ],
)
def test_a_key_of_a_known_format_is_found_wherever_it_stands(
    path: str, text: str, key: str
) -> None:
    """Its format is enough: no name has to say so."""
    assert len(found(path, text.format(key))) == 1


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".env", "MODEL_KEY={}\n"),
        (".env", "export MODEL_KEY='{}'\n"),
        ("deploy.env.yaml", "  api_key: {}\n"),
        ("config.toml", 'client_secret = "{}"\n'),
        ("Dockerfile", "ENV MODEL_KEY {}\n"),
        ("Makefile", "serve:\n\tMODEL_KEY={} ./serve\n"),
        ("app.py", 'API_KEY = "{}"\n'),
        ("app.py", 'key = os.environ.get("MODEL_KEY", "{}")\n'),
        ("app.js", "const apiKey = '{}';\n"),
        ("main.go", 'modelKey := "{}"\n'),
        ("src/Main.java", 'String dbPassword = "{}";\n'),
        ("config.json", '{{"accessToken": "{}"}}\n'),
        ("README.md", 'export MODEL_KEY="{}"\n'),
        ("run.sh", 'curl -H "Authorization: Bearer {}" localhost\n'),
        ("app.rb", "get('https://model.example/v1?api_key={}')\n"),
    ],
)
def test_a_value_by_chance_under_a_secrets_name_is_found(path: str, text: str) -> None:
    """Whatever the language; some vendors' keys have no format."""
    assert found(path, text.format(drawn(40))) == ["Assigned Secret"]


def test_a_password_in_an_address_is_found() -> None:
    """Where it is one that somebody could use."""
    address = "postgres:" + "//app:" + drawn(14) + "@db.example/tickets"
    assert found("app.py", f'DSN = "{address}"\n') == ["Basic Auth Credentials"]
    assert found("app.py", 'DSN = "postgres://app:app@db.example/tickets"\n') == []


@pytest.mark.parametrize("kind", ["RSA", "EC", "OPENSSH"])
def test_a_private_key_is_found_by_its_body(kind: str) -> None:
    """A heading alone is what programs that look for keys are full of."""
    assert found("id.pem", armour(kind, drawn(64) + "\n" + drawn(64))) == ["Private Key"]
    assert found("app.py", f'HEAD = "-----BEGIN {kind} PRIVATE KEY-----"\n') == []


NOTHING = {
    "test key": ("Makefile", "test:\n\tMODEL_KEY=test-key-12345 pytest\n"),
    "dummy": (".env.example", "MODEL_KEY=dummy-key-0a1b2c3d\n"),
    "yours": (".env.example", "MODEL_KEY=sk-your-key-here-1234567890abcdef\n"),
    "change me": ("config.yaml", "api_key: changeme123456789\n"),
    "masked": ("README.md", "MODEL_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"),
    "in order": ("tests/test_a.py", 'KEY = "sk-abcdefghijklmnopqrstuvwxyz123456"\n'),
    "of documentation": ("README.md", "AKIAIOSFODNN7EXAMPLE\n"),
    "environment": ("app.py", 'API_KEY = os.environ["MODEL_KEY_2"]\n'),
    "variable": ("compose.yaml", "  MODEL_KEY: ${MODEL_KEY_FROM_HOST1}\n"),
    "javascript": ("app.js", "const apiKey = process.env.MODEL_KEY2;\n"),
    "words": ("app.py", 'PASSWORD = "correct-horse-battery"\n'),
    "field name": ("app.py", 'secret_name = "model_key_v2_of_answer"\n'),
    "path": ("app.ini", "private_key=/run/keys/model1.pem\n"),
    "digest": ("app.py", f'API_KEY_HASH = "{drawn(64, "0123456789abcdef")}"\n'),
    "digest as key": ("ledger.jsonl", f'{{"access_key": "{drawn(64, "0123456789abcdef")}"}}\n'),
    "cache key": ("tests/test_a.py", f'cache_key = "{drawn(40)}"\n'),
    "commit": ("README.md", f"secret at {drawn(40, '0123456789abcdef')}\n"),
    "uuid": ("app.py", 'client_secret = "8f14e45f-ceea-467f-a0e6-b7a19c2f51d7"\n'),
    "chance without a name": ("fixtures/a.json", f'{{"trace": "{drawn(40)}"}}\n'),
    "integrity": ("package-lock.json", f'"integrity": "sha512-{drawn(86)}=="\n'),
    "hashes": ("requirements.lock", f"a==1 --hash=sha256:{drawn(64, '0123456789abcdef')}\n"),
    "sums": ("go.sum", f"a.example/b v1.0.0 h1:{drawn(43)}=\n"),
    "call": ("app.py", 'token = secrets_client.fetch("model", 3)\n'),
    "type": ("app.ts", "  apiKey: string1_of_config;\n"),
    "bases": ("data.py", 'SEQUENCE = "ACCAACAAAGATCGGTAGAG"\n'),
    "bearer of a variable": ("run.sh", 'curl -H "Authorization: Bearer $MODEL_KEY_1" localhost\n'),
    "bearer in words": ("README.md", "The bearer authentication-scheme-of-2012 is used.\n"),
    "query of a variable": ("app.js", "fetch(`https://model.example?key=${modelKey1234567}`)\n"),
    "a short one in a test": ("tests/test_a.py", 'token="k3yF0rT3sts!"\n'),
    "tokens": ("ledger.yaml", "max_tokens: 4096abcdef123\n"),
}


@pytest.mark.parametrize(("path", "text"), NOTHING.values(), ids=NOTHING)
def test_what_stands_for_a_secret_is_none(path: str, text: str) -> None:
    """An honest answer is full of such: placeholders, digests, names, references."""
    assert found(path, text) == []


def test_a_secret_is_told_once() -> None:
    """At the first place where it was met, with its line."""
    key = KEYS["anthropic"]
    search = Search()
    search.through("app.py", f'\n\nAPI_KEY = "{key}"\n'.encode())
    search.through("old.py", f'API_KEY = "{key}"\n'.encode(), past=True)
    assert [leak.said for leak in search.leaks] == ["app.py:3 (Model API Key)"]


def test_its_value_is_never_told() -> None:
    """Neither in the leak nor in how it shows itself."""
    key = KEYS["github"]
    search = Search()
    search.through("app.py", f"call('{key}')\n".encode(), past=True)
    assert key not in repr(search.leaks)
    assert search.leaks[0].said == "app.py:1 (GitHub Token, in the history alone)"


def test_a_line_is_judged_by_the_file_that_holds_it() -> None:
    """A line that means nothing in prose may be a secret in settings."""
    line = f"MODEL_KEY={drawn(30)}\n"
    search = Search()
    search.through("notes.txt", line.encode())
    assert search.leaks == []
    search.through(".env", line.encode())
    assert [leak.path for leak in search.leaks] == [".env"]


def test_a_secret_within_a_line_without_end_is_found() -> None:
    """Programs that were packed into one line are searched piece by piece."""
    padding = "var a=1;" * 700
    assert found("app.min.js", f"{padding}'{KEYS['openai of old']}'{padding}") == ["Model API Key"]


def test_what_is_no_text_is_passed_over() -> None:
    """As git does."""
    search = Search()
    search.through("data", b"\0" + KEYS["github"].encode())
    search.through("latin", b"\xe9\xff " + KEYS["github"].encode())
    assert [leak.path for leak in search.leaks] == ["latin"]
