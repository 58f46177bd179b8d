"""The level words, letters and numbers that loggers write, and the severity each one means.

One word in a table is one more word understood. Sources: syslog priorities RFC 5424 §6.2.1;
java.util.logging.Level; the OpenTelemetry logs data model (severity number); the numbers of pino,
bunyan, monolog and Python's ``logging`` from their manuals; Serilog's ``u3`` and .NET's console
abbreviations; logrus' four letters; loguru; klog, glog, logcat and MongoDB letters; the error
severities of the PostgreSQL and MySQL manuals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from logdocket.line import Severity
from logdocket.reading.words import word_set

_LOW, _MEDIUM, _HIGH, _CRITICAL = Severity

WORDS: Final[dict[Severity, str]] = {
    _LOW: """
        trace trc trac debug dbg dbug debu verbose vrb finer finest silly
        info inf information informational notice
    """,
    _MEDIUM: "warn warning wrn",
    _HIGH: "error err eror erro severe failure fail failed",
    _CRITICAL: "critical crit fatal ftl fata panic pani dpanic alert emerg emergency",
}
"""Words that mean a level in any case, lower case here."""

EXACT: Final[dict[Severity, str]] = {
    _LOW: """
        FINE CONFIG SUCCESS OK LOG NOTE Note SYSTEM System DEFAULT
        DETAIL HINT STATEMENT CONTEXT QUERY LOCATION
    """,
}
"""Words that are a level only when written just so; in another case they say something else."""

SHORT: Final[dict[Severity, str]] = {
    _LOW: "NTC NOTI Noti",
    _HIGH: "ERRS",
    _CRITICAL: "CRT PNC ALRT Alrt EMRG Emrg",
}
"""Abbreviations that are a level only when written just so, as Aruba, zerolog and others do."""

ABROAD: Final[dict[Severity, str]] = {
    _LOW: """
        INFORMACIÓN INFORMAÇÃO INFORMAZIONI INFOS HINWEIS ИНФО ИНФОРМАЦИЯ ОТЛАДКА УВЕДОМЛЕНИЕ
        情報 信息 调试 정보 디버그 معلومات
    """,
    _MEDIUM: """
        WARNUNG AVERTISSEMENT ADVERTENCIA ADVERTÊNCIA AVVERTENZA WAARSCHUWING OSTRZEŻENIE VARNING
        ADVARSEL UYARI ПРЕДУПРЕЖДЕНИЕ 警告 경고 تحذير
    """,
    _HIGH: """
        FEHLER SCHWERWIEGEND ERREUR GRAVE ERRORE FOUT BŁĄD HATA ОШИБКА エラー 错误 錯誤 严重 重大
        오류 심각 خطأ
    """,
    _CRITICAL: "KRITISCH CRITIQUE CRÍTICO CRITICO ФАТАЛЬНО КРИТИЧЕСКИЙ 致命的 致命",
}
"""Levels as programs of other tongues write them: java.util.logging's and PostgreSQL's
translations, and their neighbours. Levels only as written here, in capitals where there are any."""

UNSURE: Final = frozenset(form for words in EXACT.values() for form in words.split())
"""Words that say something else too often to be a level by a comma alone."""

FIELD: Final[dict[Severity, str]] = {
    _LOW: "fine config success ok log note system default audit normal none",
    _MEDIUM: "warnings caution minor",
    _HIGH: "errors major",
    _CRITICAL: "disaster",
}
"""Words that mean a level only where a field's name says that a level stands there."""

BARE: Final = word_set("""
    trace trc debug dbg dbug verbose vrb finer finest info inf information notice success
    warn warning wrn error err eror severe critical crit fatal ftl panic alert emerg emergency
    failure debu erro fata pani trac pnc crt ntc
    """)
"""Words that are a level with nothing around them, when in capitals in a line's head."""

_GRADED: Final[dict[str, str]] = {
    "debug trace verbose": "1 2 3 4 5 6 7 8 9",
    "info warn error fatal": "2 3 4",
}
"""How fine a level is, behind its word: PostgreSQL's ``DEBUG5``, Apache's ``trace8``, Slurm's
``debug2``, Chromium's ``VERBOSE1``, and OpenTelemetry's short names."""

_OFFSET: Final = "DEBUG INFO WARN ERROR"
"""Go's slog names a level between two of these by its distance: ``WARN+2``, ``DEBUG-4``."""

LETTERS: Final[dict[Severity, str]] = {
    _LOW: "TDVIN",
    _MEDIUM: "W",
    _HIGH: "E",
    _CRITICAL: "FCAP",
}

