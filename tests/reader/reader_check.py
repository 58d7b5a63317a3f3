#!/usr/bin/env python3
"""Compares reader.py with the program, which share no code: reader_check.py PROGRAM FOLDER [--all].

Tables of two and three pieces of three games, in both metrics, read by both:

  generated, compressed             every value of every stored placement
  distances without a side          a sample of the stored values, and one of the omitted values
  outcomes without last runs        every value
  outcomes without a side           samples as of distances
  KMvKM without last runs           every n-th block; both sides have runs
  synthetic                         random models and blocks, with cases rare in solved tables
  packs of all these                the bytes of each table

The program answers all values of solved tables. Without --all there are the same kinds of tables, but fewer
materials of each game, and the program answers every n-th placement.
"""

import collections
import ctypes
import itertools
import multiprocessing
import pathlib
import random
import shutil
import struct
import subprocess
import sys

import reader
from reader import DTW, OMITTED, WDL, VALUE_DRAW, VALUE_WIN_IN_1, Table, material_named
from reader_rules import Values

GAMES = ("frisian", "english", "international", "brazilian")
SMALL = ("KMvM", "KMvK", "MMvM", "KKvM", "MMvK", "KKvK", "KvM", "MvM", "KvK")
SAMPLED = "KMvKM"
SAMPLE_STEP = 160
# Without --all: the materials of each game, every n-th of the sampled blocks, and every n-th placement
# for the program; odd, because of two placements one is probed rotated.
FEWER = {"frisian": ("KKvK", "KvM", "KvK"), "english": ("KMvM", "KvM"),
         "international": ("KvM",), "brazilian": ("KMvM",)}
FEWER_SAMPLE_STEP, FEWER_QUESTIONS_STEP, FEWER_OMITTED_STEP = 1441, 21, 541
SLOW_FORGED = (10, 12)
OMITTED_SPAN, OMITTED_STEP = 32, 61  # consecutive placements of an omitted side
STORED_STEP = 4  # blocks of the other side
LAST_RUNS_STEP = 11  # of blocks in the sampled table, of placements in a synthetic one

# Rule set, material, metric, placements per block, blocks with bytes, largest weight; what is omitted: a
# side to move, last runs.
LAST_RUNS = 2
FORGED = (
    ("frisian", "KMvM", DTW, 256, 12, 2),
    ("frisian", "KMvM", DTW, 1024, 3, 40),
    ("frisian", "MMvM", DTW, 4096, 2, 12),
    ("frisian", "KMvK", WDL, 4096, 2, 12),
    ("frisian", "KKMvK", DTW, 512, 4, 20),
    ("frisian", "KMvKM", DTW, 512, 4, 4),
    ("frisian", "KMvKM", WDL, 1024, 2, 40),
    ("frisian", "KKKvM", DTW, 4096, 2, 20),
    ("frisian", "KKKvM", DTW, 2048, 2, 12, 0),
    ("frisian", "KKMvK", DTW, 256, 8, 20, 1),
    ("frisian", "KKMvKM", DTW, 512, 6, 30),
    ("frisian", "KKMvKM", WDL, 512, 6, 12),
    ("frisian", "KKKKMvK", DTW, 4096, 3, 12),
    ("frisian", "KMvM", DTW, 512, 6, 3, LAST_RUNS),
    ("frisian", "KMvM", DTW, 512, 8, 3, 1, LAST_RUNS),
    ("frisian", "KMvK", WDL, 512, 8, 12, LAST_RUNS),
    ("frisian", "KMvKM", DTW, 512, 4, 3, LAST_RUNS),
    ("frisian", "KMvKM", WDL, 256, 8, 12, LAST_RUNS),
    ("frisian", "KKMvKM", WDL, 512, 6, 30, LAST_RUNS),
    ("international", "KMMvK", DTW, 2048, 2, 20),
    ("english", "KMvM", DTW, 2048, 3, 20),
    ("english", "KKvKM", WDL, 2048, 3, 127),
)

whole = False  # --all
program = None
folder = None


# Probing

Line = collections.namedtuple("Line", "fen value limit")


def run_text(run, kings):
    return f"+{(run - 1) % 3 + 1}{kings[(run - 1) // 3] + 1:02}" if run else "+0"


