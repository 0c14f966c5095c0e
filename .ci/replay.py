"""Replays the console blocks of a Markdown page: replay.py PAGE [--write] [--then COMMAND].

Each command of a block "console" runs in bash, as soon as the one before it ends, in a directory of its own with the checkout's parley and samples, on a
terminal of 80 columns without colors. A block after "<!-- file: NAME -->" is written to that file first. The block
after "<!-- terminal: demo -->" runs in the background until the last line of its output in the page appears. The
output of a block after "<!-- varies -->" is recorded, but not compared. COMMAND runs after the last block, with the
addresses of the demo's broker, registry and HTTP API as arguments.
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
READY = re.compile(r"^  HTTP API .*$", re.M)
ADDRESS = re.compile(r"^  (?:Kafka|Schema Registry|HTTP API) +((?:http://)?[\d.:]+)", re.M)
# What differs from run to run.
VOLATILE = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?"), "TIME"),
    (re.compile(r"\b[0-9a-f]{8,}\b…?"), "HASH"),
    (re.compile(r"(jsonl:|\(line |\"offset\":|[Oo]ffset\":? ?|@|--partition )\d+( \d+)?"), r"\1N"),
    # Offsets count the markers of transactions too.
    (re.compile(r"(\.v1/\d+/)\d+"), r"\1N"),
    (re.compile(r"\d+ (published heads|manifests)"), r"N \1"),
    (re.compile(r" +"), " "),
    (re.compile(r"([-─━═])\1{2,}"), r"\1"),
]


class Terminal:
    """A command on a terminal of 80 columns."""

    def __init__(self, command, directory):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
        environment.update(
            TERM="dumb", NO_COLOR="1", COLUMNS="80", LC_ALL="C.UTF-8",
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


def main():
    # A job in the background ignores Ctrl-C, and so would the demo, which inherits that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--then")
    options = parser.parse_args()
    root = pathlib.Path.cwd()
    page = root / options.page
    addresses = []
    subprocess.run([str(root / "parley"), "--version"], check=True, stdout=subprocess.DEVNULL)
    lines = page.read_text("utf-8").split("\n")
    recorded = []
    different = []
    background = []
    with tempfile.TemporaryDirectory(prefix="first-hour-") as directory:
        for name in ("parley", "samples"):
            os.symlink(root / name, os.path.join(directory, name))
        # The Python that has the client, whatever else is installed.
        os.mkdir(os.path.join(directory, "bin"))
        os.symlink(sys.executable, os.path.join(directory, "bin", "python3"))
        try:
            number = 0
            while number < len(lines):
                line = lines[number]
                recorded.append(line)
                number += 1
                if not line.startswith("```"):
                    continue
                end = lines.index("```", number)
                block = lines[number:end]
                mark = lines[number - 2]
                number = end
                if mark.startswith("<!-- file: "):
                    pathlib.Path(directory, mark[len("<!-- file: "):-len(" -->")]).write_text("\n".join(block) + "\n")
                if line != "```console":
                    recorded += block + ["```"]
                    number += 1
                    continue
                for command, expected in commands(block):
                    shown = "\n".join(command)
                    print(shown, flush=True)
                    terminal = Terminal(shown[2:], directory)
                    background.append(terminal)
                    demo = mark == "<!-- terminal: demo -->"
                    actual = terminal.wait_until_ready() if demo else terminal.wait()
                    addresses += ADDRESS.findall("\n".join(actual)) if demo else []
                    recorded += command + actual
                    if mark != "<!-- varies -->" and normal(expected) != normal(actual):
                        different.append(shown)
                        print("\n".join(difflib.unified_diff(expected, actual, "page", "now", lineterm="")))
                recorded.append("```")
                number += 1
            if options.then:
                subprocess.run([options.then, *addresses], check=True)
        finally:
            for terminal in reversed(background):
                terminal.stop()
    if options.write:
        page.write_text("\n".join(recorded), "utf-8")
    elif different:
        sys.exit(f"{page}: {len(different)} commands print something else; if that is right, .ci/first-hour --write")


main()
