from __future__ import annotations

import pytest

from logdocket.reading.service import is_name, is_nested, is_thread, look


@pytest.mark.parametrize(
    "token",
    [
        "sshd",
        "order-service",
        "OrderService",
        "com.acme.orders.OrderStore",
        "my_crate::net",
        "billing",
        "pricing",
        "feed",
        "dfs.DataNode$Receiver",
        "kube-proxy",
        "org.acme.log",
        "Überweisung",
        "PHP",
    ],
)
def test_a_name_is_one(token: str) -> None:
    """Programs, components and loggers."""
    assert is_name(token)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "7",
        "1234",
        "192.0.2.7",
        "192.0.2.7:80",
        "fe80::1",
        "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        "deadbeef01",
        "2031-05-06",
        "ERROR",
        "warning",
        "/var/log/x",
        "server.log",
        "store.cc",
        "orders.log.1.2031-05-06_13",
        "src/main.cpp",
        "Mozilla/5.0",
        "Severity",
        "web-1.example.com",
        "https://acme.example",
        "user@web-1",
        "Failed",
        "connection",
        "spawned",
        "ValueError",
        "E11000",
        "ORA-00942",
        "CPU",
        "null",
        "unknown",
        "trailing.",
        "x" * 129,
    ],
)
def test_what_is_no_name_is_none(token: str) -> None:
    """Numbers, addresses, ids, times, levels, paths, hosts, words of a sentence, error classes."""
    assert not is_name(token)


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("sshd[123]", "sshd"),
        ("sshd(pam_unix)[123]:", "sshd"),
        ("orders:", "orders"),
        ('"orders"', "orders"),
        ("acme.jobs:run:42", "acme.jobs"),
        ("acme.jobs:42", "acme.jobs"),
        ("my_crate::net:", "my_crate::net"),
        ("acme.Store#verify:", "acme.Store"),
    ],
)
def test_pid_colon_quotes_and_position_are_cut_off(token: str, name: str) -> None:
    """Only the bare name is the service."""
    named = look(token)
    assert named is not None
    assert token[named.first : named.last] == name


@pytest.mark.parametrize("token", ["[123]", "42:", "ERROR:", "::", "(x)"])
def test_what_holds_no_name_gives_none(token: str) -> None:
    """A cut token that is no name is not taken for one."""
    assert look(token) is None


@pytest.mark.parametrize(
    "token", ["main", "Thread-7", "pool-1-thread-2", "worker-3", "http-nio-8080-exec-1", "node12"]
)
def test_threads_are_told_from_loggers(token: str) -> None:
    """One of many by number, or a thread by its words."""
    assert is_thread(token)


@pytest.mark.parametrize("token", ["OrderService", "order-service", "a.b.C", "sshd"])
def test_loggers_are_no_threads(token: str) -> None:
    """A name without a number is not one of many."""
    assert not is_thread(token)


@pytest.mark.parametrize("token", ["a.b.Class", "acme.jobs.run", "crate::module", "nova.Compute"])
def test_a_nested_name_tells_by_its_form(token: str) -> None:
    """Dots or double colons between words, and a class or depth."""
    assert is_nested(token)


@pytest.mark.parametrize("token", ["config.yaml", "db.internal", "www.acme.com", "main.go", "sshd"])
def test_files_and_hosts_are_no_nested_names(token: str) -> None:
    """One dot before an ending is a file or a host."""
    assert not is_nested(token)


@pytest.mark.parametrize("token", ["payment-service", "OrderService", "a.b.C"])
def test_a_telling_name_needs_no_place(token: str) -> None:
    """Its form says what it is."""
    named = look(token)
    assert named is not None
    assert named.telling


@pytest.mark.parametrize("token", ["payments", "Database", "worker-3", "node12"])
def test_an_ordinary_word_tells_only_by_its_place(token: str) -> None:
    """It could be any word of a sentence, or one of many."""
    named = look(token)
    assert named is None or not named.telling
