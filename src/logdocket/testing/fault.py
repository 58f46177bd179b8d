"""Every way of misbehaving that the server knows: one word and one sentence each."""

from __future__ import annotations

import enum


class Fault(enum.StrEnum):
    """One way to answer a request; :attr:`sentence` tells what goes over the wire."""

    sentence: str

    def __new__(cls, word: str, sentence: str = "") -> Fault:
        """Make a member of its word and its sentence."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.sentence = sentence
        return member

    # The connection and the clock.
    GOOD = "good", "An honest answer, at once."
    SLOW = "slow", "A good answer, after some seconds (1 unless told)."
    HANG = "hang", "Nothing at all, until the client goes or the server stops."
    HANG_AMID = "hang_amid", "The head and half of a good body, then nothing more."
    DRIP = "drip", "A good answer whose body comes byte by byte, seconds apart (1 unless told)."
    DRIP_HEAD = "drip_head", "A good answer that comes byte by byte from its first line on."
    RESET = "reset", "The connection is reset (RST) in place of an answer."
    RESET_AMID = "reset_amid", "The head and half of a good body, then a reset (RST)."
    CLOSE = "close", "The connection is closed in good order (FIN) without an answer."
    NOT_HTTP = "not_http", "A greeting of some other protocol in place of a status line."
    BIG_HEAD = "big_head", "A good answer with one header of 1 MB."

    # The status.
    HTTP_400 = "http_400", "400: the request is invalid."
    HTTP_401 = "http_401", "401: the key is wrong."
    HTTP_403 = "http_403", "403: the key does not open this model."
    HTTP_404 = "http_404", "404: no such model."
    HTTP_408 = "http_408", "408: the request took too long."
    HTTP_409 = "http_409", "409: a conflict, to be tried again."
    HTTP_422 = "http_422", "422: the request cannot be processed."
    HTTP_429 = "http_429", "429 without Retry-After."
    HTTP_429_SECONDS = "http_429_seconds", "429 with Retry-After in seconds (1 unless told)."
    HTTP_429_DATE = "http_429_date", "429 with Retry-After as an HTTP date (in 2 s unless told)."
    HTTP_500 = "http_500", "500 with a JSON error."
    HTTP_502 = "http_502", "502 with a page of HTML, as a proxy sends it."
    HTTP_503 = "http_503", "503 with a JSON error."
    HTTP_529 = "http_529", "529: overloaded."
    FOREIGN_ERROR = "foreign_error", "503 with Russian text in windows-1251."
    ERROR_IN_200 = "error_in_200", "200 with an error object in place of choices."
    REDIRECT_302 = "redirect_302", "302 to another address of this server, a hit when followed."
    REDIRECT_307 = "redirect_307", "307 to another address of this server, a hit when followed."
    NO_SCHEMA = (
        "no_schema",
        "400 saying that json_schema is not supported, for requests that ask for it; else good.",
    )
    NO_TOOLS = (
        "no_tools",
        "400 saying that tools are not supported, for requests that hold any; else good.",
    )
    TEXT_ONLY = "text_only", "400 for requests with a schema or tools; a good answer for others."

    # The body.
    EMPTY = "empty", "200 with an empty body."
    TRUNCATED = "truncated", "Half of a good body, with the Content-Length of that half."
    SHORT = "short", "Half of a good body under the Content-Length of the whole, then the end."
    INVALID_JSON = "invalid_json", "A body that looks like JSON and is not."
    FOREIGN_TEXT = "foreign_text", "200 with Japanese text in Shift_JIS in place of JSON."
    NOT_AN_OBJECT = "not_an_object", "A body that is JSON, and is a list."
    NO_CHOICES = "no_choices", "A good body without any choice in it."
    EVENT_STREAM = "event_stream", "Server-sent events, though nobody asked for a stream."
    GZIPPED = "gzipped", "A good answer under Content-Encoding gzip, asked for or not."
    BIG_BODY = "big_body", "A body of 50 MB in chunks, its length not told beforehand."
    BIG_DECLARED = "big_declared", "A body of 50 MB under its Content-Length."
    GZIP_BOMB = "gzip_bomb", "1 MB under Content-Encoding gzip, asked for or not; 1 GB decoded."

    # The usage and the end that the answer reports.
    USAGE_MISSING = "usage_missing", "A good answer that reports no usage."
    USAGE_NEGATIVE = "usage_negative", "A good answer that reports fewer than 0 tokens."
    USAGE_TEXT = "usage_text", "A good answer that reports its tokens in words."
    USAGE_HUGE = "usage_huge", "A good answer that reports 10^15 tokens."
    LENGTH = "length", "Half of a good answer, finish_reason length."
    CONTENT_FILTER = "content_filter", "No content, finish_reason content_filter."
    REFUSAL = "refusal", "No content; the message holds a refusal."

    # The content, in a response that is otherwise good.
    REFUSAL_TEXT = "refusal_text", "A refusal in words, as content."
    NO_CONTENT = "no_content", "Content of no characters."
    PROSE = "prose", "A good answer with prose before and after it."
    FENCED = "fenced", "A good answer in a fenced code block."
    TWO_OBJECTS = "two_objects", "Two JSON objects that say different things."
    BAD_JSON = "bad_json", "An answer that breaks off amid its JSON."
    DEEP_JSON = "deep_json", "JSON nested 100,000 deep."
    LIST_JSON = "list_json", "A good answer within a JSON list."
    DUPLICATE_KEYS = "duplicate_keys", "An object that gives its severity twice, differently."
    MISSING_FIELD = "missing_field", "An answer without evidence."
    EXTRA_FIELDS = "extra_fields", "A good answer with fields that nobody asked for."
    SIX_FIELDS = "six_fields", "A good answer as a whole ticket, confidence 0.97."
    ASKS_HUMAN = "asks_human", "A good answer that asks for a person (needs_human true)."
    WRONG_ENUM = "wrong_enum", "The severity is a word that is none."
    WRONG_TYPES = "wrong_types", "Numbers, lists and objects where strings belong."
    NAN = "nan", "A good answer with confidence NaN, which is not JSON."
    HUGE_NUMBERS = "huge_numbers", "A good answer with numbers of 400 digits and of 1e999."
    SURROGATE = "surrogate", "Evidence with half a surrogate pair and a NUL, escaped."

    # What the content claims of the line.
    INVENTED_EVIDENCE = "invented_evidence", "Evidence that does not stand in the line."
    EVIDENCE_CASE = "evidence_case", "Evidence in altered case."
    EVIDENCE_SPACE = "evidence_space", "Evidence with its white space altered."
    EVIDENCE_BLANK = "evidence_blank", "Evidence of white space alone."
    EVIDENCE_ZERO = "evidence_zero", 'Evidence "0".'
    EVIDENCE_STAMP = "evidence_stamp", "The line's timestamp as evidence."
    SERVICE_STAMP = "service_stamp", "The line's timestamp as service."
    SERVICE_LINE = "service_line", "The whole line as service."
    INVENTED_SERVICE = "invented_service", "A service that the line does not name."
    INVENTED_STAMP = "invented_stamp", "A timestamp that does not stand in the line."
    STAMP_NUMBER = "stamp_number", "A bare number as timestamp."
    SURE_NONSENSE = "sure_nonsense", "Nonsense in every field, confidence 0.97."
    OBEYS = "obeys", "The answer that the line demands; severity low where it demands none."
