"""What commands can do in a sandbox, and what they cannot."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from logdocket.grading.sandbox import End, Ended, Isolation, Sandbox

Make = Callable[..., Sandbox]
HERE = Path(__file__).resolve().parent


def test_a_command_tells_how_it_ended(make: Make) -> None:
    """Its code, and both of its streams."""
    ended = make().run("echo out; echo err >&2; exit 3", env={}, seconds=10)
    assert (ended.end, ended.code, ended.ok) == (End.EXITED, 3, False)
    assert (ended.out, ended.err, ended.cut) == (b"out\n", b"err\n", False)
    assert 0 < ended.seconds < 10


def test_a_signal_is_a_negative_code(make: Make) -> None:
    """As Python tells it."""
    ended = make().run("kill -SEGV $$", env={}, seconds=10)
    assert (ended.end, ended.code) == (End.EXITED, -11)


def test_it_runs_in_the_checkout_with_a_home_of_its_own(make: Make) -> None:
    """And what it wrote is there for the next command."""
    sandbox = make()
    (sandbox.checkout / "given").write_text("given\n")
    ended = sandbox.run("cat given; echo 1 > made; echo 2 > ~/made; pwd", env={}, seconds=10)
    assert ended.out.decode() == f"given\n{sandbox.checkout}\n", ended
    assert sandbox.run("cat made ~/made; echo $PWD", env={}, seconds=10).out.startswith(b"1\n2\n")
    assert (sandbox.checkout / "made").read_text() == "1\n"


def test_it_has_nothing_to_read(make: Make) -> None:
    """Nobody answers a question."""
    assert make().run("cat; read answer", env={}, seconds=10).code == 1


def test_the_environment_is_on_a_list(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of whoever grades is not."""
    monkeypatch.setenv("MODEL_KEY", "made-up")
    monkeypatch.setenv("EDITOR", "made-up")
    out = make().run("env", env={"PORT": "8080"}, seconds=10).out.decode()
    assert "made-up" not in out
    assert "PORT=8080\n" in out
    assert "PATH=/" in out


def test_a_hostile_loader_path_is_the_commands_alone(make: Make) -> None:
    """The manifest says the environment; the sandbox's own processes do not have it."""
    sandbox = make()
    ended = sandbox.run("true", env={"LD_PRELOAD": "/nowhere.so"}, seconds=10)
    assert ended.code == 0
    assert ended.err.count(b"nowhere.so") <= 1


def test_what_takes_too_long_is_ended(make: Make) -> None:
    """With what it has written until then."""
    ended = make().run("echo begun; sleep 60; echo done", env={}, seconds=0.3)
    assert (ended.end, ended.out) == (End.LATE, b"begun\n")
    assert ended.seconds < 5


def test_a_missing_checkout_is_told(make: Make) -> None:
    """By a failing command, not by an error of the grader."""
    sandbox = make()
    sandbox.run('rm -rf "$PWD"', env={}, seconds=10)
    ended = sandbox.run("echo here", env={}, seconds=10)
    assert ended.out == b"here\n" or (ended.code == 126 and b"No such file" in ended.err)


def test_other_commands_run_meanwhile(make: Make) -> None:
    """The end of one is not the end of another."""
    sandbox = make()
    with sandbox.start("sleep 60", env={}) as service:
        assert sandbox.run("true", env={}, seconds=10).ok
        assert service.alive


def test_temporary_files_are_its_own(make: Make, tmp_path: Path, isolation: Isolation) -> None:
    """TMPDIR always is; /tmp where files can be shut off."""
    sandbox = make()
    sandbox.run('echo 1 > "$TMPDIR/one"', env={}, seconds=10)
    assert (tmp_path / "root/tmp/one").is_file()
    if isolation.files == "plain":
        pytest.skip("a mount namespace is not permitted, or not asked for")
    (tmp_path / "neighbour").write_text("")
    sandbox.run(f"ls -d {tmp_path}/neighbour; echo 2 > /tmp/two", env={}, seconds=10)
    ended = sandbox.run(f"cat /tmp/two; ls -A /dev/shm {tmp_path}", env={}, seconds=10)
    assert ended.out.split() == [b"2", b"/dev/shm:", f"{tmp_path}:".encode(), b"root"]


