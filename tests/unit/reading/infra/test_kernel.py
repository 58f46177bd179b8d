"""The kernel's ring buffer."""

from __future__ import annotations

import pytest

from logdocket.reading.infra import parse_dmesg


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("usb 1-1: new high-speed device", "usb"),
        ("e1000e 0000:00:1f.6 eth0: NIC Link is Up", "e1000e"),
        ("EXT4-fs (sda1): mounted filesystem", "EXT4-fs"),
        ("sd 0:0:0:0: [sda] attached", "sd"),
        ("nvme nvme0: pci function", "nvme"),
        ("ata1.00: failed command: READ", "ata1.00"),
        ("TCP: out of memory", "TCP"),
        ("[drm] Initialized", "drm"),
        ("[drm:intel_pipe [i915]] *ERROR* underrun", "drm"),
    ],
)
def test_the_subsystem_that_heads_a_message_is_its_name(find, message: str, name: str) -> None:
    """Its head stays part of the message; the time is a count that names no date."""
    found = find(parse_dmesg, f"[   12.345678] {message}")
    assert found == ("dmesg", "no_date", None, None, None, name, "head", message, None)


@pytest.mark.parametrize(
    "message",
    [
        "Linux version 6.1",
        "CPU: 0 PID: 1 Comm: x",
        "RIP: 0010:x",
        "RAX: 0000 RBX: 0000",
        "Call Trace:",
        "Modules linked in: x",
        "Out of memory: Killed process 1",
        "INFO: task x:123 blocked",
        "WARNING: CPU: 0",
        "BUG: unable to handle",
        "Code: 48 8b",
    ],
)
def test_the_words_of_a_kernel_report_name_nothing(find, message: str) -> None:
    """Registers, levels and headings are followed by colons too."""
    found = find(parse_dmesg, f"[   12.345678] {message}")
    assert (found.name, found.message) == (None, message)


def test_a_program_that_writes_to_the_ring_buffer_keeps_its_name(find) -> None:
    """Its process id tells it from a driver."""
    found = find(parse_dmesg, "[    3.210000] systemd[1]: Mounted a disk.")
    assert (found.name, found.name_basis) == ("systemd", "app")


@pytest.mark.parametrize(
    ("line", "level", "severity"),
    [
        ("<3>[   12.345678] usb 1-1: x", "3", "high"),
        ("kern  :err   : [   12.345678] usb 1-1: x", "err", "high"),
        ("kern  :warn  : [Sun Jun 14 15:16:01 2026] usb 1-1: x", "warn", "medium"),
        ("[   12.345678][    T1] usb 1-1: x", None, None),
        ("[   12.345678] [ T1234] usb 1-1: x", None, None),
    ],
)
def test_a_priority_may_stand_before_the_time(
    find, line: str, level: str | None, severity: str | None
) -> None:
    """As a number, or as dmesg decodes it; a caller's mark behind the time is passed over."""
    found = find(parse_dmesg, line)
    assert (found.level, found.severity, found.name) == (level, severity, "usb")


def test_human_stamps_are_times(find) -> None:
    """`dmesg -T` gives the date."""
    found = find(parse_dmesg, "[Sun Jun 14 15:16:01 2026] usb 1-1: x")
    assert (found.time, found.name) == ("2026-06-14T15:16:01", "usb")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "[12.3] x",
        "[main] usb 1-1: x",
        "[Sun Jun 14 15:16:01 2026] [error] from a web server",
        "[Sun Jun 14 15:16:01 2026] 192.0.2.1:5000 Accepted",
        "[   12.345678] web-1 kernel: the journal's form",
        "[   12.345678] web-1 app[1]: the journal's form",
        "kernel panic",
        "kern.err web-1",
        "<3>usb 1-1: x",
    ],
)
def test_other_brackets_are_left_alone(find, line: str) -> None:
    """Human stamps need a subsystem behind them, for web servers write them too."""
    assert find(parse_dmesg, line) is None
