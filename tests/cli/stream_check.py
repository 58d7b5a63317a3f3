"""An interactive client of `einspul probe -`.

    stream_check.py EINSPUL FOLDER

FOLDER is recreated. Answers must come while the input stays open, a broken connection must not turn
half a line into a position, and whatever bytes come in, each line gets one row that can be read
back, as text and as JSON.
"""

import json
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

WIN = "W:WK46:BK41\twin\t1\n"


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def check_conversation(probe):
    """Fails if an answer is not flushed before the next line is read."""
    program = subprocess.Popen(probe, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for _ in range(3):
        program.stdin.write(b"W:WK46:BK41\n")
        program.stdin.flush()
        expect(program.stdout.readline().decode(), WIN, "an answer while the input is open")
    program.stdin.close()
    expect(program.wait(), 0, "exit status")


def check_broken_connection(probe):
    """Fails if a truncated line is answered as a position."""
    listener = socket.create_server(("127.0.0.1", 0))
    ours = socket.create_connection(listener.getsockname())
    theirs, _ = listener.accept()
    program = subprocess.Popen(probe, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    theirs.close()
    ours.sendall(b"W:WK46:BK41\nW:WK46:BK4")
    expect(program.stdout.readline().decode(), WIN, "the whole line")
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    ours.close()  # resets the connection
    output, errors = program.communicate()
    expect(output, b"", "nothing for half a line")
    expect(errors, b"einspul probe: cannot read standard input: Connection reset by peer\n", "message")
    expect(program.returncode, 1, "exit status")


def check_interrupted_list(einspul, tables):
    """Fails if Ctrl-C does not end a search command that waits for the next position, or if the half line
    that came is taken for a position."""
    program = subprocess.Popen([einspul, "solve", "-", "--tables", tables], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.stdin.write(b"W:WK46:BK41\nW:WK46:BK4")
    program.stdin.flush()
    expect(program.stdout.readline()[:15].decode(), "W:WK46:BK41\twin", "an answer")
    time.sleep(0.3)  # until it waits
    program.send_signal(signal.SIGINT)
    expect(program.wait(timeout=60), 1, "exit status after SIGINT")
    expect(program.stdout.read(), b"", "nothing for half a line")
    expect(program.stderr.read(), b"einspul solve: stopped after 1 positions; those that follow were not searched\n",
           "message")


def random_line(rng):
    pieces = [b"W:WK46:BK41", b"\x00", b"\t", b"\\", b'"', b"\x1b[31m", b"\x7f", b"\r", b" ",
              "\u00e9\u20ac\U0001f600\u0085\u2028\u202e".encode(), b"\xed\xa0\x80", b"\xc0\xaf",
              b"\xf4\x90\x80\x80", b"\xe2\x82", rng.randbytes(rng.randrange(1, 30))]
    line = b"".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12)))
    return line.replace(b"\n", b"").removeprefix(b"\xef\xbb\xbf").rstrip(b"\r")


def unescape(text):
    simple = {"t": b"\t", "n": b"\n", "r": b"\r", "\\": b"\\"}

    def byte(match):
        code = match.group(1)
        return simple[code] if code in simple else bytes([int(code[1:], 16)])

    parts = re.split(r"(\\(?:[tnr\\]|x[0-9a-f]{2}))", text)
    return b"".join(byte(re.fullmatch(r"\\(.*)", part, re.S)) if i % 2 == 1 else part.encode()
                    for i, part in enumerate(parts))


def check_bytes(probe):
    rng = random.Random(1)
    lines = [line for line in (random_line(rng) for _ in range(5000))
             if line.strip(b" \t") != b"" and not line.startswith(b"#")]
    data = b"\n".join(lines) + b"\n"

    rows = subprocess.run(probe, input=data, stdout=subprocess.PIPE).stdout.decode().split("\n")
    expect(len(rows), len(lines) + 1, "rows of text")
    for line, row in zip(lines, rows):
        if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e]", row):
            sys.exit(f"control characters in {row!r}")
        cells = row.split("\t")
        if len(cells) != 2 or not cells[1].startswith("error: "):
            expect(cells[1:], ["win", "1"], f"the answer to {line!r}")
        else:
            expect(unescape(cells[0]), line, "what was typed")

    rows = subprocess.run(probe + ["--json"], input=data, stdout=subprocess.PIPE).stdout
    rows = rows.decode().split("\n")
    expect(len(rows), len(lines) + 1, "rows of JSON")
    for line, row in zip(lines, rows):
        found = json.loads(row)
        if "error" in found:
            expect(found["fen"].replace("\ufffd", ""),
                   line.decode(errors="replace").replace("\ufffd", ""), "what was typed")


def main():
    einspul, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([einspul, "generate", "--pieces", "2", "--tables", folder], check=True,
                   stderr=subprocess.DEVNULL)
    probe = [einspul, "probe", "-", "--tables", folder]
    check_conversation(probe)
    check_broken_connection(probe)
    check_bytes(probe)
    subprocess.run([einspul, "generate", "--pieces", "3", "--tables", folder], check=True, stderr=subprocess.DEVNULL)
    check_interrupted_list(einspul, folder)


if __name__ == "__main__":
    main()
