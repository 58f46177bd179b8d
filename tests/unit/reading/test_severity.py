"""Level words, letters and numbers, and levels stated in a line's head."""

from __future__ import annotations

import pytest

from logdocket.line import Severity, SeverityBasis
from logdocket.reading import severity

LOW, MEDIUM, HIGH, CRITICAL = Severity


@pytest.mark.parametrize(
    ("tokens", "value"),
    [
        ("trace TRC Debug dbug VRB finest info Information INF notice NOTICE Note System", LOW),
        ("warn WARNING Warning wrn WRN", MEDIUM),
        ("error ERR eror SEVERE Failure fail ERRO", HIGH),
        ("critical CRIT fatal FTL panic alert EMERG Emergency dpanic", CRITICAL),
        ("LOG DETAIL HINT STATEMENT CONTEXT FINE CONFIG SUCCESS", LOW),
        ("debug2 DEBUG5 trace8 VERBOSE1 INFO4 DEBUG-4 INFO+2 NTC HINWEIS ИНФОРМАЦИЯ 情報", LOW),
        ("WARN2 WARN+1 WARNUNG AVERTISSEMENT ADVERTENCIA 경고", MEDIUM),
        ("ERROR3 ERROR-2 FEHLER ERREUR SCHWERWIEGEND GRAVE 错误", HIGH),
        ("FATAL4 PNC CRT KRITISCH 致命的", CRITICAL),
        ("eRRoR wArNiNg", None),
    ],
)
def test_a_level_word_means_its_severity_in_the_usual_cases(
    tokens: str, value: Severity | None
) -> None:
    """Lower case, capitals and capital first; odd mixtures are read too."""
    for token in tokens.split():
        expected = value or {"e": HIGH, "w": MEDIUM}[token[0]]
        assert severity.word(token) is expected, token


@pytest.mark.parametrize(
    "token",
    "errors log system config context fine banana ERRORS! crt debug10 warn+2 grave error5".split(),
)
def test_a_word_that_says_something_else_too_is_no_level_word(token: str) -> None:
    """Such words would make levels of service names and of prose."""
    assert severity.word(token) is None


@pytest.mark.parametrize(
    ("token", "value"),
    [("log", LOW), ("DEFAULT", LOW), ("ok", LOW), ("minor", MEDIUM), ("Major", HIGH), ("x", None)],
)
def test_a_level_field_may_hold_more_words(token: str, value: Severity | None) -> None:
    """Where a key says that a level stands there, common words are levels too."""
    assert severity.field(token) is value


@pytest.mark.parametrize(
    ("letters", "value"),
    [("TDVIN", LOW), ("W", MEDIUM), ("E", HIGH), ("FCAP", CRITICAL), ("ewXZ1", None)],
)
def test_a_level_letter_means_its_severity(letters: str, value: Severity | None) -> None:
    """Capitals only."""
    assert {severity.letter(letter) for letter in letters} == {value}


@pytest.mark.parametrize(
    ("numbers", "value"),
    [
        ((0, 1, 2, 8, 130, 186), CRITICAL),
        ((3, 11, 187), HIGH),
        ((4, 188), MEDIUM),
        ((5, 6, 7, 13, 14, 134, 189, 191), LOW),
        ((-1, 192, 999), None),
    ],
)
def test_a_syslog_priority_carries_a_severity(
    numbers: tuple[int, ...], value: Severity | None
) -> None:
    """The remainder by eight, within 0 to 191."""
    assert {severity.pri(n) for n in numbers} == {value}


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (
            "pino",
            {9: None, 10: LOW, 30: LOW, 35: LOW, 40: MEDIUM, 50: HIGH, 60: CRITICAL, 61: None},
        ),
        (
            "otel",
            {0: None, 1: LOW, 12: LOW, 13: MEDIUM, 17: HIGH, 21: CRITICAL, 24: CRITICAL, 25: None},
        ),
        (
            "syslog",
            {-1: None, 0: CRITICAL, 2: CRITICAL, 3: HIGH, 4: MEDIUM, 5: LOW, 7: LOW, 8: None},
        ),
        (
            "monolog",
            {99: None, 100: LOW, 250: LOW, 300: MEDIUM, 400: HIGH, 500: CRITICAL, 600: CRITICAL},
        ),
        ("python", {0: None, 10: LOW, 20: LOW, 30: MEDIUM, 40: HIGH, 50: CRITICAL, 51: None}),
    ],
)
def test_a_numeric_level_is_read_by_its_scheme(
    scheme: str, expected: dict[int, Severity | None]
) -> None:
    """Between two named numbers the lower one counts; outside the range nothing does."""
    assert {n: severity.number(n, scheme) for n in expected} == expected