class TestTheMost:
    """What only namespaces can promise."""

    @pytest.fixture
    def sandbox(self, tmp_path: Path, most: Isolation) -> Sandbox:
        """A sandbox with all that is permitted here."""
        (tmp_path / "root").mkdir()
        return Sandbox(tmp_path / "root", most)

    @pytest.fixture
    def outside(self, most: Isolation) -> Iterator[Path]:
        """A folder that a command sees, which is not under /tmp."""
        if most.files == "plain":
            pytest.skip("a mount namespace is not permitted")
        if HERE.is_relative_to("/tmp") or HERE.is_relative_to("/var/tmp"):
            pytest.skip("these tests lie where a command sees nothing")
        try:
            made = Path(tempfile.mkdtemp(prefix=".outside-", dir=HERE))
        except OSError:
            pytest.skip("nothing can be written but temporary files")
        made.chmod(0o777)
        yield made
        shutil.rmtree(made)

    def run(self, sandbox: Sandbox, command: str) -> Ended:
        """How ``command`` ended."""
        return sandbox.run(command, env={}, seconds=10)

    def test_all_else_is_read_only(self, sandbox: Sandbox, outside: Path) -> None:
        """Whatever its permissions are."""
        (outside / "canary").write_text("alive")
        (outside / "canary").chmod(0o666)
        ended = self.run(sandbox, f"echo dead > {outside}/canary; rm -rf {outside}")
        assert (outside / "canary").read_text() == "alive"
        assert b"Read-only" in ended.err, ended

    def test_secrets_of_the_home_are_covered(
        self, sandbox: Sandbox, outside: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """But the interpreters in it are not."""
        for name in (".ssh/id_test", ".aws/credentials", ".netrc", ".pyenv/bin/tool"):
            (outside / name).parent.mkdir(exist_ok=True, parents=True)
            (outside / name).write_text(f"in {name}\n")
        monkeypatch.setenv("HOME", str(outside))
        ended = self.run(
            sandbox,
            f"cd {outside} || exit; cat .ssh/id_test .aws/credentials .netrc .pyenv/bin/tool; "
            f"umount .ssh 2>&1; cat .ssh/id_test",
        )
        assert ended.out.splitlines()[:1] == [b"in .pyenv/bin/tool"], ended
        assert b"in .ssh" not in ended.out

    def test_it_sees_no_process_of_the_machine(self, sandbox: Sandbox, most: Isolation) -> None:
        """And is not the first process itself, which reaps."""
        if most.processes == "tree":
            pytest.skip("a process namespace is not permitted")
        ended = self.run(sandbox, "echo $$; ls /proc | grep -c '^[0-9]'")
        pid, seen = map(int, ended.out.split())
        assert pid > 1
        assert seen < 8

    def test_it_has_no_rights(self, sandbox: Sandbox, most: Isolation) -> None:
        """But the one to read interpreters in the home of root, where it takes that."""
        if most.user == "same":
            pytest.skip("another user is not permitted")
        ended = self.run(sandbox, "id -u; grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status")
        words = ended.out.split()
        assert int(words[0]) != 0
        status = dict(zip(words[1::2], words[2::2], strict=True))
        assert int(status[b"CapEff:"], 16) in (0, 4)
        assert status[b"NoNewPrivs:"] == b"1"

    def test_a_namespace_of_its_own_opens_no_door(self, sandbox: Sandbox, outside: Path) -> None:
        """Root of a new namespace cannot make the mounts writable."""
        (outside / "canary").write_text("alive")
        (outside / "canary").chmod(0o666)
        self.run(
            sandbox,
            "unshare --user --map-root-user --mount sh -c "
            f"'mount -o remount,rw,bind /; mount -o remount,rw {outside}; "
            f"echo dead > {outside}/canary'",
        )
        assert (outside / "canary").read_text() == "alive"
