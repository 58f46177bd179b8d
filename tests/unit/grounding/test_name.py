from __future__ import annotations

import pytest

from logdocket.grounding.name import LONGEST, bare_name, is_name


@pytest.mark.parametrize(
    "text",
    [
        *"sshd kube-apiserver com.example.Payments Microsoft-Windows-Kernel web-1 s3".split(),
        *"org.apache.hadoop.hdfs.DataNode$PacketResponder sshd(pam_unix) app::db my_app".split(),
        *"@scope/pkg CRON c++ nginx/1.25 mod_ssl:proxy Orders#create node@host-2".split(),
        *"worker-12 dead::beef".split(),
        "\u043f\u043b\u0430\u0442\u0435\u0436\u0438",
        "\u652f\u4ed8\u670d\u52a1",
        "\u0938\u0947\u0935\u093e",
        "payment service",
        "Service Control Manager",
        "Microsoft SQL Server Agent",
        "a" * LONGEST,
    ],
)
def test_what_programs_and_components_are_called_is_a_name(text: str) -> None:
    """In any script, dotted, hyphened, nested, or of a few words."""
    assert is_name(text)


@pytest.mark.parametrize(
    "text",
    [
        *"15:04:05 2026-01-02 2026-01-02T15:04:05Z 02/01/2026 app-2026-01-02".split(),
        *"7 7731 - ... :: 12.5 0x1f2e3d4c".split(),
        *"error ERROR Warn fatal INFO true null none low POST was".split(),
        *"192.0.2.7 192.0.2.7:8080 2001:db8::7 ::1 3f2a9c1e-0000-4000-8000-000000000001".split(),
        *'{"a":1} "a" a=b a,b a;b <b> [x] a|b path\\to /usr/bin/app https://x.example'.split(),
        "",
        "a",
        "two  spaces",
        "tab\there",
        "line\nbreak",
        "the disk is full",
        "request failed with timeout",
        "one two three four five",
        " lead",
        "trail ",
        "trail:",
        "a" * (LONGEST + 1),
        "nul\0l",
        "zero\u200bwidth",
    ],
)
def test_what_nothing_is_called_is_no_name(text: str) -> None:
    """Times, numbers, levels, addresses, ids, fragments and sentences."""
    assert not is_name(text)


@pytest.mark.parametrize(
    ("quote", "bare"),
    [
        ("sshd", "sshd"),
        ("sshd:", "sshd"),
        ("sshd[123]:", "sshd"),
        ("sshd(pam_unix)[123]", "sshd(pam_unix)"),
        ("[relay]", "relay"),
        ('"relay"', "relay"),
        (" relay ", "relay"),
        ("[123]", "123"),
        ("a::b", "a::b"),
        ("", ""),
        (":", ""),
    ],
)
def test_a_name_is_bared_of_what_loggers_put_around_it(quote: str, bare: str) -> None:
    """And stays a quote of the same line."""
    assert bare_name(quote) == bare
    assert bare in quote