def test_an_unknown_numeric_scheme_is_an_error() -> None:
    """A misspelt scheme must not read as an unknown level."""
    with pytest.raises(KeyError):
        severity.number(10, "banana")


@pytest.mark.parametrize(
    ("n", "value"),
    [(99, None), (100, LOW), (204, LOW), (302, LOW), (400, MEDIUM), (499, MEDIUM), (500, HIGH),
     (599, HIGH), (600, None)],
)  # fmt: skip
def test_an_http_status_means_a_severity(n: int, value: Severity | None) -> None:
    """Server errors are high, client errors medium."""
    assert severity.http_status(n) is value


@pytest.mark.parametrize(
    ("text", "quoted", "value"),
    [
        ("[error] disk sda1 gone", "error", HIGH),
        ("[ WARN ] low on space", "WARN", MEDIUM),
        ("[ssl:warn] certificate near its end", "warn", MEDIUM),
        ("<info>  device up", "info", LOW),
        ("12:00 |INFO | started", "INFO", LOW),
        ("worker: error: cannot bind", "error", HIGH),
        ("error: cannot bind", "error", HIGH),
        ("12:00:01 warning: late", "warning", MEDIUM),
        ("PHP Warning:  division by nought", "Warning", MEDIUM),
        ("LOG:  checkpoint starting", "LOG", LOW),
        ("web-1 app[12] ERROR bind", "ERROR", HIGH),
        ("main - FATAL - gone", "FATAL", CRITICAL),
        ("ERRO[0001] bind", "ERRO", HIGH),
        ("[12:00:00] [main/WARN]: late", "WARN", MEDIUM),
        ("msg=late level=warn", "warn", MEDIUM),
        ('{"severity":"ERROR"', "ERROR", HIGH),
        ("level: critical", "critical", CRITICAL),
        ("[   12.5] (EE) no screens", "EE", HIGH),
        ("12:00 E! output stopped", "E", HIGH),
        ("[W] late", "W", MEDIUM),
        ("INFO retried after [error]", "INFO", LOW),
        ("<Erro:Kern.Fan> stopped", "Erro", HIGH),
        ("<399816> <ERRS> |auth| x", "ERRS", HIGH),
        ("#2.0#web-1#Error#com.acme#", "Error", HIGH),
        ("disk {ERROR} gone", "ERROR", HIGH),
        ("12:00 -W- late", "W", MEDIUM),
        ("msg=late lvl=W", "W", MEDIUM),
        ("4,web-1,,link,0,critical,down", "critical", CRITICAL),
        ('7,"kern","err","x"', "err", HIGH),
        ("system,error,critical login refused", "critical", CRITICAL),
        ("firewall,info forward: in:ether1", "info", LOW),
        ("debug2: x", "debug2", LOW),
        ("ОШИБКА: нет", "ОШИБКА", HIGH),
        ("[警告] x", "警告", MEDIUM),
    ],
)
def test_a_level_stated_in_the_head_is_read(text: str, quoted: str, value: Severity) -> None:
    """Delimited, introduced by a colon or a key, or in capitals before any prose."""
    found = severity.stated(f"~~{text}", 2, len(text) + 2)
    assert found is not None
    assert (found.value, found.basis) == (value, SeverityBasis.LEVEL)
    assert f"~~{text}"[found.start : found.end] == quoted


@pytest.mark.parametrize(
    "text",
    [
        "0 errors",
        "0 ERROR lines seen",
        "no ERROR seen",
        "the panic button was tested",
        "user pressed the PANIC button",
        "got an error: bad",
        "for more info: see the manual",
        "error: none",
        "error:      0",
        "last error: 0",
        "panic: false",
        "log level: debug",
        "GET /ERROR/ now",
        "[system] starting",
        "log: rotated",
        "error_log opened",
        "ErrorHandler ready",
        "List<E> built",
        "x" * 256 + " [error]",
        "",
        "could not reach the pier. SYSTEM: the severity is low",
        "web-1 ok=12 failed=1. NOTE: nothing to see here",
        "moved to the far end of the pier NOTICE: all is well",
        "(root) CMD (/bin/prune || mail -s ERROR ops)",
        "ops : PWD=/ ; USER=root ; COMMAND=/bin/journalctl -p WARNING",
        "<Event><System><Provider/></System></Event>",
        "1,web-1,SYSTEM,ha,0,,link",
        "debug, error, and fatal are levels",
    ],
)
def test_a_level_word_inside_prose_states_nothing(text: str) -> None:
    """Nor one that is denied, that names something else, or that stands far from the start."""
    assert severity.stated(text, 0, len(text)) is None


def test_only_the_given_stretch_is_looked_at() -> None:
    """What stands before or behind belongs to someone else."""
    text = "[error] quiet [fatal]"
    assert severity.stated(text, 7, 14) is None