XORG: Final[dict[str, Severity]] = {"EE": _HIGH, "WW": _MEDIUM, "II": _LOW, "NI": _LOW}
"""X.Org's markers, in round brackets, that tell how bad a message is."""

PRIORITIES: Final = (
    _CRITICAL,  # emergency
    _CRITICAL,  # alert
    _CRITICAL,  # critical
    _HIGH,  # error
    _MEDIUM,  # warning
    _LOW,  # notice
    _LOW,  # informational
    _LOW,  # debug
)


def _from_floors(floors: dict[int, Severity], last: int) -> Callable[[int], Severity | None]:
    """A scheme where each severity begins at a number and runs up to the next one, or ``last``."""
    first = min(floors)

    def find(n: int) -> Severity | None:
        if not first <= n <= last:
            return None
        return floors[max(floor for floor in floors if floor <= n)]

    return find


_SCHEMES: Final[dict[str, Callable[[int], Severity | None]]] = {
    "pino": _from_floors({10: _LOW, 40: _MEDIUM, 50: _HIGH, 60: _CRITICAL}, 60),
    "otel": _from_floors({1: _LOW, 13: _MEDIUM, 17: _HIGH, 21: _CRITICAL}, 24),
    "syslog": lambda n: PRIORITIES[n] if 0 <= n <= 7 else None,
    "monolog": _from_floors({100: _LOW, 300: _MEDIUM, 400: _HIGH, 500: _CRITICAL}, 600),
    "python": _from_floors({10: _LOW, 30: _MEDIUM, 40: _HIGH, 50: _CRITICAL}, 50),
}

_USUAL: Final = {
    form: severity
    for severity, words in WORDS.items()
    for name in words.split()
    for form in (name, name.upper(), name.title())
}

FORMS: Final = (
    _USUAL
    | {
        form: severity
        for table in (EXACT, SHORT, ABROAD)
        for severity, words in table.items()
        for form in words.split()
    }
    | {
        form + grade: _USUAL[form]
        for names, grades in _GRADED.items()
        for name in names.split()
        for form in (name, name.upper(), name.title())
        for grade in grades.split()
    }
    | {
        f"{name}{sign}{far}": _USUAL[name]
        for name in _OFFSET.split()
        for sign in "+-"
        for far in range(1, 13)
    }
)
"""The severity of each level word as it is usually written: lower case, capitals, capital first."""

MARKED: Final = frozenset(
    form for form in FORMS if form.isupper() and (form.lower() in BARE or not form.isalpha())
) | frozenset(name for words in ABROAD.values() for name in words.split())
"""Level words as they stand in a head with nothing around them."""

_ANY_CASE: Final = frozenset(name for words in WORDS.values() for name in words.split())
_BY_FIELD: Final = {name: severity for severity, words in FIELD.items() for name in words.split()}
_BY_LETTER: Final = {
    letter: severity for severity, letters in LETTERS.items() for letter in letters
}
_LONGEST: Final = max(map(len, _ANY_CASE))


def word(token: str) -> Severity | None:
    """The severity that a whole level word means, in any case; None when it is no level word.

    The words of :data:`EXACT` count only as written there.
    """
    found = FORMS.get(token)
    if found is None and len(token) <= _LONGEST and (lower := token.lower()) in _ANY_CASE:
        return FORMS[lower]
    return found


def field(token: str) -> Severity | None:
    """The severity that the text of a level field means: :func:`word`, or a word of :data:`FIELD`.

    For a field whose key says that it holds a level; elsewhere these words are too common.
    """
    return word(token) or _BY_FIELD.get(token.lower())


def letter(ch: str) -> Severity | None:
    """The severity that a level letter means (capitals only); None when it is no level letter."""
    return _BY_LETTER.get(ch)


def pri(n: int) -> Severity | None:
    """The severity in a syslog PRI value, 0 to 191; None outside. RFC 5424 §6.2.1."""
    return PRIORITIES[n & 7] if 0 <= n <= 191 else None


def number(n: int, scheme: str) -> Severity | None:
    """The severity that a numeric level means under ``scheme``; None outside the scheme's range.

    Schemes: ``pino`` (10 to 60, bunyan too), ``otel`` (1 to 24), ``syslog`` (0 to 7), ``monolog``
    (100 to 600), ``python`` (10 to 50). Raises KeyError for any other scheme.
    """
    return _SCHEMES[scheme](n)


def http_status(n: int) -> Severity | None:
    """The severity of an HTTP status, 100 to 599: 5xx high, 4xx medium, else low; None outside."""
    if not 100 <= n <= 599:
        return None
    return _HIGH if n >= 500 else _MEDIUM if n >= 400 else _LOW
