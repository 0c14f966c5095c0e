"""Replays the console blocks of Markdown pages: replay.py PAGE... [--write | --run] [--then COMMAND].

Each command of a block "console" runs in bash, as soon as the one before it ends, on a terminal of 80 columns without
colors, in a directory with links to the checkout that each page has for itself. Its output must be that of the page;
with --run, its exit status must be 0 instead. Settings of variables, and functions, apply to the later commands.

The line before a block is its mark:
<!-- file: NAME -->       writes the block to that file
<!-- terminal: NAME -->   runs in the background; the next command starts when the demo, the witness or the tail is ready.
                          It goes on if the next page has the same command
<!-- prints: NAME -->     is what that terminal prints since then: waits for as many lines as the block has
<!-- varies -->           the output is recorded, but not compared
<!-- soon -->             repeats each command until its output is that of the page, for views that are behind
<!-- until: Ctrl-C -->    ends the command after a few seconds
<!-- elsewhere -->        does not run: it needs another machine

COMMAND runs after the last block, with the addresses of the demo's broker, registry and HTTP API as arguments.
"""
import argparse
import difflib
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

TIMEOUT = 180
READY = re.compile(r"^(  HTTP API |parley witness: |parley tail: ).*$", re.M)
ADDRESS = re.compile(r"^  (?:Kafka|Schema Registry|HTTP API) +((?:http://)?[\d.:]+)", re.M)
SETTING = re.compile(r"\w+(=|\(\) )\S")
# The token that the demo prints, and its place in a page.
TOKEN = re.compile(r"parley_[\w-]{20,}")
TOKEN_SHOWN = "parley_…"
WATCHED = 5
# The session of a tap, whose random key decides its partition. A later command names the one that this run has printed.
SESSION = re.compile(r"\bmemory-[\w.]+-\d+-\d{8}T\d{6}-[0-9a-f]{8}\b")
# What differs from run to run.
VOLATILE = [
    (SESSION, "SESSION"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), "TIME"),
    (re.compile(r"\b[0-9a-f]{8,}\b…?"), "HASH"),
    (re.compile(r"(jsonl:|\bline |\"offset\":|[Oo]ffset\":? ?|@|--partition )\d+( \d+)?"), r"\1N"),
    # Offsets count the markers of transactions too.
    (re.compile(r"(\.v1/\d+/)\d+"), r"\1N"),
    (re.compile(r"(parley\.wire-|in partition |parley/audit/)\d"), r"\1N"),
    (re.compile(r"at index \d+ of \d+"), "at index N"),
    # In the first seconds of a trail, no statement says up to when it is complete.
    (re.compile(r", up to TIME"), ""),
    (re.compile(r" +"), " "),
    (re.compile(r"([-─━═])\1{2,}"), r"\1"),
]


class Terminal:
    """A command on a terminal of 80 columns."""

    def __init__(self, command, directory):
        self.command = command
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        environment.update(
            TERM="dumb", NO_COLOR="1", COLUMNS="80", LC_ALL="C.UTF-8",
            # A tap must not record the gaps of others.
            XDG_STATE_HOME=os.path.join(directory, "state"),
            PATH=os.path.join(directory, "bin") + os.pathsep + environment["PATH"])
        self.process = subprocess.Popen(
            ["bash", "-c", command], cwd=directory, stdin=slave, stdout=slave, stderr=slave, env=environment,
            start_new_session=True)
        os.close(slave)
        self.master = master
        self.bytes = b""
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        while True:
            try:
                some = os.read(self.master, 65536)
            except OSError:
                return
            if not some:
                return
            self.bytes += some

    def output(self):
        text = self.bytes.decode("utf-8", "replace").replace("\r\n", "\n")
        return [line.rstrip() for line in text.rstrip("\n").split("\n")] if text.strip() else []

    def wait(self):
        self.process.wait(TIMEOUT)
        self.reader.join(5)
        return self.output()

    def wait_until_ready(self):
        deadline = time.monotonic() + TIMEOUT
        while not READY.search("\n".join(self.output())):
            if self.process.poll() is not None or time.monotonic() > deadline:
                sys.exit("the demo did not start:\n" + "\n".join(self.output()))
            time.sleep(0.2)
        return self.output()

    def wait_for_lines(self, count):
        deadline = time.monotonic() + TIMEOUT
        while len(self.output()) < count and self.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
        return self.output()

    def interrupt(self):
        time.sleep(WATCHED)
        if self.process.poll() is None:
            self.stop()
            self.process.returncode = 0
        return self.output()

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGINT)
            self.process.wait(TIMEOUT)


def commands(block):
    """The commands of a console block, each with the lines of its output."""
    found = []
    continued = False
    for line in block:
        if line.startswith("$ "):
            found.append(([line], []))
        elif continued:
            found[-1][0].append(line)
        else:
            found[-1][1].append(line)
            continue
        continued = line.endswith("\\")
    return found


def normal(lines):
    text = "\n".join(lines)
    for pattern, replacement in VOLATILE:
        text = pattern.sub(replacement, text)
    return text.split("\n")