def questions(material, side, index, pattern):
    """The states of a placement as FENs, with their values, if known. Every other placement is probed with
    the board rotated and the colours swapped."""
    if not whole and index % FEWER_QUESTIONS_STEP != 0:
        return
    turned = index % 2
    wm, bm, wk, bk = material.squares(index)
    n_other = material.n_runs[1]
    runs = [(state // n_other, state % n_other) for state in range(material.n_states)]
    if turned:
        last = material.board.n - 1
        wm, bm, wk, bk = ([last - s for s in squares] for squares in (bm, wm, bk, wk))

    def pieces(men, kings):
        return ",".join(f"{'K' if s in kings else ''}{s + 1}" for s in sorted([*men, *kings]))

    fen = f"{'WB'[side ^ turned]}:W{pieces(wm, wk)}:B{pieces(bm, bk)}"
    limited = material.rules.kings_clock and material.name == "KKvK"
    yield Line(fen, pattern[0], limit_of(side, 0) if limited else None)
    for value, (white, black) in zip(pattern[1:], runs[1:]):
        white, black = (black, white) if turned else (white, black)
        if value != OMITTED:
            yield Line(f"{fen}:H0:F1:{run_text(black, bk)}{run_text(white, wk)}", value, None)
    if limited:
        plies = index % 15 + 1
        yield Line(f"{fen}:H{plies}:F1:+0+0", pattern[0], limit_of(side, plies))


def limit_of(side, plies):
    """The longest win or loss within the limit, counted from the move on which two kings against one arose."""
    return 2 * (7 - plies // 2) - 1 if side == 0 else 2 * (7 - (plies + 1) // 2)


def answer(value, limit, has_distances):
    plies = 2 * value if value < VALUE_DRAW else 2 * (VALUE_WIN_IN_1 - value) + 1
    if value == VALUE_DRAW or (limit is not None and plies > limit):
        return "draw\t-"
    return f"{'loss' if value < VALUE_DRAW else 'win'}\t{plies if has_distances else '-'}"


def ask(material, tables, lines, has_distances):
    """Compares the program's answers from one folder of tables; returns their number."""
    answers = {(value, limit): answer(value, limit, has_distances)
               for value, limit in {line[1:] for line in lines}}
    asked = "".join(f"{line.fen}\n" for line in lines)
    wanted = "".join(f"{line.fen}\t{answers[line[1:]]}\n" for line in lines)
    said = subprocess.run(
        [program, "probe", "-", "--rules", material.rules_name, "--tables", tables],
        input=asked, capture_output=True, text=True, check=False)
    if said.stdout != wanted:
        for found, line in itertools.zip_longest(said.stdout.splitlines(), wanted.splitlines()):
            reader.expect(found == line, f"{tables}: the program says {found!r}, not {line!r}")
    reader.expect(said.returncode == 0, f"{tables}: {said.stderr}")
    return len(lines)


# Solved tables

PLAIN, COMPRESSED, LEFT, SMALLEST = range(4)


def tables_folder(metric, kind):
    """A separate folder per metric, so that the program answers from that metric."""
    return folder / (("wdl", "dtw")[metric - 1] + ("", "-compressed", "-left-out", "-smallest")[kind])


def names_of(rules):
    return SMALL if whole else FEWER[rules]


def sampled_metrics():
    return (DTW, WDL) if whole else (DTW,)


def run_program(*arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    reader.expect(done.returncode == 0, f"{arguments}: {done.stderr}")


def make_tables(metric):
    """Generates the tables of one metric, a compressed copy, and one with omitted values."""
    made, copy, left = (tables_folder(metric, kind) for kind in (PLAIN, COMPRESSED, LEFT))
    for rules in GAMES:
        options = ["--rules", rules, "--tables"]
        run_program("generate", "--pieces", 3, "--metric", ("wdl", "dtw")[metric - 1],
                    *options, made)
        if rules == "frisian" and metric in sampled_metrics():
            run_program("generate", "--material", SAMPLED, "--metric", ("wdl", "dtw")[metric - 1],
                        *options, made)
        shutil.copytree(made / rules, copy / rules)
        names = list(names_of(rules))
        if rules == "frisian" and metric in sampled_metrics():
            names.append(SAMPLED)
        run_program("compress", "--whole", *names_of(rules), *options, copy)
        if whole and rules == "frisian":
            run_program("compress", "--whole", SAMPLED, *options, copy)
        shutil.copytree(copy / rules, left / rules)
        run_program("compress", *names, *options, left)
        if metric == WDL:
            smallest = tables_folder(metric, SMALLEST)
            shutil.copytree(copy / rules, smallest / rules)
            run_program("compress", "--smallest", *names, *options, smallest)


def open_both(material, metric):
    return [Table((tables_folder(metric, kind) / material.file_name(metric)).read_bytes(),
                  material, metric) for kind in (PLAIN, COMPRESSED)]


def compare_table(rules, name):
    """Compares all values of a material: in both files, and by the program with each of them."""
    material = material_named(rules, name)
    n_values = n_answers = 0
    modes = []
    for metric in (WDL, DTW):
        tables = open_both(material, metric)
        values = [[table.values(side) for side in range(material.n_sides)] for table in tables]
        for table, sides in zip(tables, values):
            table.check(sides)
        reader.expect(values[0] == values[1], f"{rules} {name}: compressed, other values")
        lines = [line for side, patterns in enumerate(values[0])
                 for index, pattern in enumerate(patterns) if pattern is not None
                 for line in questions(material, side, index, pattern)]
        for kind, table in enumerate(tables):
            n_answers += ask(material, tables_folder(metric, kind), lines, table.has_distances)
            n_values += sum(table.n_stored) * material.n_states
            modes.append(table.mode)
        tables = Values(rules, tables_folder(metric, LEFT), metric)
        left = tables.table(name)[0]
        last_runs = rules == "frisian" and name in ("KMvM", "KMvK")
        reader.expect(left.last_runs_omitted == [last_runs, False][:material.n_sides],
                      f"{name}: last runs left out: {left.last_runs_omitted}")
        if metric == DTW:
            n_values += compare_omitted(tables, left, values[0])
        elif last_runs:
            n_values += compare_last_runs(tables, left, values[0])
        if metric == WDL:
            smallest = Values(rules, tables_folder(metric, SMALLEST), metric)
            table = smallest.table(name)[0]
            may = material.n_sides == 2 and not table.has_distances
            reader.expect(may >= (table.omitted is not None) >= (may and rules == "frisian"),
                          f"{name}: side left out: {table.omitted}")
            n_values += compare_omitted(smallest, table, values[0])
            n_answers += ask(material, tables_folder(metric, SMALLEST), lines,
                             table.has_distances)
        if last_runs or metric == DTW:
            n_answers += ask(material, tables_folder(metric, LEFT), lines, left.has_distances)
    return rules, name, modes, n_values, n_answers


def compare_last_runs(tables, table, values):
    """Compares all values of a table that omits last runs, but no side to move."""
    material = table.material
    found = [[pattern and tables.pattern(material.name, side, index, pattern)
              for index, pattern in enumerate(table.values(side))]
             for side in range(material.n_sides)]
    table.check(found)
    reader.expect(found == values, f"{material.name}: other values")
    return sum(map(count_values, found))


def compare_omitted(tables, table, values):
    """Compares parts of a table that may omit a side: stored and omitted values."""
    material = table.material
    n_values = 0
    for number in range(0, table.n_blocks, STORED_STEP):
        place, first = divmod(number, table.n_side_blocks)
        first *= table.per_block
        patterns = [pattern and told_of(pattern, table, place)
                    for pattern in values[table.sides[place]][first:first + table.per_block]]
        reader.expect(table.block(number) == patterns, f"{material.name}: other values stored")
        n_values += count_values(patterns)
    if table.omitted is None:
        return n_values
    step = OMITTED_STEP if whole else FEWER_OMITTED_STEP
    for index, pattern in enumerate(values[table.omitted]):
        if pattern is not None and index // OMITTED_SPAN % step == 0:
            n_values += len(pattern)
            reader.expect(tables.pattern(material.name, table.omitted, index) == pattern,
                          f"{material.name}: other values at {index}, which is left out")
    return n_values


def compare_sample(metric):
    """Compares some blocks of a table that is too large to compare whole."""
    material = material_named("frisian", SAMPLED)
    by_pattern, *by_model = open_both(material, metric)[:1 + whole]
    tables = Values("frisian", tables_folder(metric, LEFT), metric)
    left = tables.table(SAMPLED)[0]
    modes = [table.mode for table in (by_pattern, *by_model, left)]
    wanted = [reader.BY_DISTANCE if metric == DTW else reader.BY_OUTCOME, *[reader.BY_MODEL] * (1 + whole)]
    reader.expect(modes == wanted, f"{SAMPLED}: other modes than thought")
    reader.expect(left.last_runs_omitted == [True], f"{SAMPLED}: last runs are not left out")
    n_values = 0
    lines = []
    for number in range(0, by_pattern.n_blocks, SAMPLE_STEP if whole else FEWER_SAMPLE_STEP):
        patterns = by_pattern.block(number)
        first = number * by_pattern.per_block
        for table in *by_model, left:
            size = table.per_block
            for begin in range(0, len(patterns), size):
                at = first + begin
                found = table.block(at // size)
                wanted = patterns[begin:begin + size]
                if table is left and at // size % LAST_RUNS_STEP == 0:
                    found = [pattern and tables.pattern(SAMPLED, 0, index, pattern)
                             for index, pattern in enumerate(found, at)]
                elif table is left:
                    wanted = [pattern and told_of(pattern, table, 0) for pattern in wanted]
                reader.expect(found == wanted, f"{SAMPLED}: compressed, other values from {at} on")
                n_values += count_values(found)
        n_values += count_values(patterns)
        for index, pattern in enumerate(patterns, first):
            if pattern is not None:
                lines += questions(material, 0, index, pattern)
    n_answers = sum(ask(material, tables_folder(metric, kind), lines, metric == DTW)
                    for kind in ((PLAIN, COMPRESSED, LEFT) if whole else (PLAIN, LEFT)))
    return "frisian", f"{SAMPLED} (sample)", modes, n_values, n_answers


def told_of(pattern, table, place):
    """The values that a table stores of a pattern of its first or second side to move."""
    if not any(table.last_runs_omitted):
        return pattern
    return bytes(OMITTED if x in table.models[place].omitted else value
                 for x, value in enumerate(pattern))


def count_values(patterns):
    return sum(reader.n_told(pattern) for pattern in patterns if pattern is not None)


# Synthetic tables

def frame(content):
    compress = reader.ZSTD.ZSTD_compress
    compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(2 * len(content) + 1024)
    n = compress(room, ctypes.c_size_t(len(room)), content, ctypes.c_size_t(len(content)),
                 ctypes.c_int(1))
    return room.raw[:n]


def seal(material, metric, section, blocks, omitted, group, **fields):
    """The bytes of a file: header, index and checksums for model and blocks. Omitted values are as in FORGED."""
    rules = material.rules
    width = 2 if fields["mode"] == reader.BY_MODEL else 4
    index = []
    for first in range(0, len(blocks), group):
        of_group = blocks[first:first + group]
        index += [len(block).to_bytes(width, "little") for block in of_group]
        index.append(reader.xxh64(b"".join(of_group)).to_bytes(8, "little"))
    index = b"".join(index)
    if fields["mode"] == reader.BY_MODEL:
        index = frame(index)
    sections = [section, b"".join(blocks), index]
    places = []
    at = 256
    for part in sections:
        places.append((at, len(part)))
        at += len(part)
    header = struct.pack(
        "<8s4H24sH8B HI 2QI 4B 12Q", reader.MAGIC, reader.VERSION, reader.VERSION,
        rules.number, rules.game, material.rules_name.encode(), rules.squares, metric,
        int(metric == DTW), *material.counts,
        material.n_sides, fields["mode"], material.n_states, fields["per_block"],
        material.n_indices, len(blocks), 0, group, 0,
        next((1 + side for side in (0, 1) if side in omitted), 0), int(LAST_RUNS in omitted),
        *places[0], *places[2], *places[1], at,
        0, 0, 0,
        reader.xxh64(sections[0]), reader.xxh64(sections[2])) + bytes(72)
    return b"".join([header, reader.xxh64(header).to_bytes(8, "little"), *sections])


def forge(material, metric, per_block, model, blocks, n_blocks, omitted, group):
    """The bytes of a file with that model and those blocks; other blocks are empty."""
    return seal(material, metric, frame(model), [blocks.get(i, b"") for i in range(n_blocks)],
                omitted, group, mode=reader.BY_MODEL, per_block=per_block)


def compare_packed(rules):
    """Fails if a table in a pack differs from its file."""
    files = folder / "wdl"
    made = folder / f"{rules}.pack"
    run_program("pack", made, "--rules", rules, "--tables", files)
    data = made.read_bytes()
    tables = reader.read_pack(data)
    names = sorted(f"{rules}/{file.name}" for file in (files / rules).glob("*.wdl"))
    reader.expect(list(tables) == names, f"{rules}: the pack has {list(tables)}, not {names}")
    for name, table in tables.items():
        reader.expect(table == (files / name).read_bytes(), f"{rules}: {name} in the pack")
    for at in range(0, 64 + 48 * len(names), 5):
        damaged = bytearray(data)
        damaged[at] ^= 16
        try:
            reader.read_pack(bytes(damaged))
        except reader.TableError:
            continue
        raise reader.TableError(f"{rules}: byte {at} of the pack may be anything")
    return rules, "pack", [], 0, 0


def compare_forged(number):
    """Compares a table with a model and blocks of random bytes: every value of those blocks."""
    rules, name, metric, per_block, n_filled, largest, *omitted = FORGED[number]
    chance = random.Random(number)
    material = material_named(rules, name)
    n_sides = material.n_sides - (0 in omitted) - (1 in omitted)
    n_bytes = reader.Layout(material, metric == DTW).n_bytes * n_sides
    model = bytes(chance.randint(-largest, largest) & 255 for _ in range(n_bytes))
    n_blocks = -(-material.n_indices // per_block) * n_sides
    blocks = {chance.randrange(n_blocks): chance.randbytes(chance.choice((3, 500, 5000, 50000)))
              for _ in range(n_filled)}
    group = chance.randint(1, 63) if n_blocks < 10000 else 64
    data = forge(material, metric, per_block, model, blocks, n_blocks, omitted, group)
    tables = folder / f"forged-{number}"
    (tables / rules).mkdir(parents=True)
    (tables / material.file_name(metric)).write_bytes(data)
    # Omitted values depend on other tables, which are solved ones.
    by_rules = LAST_RUNS in omitted and \
        (name in SMALL or name == SAMPLED and metric in sampled_metrics())
    if by_rules:
        for file in (tables_folder(metric, PLAIN) / rules).iterdir():
            if not (tables / rules / file.name).exists():
                shutil.copy(file, tables / rules)
    values = Values(rules, tables, metric)
    table = values.table(name)[0]
    lines = []
    n_values = 0
    for block in blocks:
        place, first = divmod(block, table.n_side_blocks)
        side = table.sides[place]
        for index, pattern in enumerate(table.block(block), first * per_block):
            if pattern is not None:
                if by_rules and index % LAST_RUNS_STEP == 0:
                    pattern = values.pattern(name, side, index, pattern)
                n_values += reader.n_told(pattern)
                lines += questions(material, side, index, pattern)
    return rules, f"{name} (forged)", [table.mode], n_values, \
        ask(material, tables, lines, metric == DTW)


def work(task):
    function, *arguments = task
    try:
        return function(*arguments)
    except reader.TableError as error:
        return f"{' '.join(map(str, arguments))}: {error}"


def main():
    global whole, program, folder
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    whole = sys.argv[3:] == ["--all"]
    shutil.rmtree(folder, ignore_errors=True)
    tasks = [(compare_sample, metric) for metric in sampled_metrics()]
    tasks += [(compare_table, rules, name) for name in SMALL for rules in GAMES
              if name in names_of(rules)]
    tasks += [(compare_packed, rules) for rules in GAMES[:2]]
    tasks += [(compare_forged, number) for number in range(len(FORGED))
              if whole or number not in SLOW_FORGED]
    faults = n_values = n_answers = 0
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for fault in pool.imap(work, [(make_tables, WDL), (make_tables, DTW)]):
            if fault:
                sys.exit(fault)
        for result in pool.imap_unordered(work, tasks):
            if isinstance(result, str):
                print("FAULT", result, flush=True)
                faults += 1
                continue
            rules, name, modes, values, answers = result
            n_values += values
            n_answers += answers
            print(rules, name, f"modes {modes}: {values} values, {answers} answers", flush=True)
    shutil.rmtree(folder)
    print(f"{n_values} values decoded, {n_answers} answers of the program compared, "
          f"{faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