class Replay:
    """One page in a directory of its own."""

    def __init__(self, page, root, run, running):
        self.page = page
        self.root = root
        self.run = run
        # The terminals of the page before, by command.
        self.running = running
        self.addresses = []
        self.recorded = []
        self.failed = []
        self.terminals = []
        # Settings and functions, which each command repeats.
        self.settings = ""
        self.token = TOKEN_SHOWN
        # Of each terminal in the background, the command and the number of lines that the page has shown.
        self.shown = {}
        self.sessions = {}

    def replay(self, then, following):
        lines = self.page.read_text("utf-8").split("\n")
        with tempfile.TemporaryDirectory(prefix="replay-") as directory:
            for name in ("parley", "samples", "acceptance", "conformance"):
                os.symlink(self.root / name, os.path.join(directory, name))
            # The Python that has the client, whatever else is installed.
            os.mkdir(os.path.join(directory, "bin"))
            os.symlink(sys.executable, os.path.join(directory, "bin", "python3"))
            try:
                number = 0
                while number < len(lines):
                    line = lines[number]
                    self.recorded.append(line)
                    number += 1
                    if not line.startswith("```"):
                        continue
                    end = lines.index("```", number)
                    block = lines[number:end]
                    mark = lines[number - 2]
                    number = end
                    if mark.startswith("<!-- file: "):
                        name = mark[len("<!-- file: "):-len(" -->")]
                        pathlib.Path(directory, name).write_text("\n".join(block) + "\n")
                    if mark.startswith("<!-- prints: "):
                        self.prints(mark[len("<!-- prints: "):-len(" -->")], block)
                    elif line == "```console" and mark != "<!-- elsewhere -->":
                        for command, expected in commands(block):
                            self.execute(command, expected, mark, directory)
                    else:
                        self.recorded += block
                    self.recorded.append("```")
                    number += 1
                if then:
                    key = os.path.join(directory, "demo-data", "internal.key")
                    subprocess.run(
                        [then, *self.addresses], check=True,
                        env=dict(os.environ, PARLEY_AUDIT_INTERNAL_KEY_FILES=key))
            finally:
                for terminal in reversed(self.terminals):
                    if terminal.process.poll() is None and f"\n$ {terminal.command}\n" in following:
                        self.running[terminal.command] = terminal
                    else:
                        terminal.stop()

    def execute(self, command, expected, mark, directory):
        shown = "\n".join(command)
        print(shown, flush=True)
        for session, now in self.sessions.items():
            shown = shown.replace(session, now)
        command = shown.split("\n")
        text = shown[2:].replace(TOKEN_SHOWN, self.token)
        terminal = self.running.pop(text, None) or Terminal(self.settings + text, directory)
        self.terminals.append(terminal)
        if mark.startswith("<!-- terminal: "):
            actual = terminal.wait_until_ready()
            printed = "\n".join(actual)
            self.addresses += ADDRESS.findall(printed)
            self.token = (TOKEN.findall(printed) or [self.token])[0]
            self.shown[mark[len("<!-- terminal: "):-len(" -->")]] = (terminal, len(actual))
        elif mark == "<!-- until: Ctrl-C -->":
            actual = terminal.interrupt()
        else:
            actual = terminal.wait()
        deadline = time.monotonic() + TIMEOUT
        while mark == "<!-- soon -->" and normal(expected) != normal(actual) and time.monotonic() < deadline:
            time.sleep(0.5)
            actual = Terminal(self.settings + text, directory).wait()
        if self.run and terminal.process.returncode:
            self.failed.append(shown)
            print("\n".join(actual))
        self.recorded += command + actual
        if SETTING.match(text) or text.startswith("export "):
            self.settings += text + "\n"
        if mark != "<!-- varies -->":
            self.compare(shown, expected, actual)

    def prints(self, name, expected):
        terminal, lines = self.shown[name]
        actual = terminal.wait_for_lines(lines + len(expected))[lines:]
        self.shown[name] = (terminal, lines + len(actual))
        self.recorded += actual
        self.compare(terminal.command, expected, actual)

    def compare(self, shown, expected, actual):
        self.sessions.update(zip(SESSION.findall("\n".join(expected)), SESSION.findall("\n".join(actual))))
        if not self.run and normal(expected) != normal(actual):
            self.failed.append(shown)
            print("\n".join(difflib.unified_diff(expected, actual, "page", "now", lineterm="")))


def main():
    # A job in the background ignores Ctrl-C, and so would the demo, which inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--then")
    options = parser.parse_args()
    root = pathlib.Path.cwd()
    # Builds everything, also the SQL engine.
    subprocess.run([str(root / "parley"), "sql", "SELECT 1", "/dev/null"], check=False, capture_output=True)
    failed = []
    running = {}
    try:
        for page, following in zip(options.pages, options.pages[1:] + ["/dev/null"]):
            print(f"=== {page}", flush=True)
            replay = Replay(root / page, root, options.run, running)
            replay.replay(options.then, (root / following).read_text("utf-8"))
            if options.write:
                (root / page).write_text("\n".join(replay.recorded), "utf-8")
            elif replay.failed:
                failed.append(f"{page}: {len(replay.failed)} commands " + (
                    "fail" if options.run else "print something else; if that is right, .ci/first-hour --write"))
    finally:
        for terminal in running.values():
            terminal.stop()
    if failed:
        sys.exit("\n".join(failed))


main()
