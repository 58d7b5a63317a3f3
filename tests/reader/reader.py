#!/usr/bin/env python3
"""An independent reader of the table file, written from docs/format.md alone.

It shares nothing with the library and is written to be read, not to be fast: a table is decoded as a
whole. Run as a program it checks table files and prints their content.
"""

import argparse
import collections
import ctypes
import functools
import itertools
import math
import pathlib
import re
import struct
import sys

VERSION = 2
MAGIC = b"EINSPUL\x1a"
WDL, DTW = 1, 2
BY_DISTANCE, BY_MODEL, BY_OUTCOME = 1, 2, 3
LOSS, DRAW, WIN = 1, 2, 3
CHUNK = 1 << 20
STEP = 256
OMITTED = 255  # marks an omitted value, computed by reader_rules.py

VALUE_DRAW, VALUE_LONGEST_WIN, VALUE_WIN_IN_1 = 127, 128, 254

Rules = collections.namedtuple("Rules", "number game squares king_runs kings_clock")

RULES = {
    "frisian": Rules(1, 40, 50, True, True),
    "frisian-no17": Rules(2, 40, 50, False, True),
    "frisian-no18": Rules(3, 40, 50, True, False),
    "frisian-free": Rules(4, 40, 50, False, False),
    "international": Rules(5, 20, 50, False, False),
    "english": Rules(6, 21, 32, False, False),
    "brazilian": Rules(7, 26, 32, False, False),
}


def keeps_distances(rules_name, name):
    """True if a material's table stores distances in both metrics."""
    return RULES[rules_name].kings_clock and name in ("KKvK", "KvK")


class TableError(Exception):
    """A fault in a table file."""


def expect(condition, what):
    if not condition:
        raise TableError(what)


# Checksums and compression

MASK64 = (1 << 64) - 1
PRIMES = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
          2870177450012600261)


def rotate(x, n):
    return (x << n | x >> (64 - n)) & MASK64


def xxh64(data):
    """XXH64 of bytes, seed 0."""
    p1, p2, p3, p4, p5 = PRIMES

    def mixed(accumulator, word):
        x = (accumulator + word * p2) & MASK64
        return ((x << 31 | x >> 33) & MASK64) * p1 & MASK64

    n_stripes = len(data) // 32
    if n_stripes:
        a, b, c, d = (p1 + p2) & MASK64, p2, 0, -p1 & MASK64
        for w, x, y, z in struct.iter_unpack("<4Q", data[:32 * n_stripes]):
            a, b, c, d = mixed(a, w), mixed(b, x), mixed(c, y), mixed(d, z)
        h = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)
        for accumulator in (a, b, c, d):
            h = ((h ^ mixed(0, accumulator)) * p1 + p4) & MASK64
    else:
        h = p5
    h = (h + len(data)) & MASK64
    at = 32 * n_stripes
    while at + 8 <= len(data):
        h ^= mixed(0, int.from_bytes(data[at:at + 8], "little"))
        h = (rotate(h, 27) * p1 + p4) & MASK64
        at += 8
    if at + 4 <= len(data):
        h ^= int.from_bytes(data[at:at + 4], "little") * p1 & MASK64
        h = (rotate(h, 23) * p2 + p3) & MASK64
        at += 4
    for byte in data[at:]:
        h ^= byte * p5 & MASK64
        h = rotate(h, 11) * p1 & MASK64
    h = (h ^ h >> 33) * p2 & MASK64
    h = (h ^ h >> 29) * p3 & MASK64
    return h ^ h >> 32


ZSTD = ctypes.CDLL("libzstd.so.1")
ZSTD.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
ZSTD.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
ZSTD.ZSTD_findFrameCompressedSize.restype = ctypes.c_size_t
ZSTD.ZSTD_findFrameCompressedSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
ZSTD.ZSTD_decompress_usingDict.restype = ctypes.c_size_t
ZSTD.ZSTD_decompress_usingDict.argtypes = [
    ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t,
    ctypes.c_char_p, ctypes.c_size_t]
ZSTD.ZSTD_createDCtx.restype = ctypes.c_void_p
CONTEXT = ZSTD.ZSTD_createDCtx()


def decompressed(frame, most, what, dictionary=b""):
    """The content of one zstd frame, at most that many bytes."""
    size = ZSTD.ZSTD_getFrameContentSize(frame, len(frame))
    expect(size <= most, f"{what}: no zstd frame, or too large")
    # The descriptor's bits 0 to 2: checksum and dictionary ID.
    expect(frame[4] & 7 == 0, f"{what}: a checksum or a dictionary ID")
    expect(ZSTD.ZSTD_findFrameCompressedSize(frame, len(frame)) == len(frame),
           f"{what}: not one frame")
    content = ctypes.create_string_buffer(max(size, 1))
    expect(ZSTD.ZSTD_decompress_usingDict(CONTEXT, content, size, frame, len(frame), dictionary,
                                          len(dictionary)) == size, f"{what}: damaged")
    return content.raw[:size]


# Board and captures

class Board:
    """The board, with squares from 0, and the conditions of captures."""

    def __init__(self, rules):
        self.n = rules.squares
        self.columns = 10 if self.n == 50 else 8
        self.game = rules.game
        half = self.columns // 2
        self.square_at = {(s // half, 2 * (s % half) + (1 - s // half % 2)): s
                          for s in range(self.n)}
        self.place_of = {square: place for place, square in self.square_at.items()}
        # captures[white][king][a][b]: what must be empty for a piece on a to capture one on b.
        self.captures = [[self._captures(white, king) for king in (False, True)]
                         for white in (False, True)]

    def step(self, square, rows, columns):
        row, column = self.place_of[square]
        return self.square_at.get((row + rows, column + columns))

    def _captures(self, white, king):
        directions = [(rows, columns) for rows in (-1, 1) for columns in (-1, 1)]
        if self.game == 21 and not king:
            directions = [d for d in directions if (d[0] < 0) == white]
        if self.game == 40:
            directions += [(-2, 0), (2, 0), (0, -2), (0, 2)]
        needs = [{} for _ in range(self.n)]
        for a, direction in itertools.product(range(self.n), directions):
            empty = 0
            b = self.step(a, *direction)
            while b is not None:
                behind = self.step(b, *direction)
                if behind is not None:
                    needs[a][b] = empty | 1 << behind
                if not king or self.game == 21:
                    break
                empty |= 1 << b
                b = behind
        return needs

    def men_squares(self, white):
        """The squares a man may stand on."""
        half = self.columns // 2
        return range(half, self.n) if white else range(self.n - half)


# Materials and placements

Group = collections.namedtuple("Group", "white king count first sets stride")


class Material:
    """The placements of one material, in the order of their indices."""

    def __init__(self, rules_name, name):
        self.rules_name, self.name = rules_name, name
        rules = self.rules = RULES[rules_name]
        match = re.fullmatch("(K*)(M*)v(K*)(M*)", name)
        expect(match, f"{name}: no material")
        wk, wm, bk, bm = (len(letters) for letters in match.groups())
        expect(wk + wm >= 1 and bk + bm >= 1, f"{name}: a side without pieces")
        expect((wk + wm, wk) >= (bk + bm, bk), f"{name}: not canonical")
        self.counts = wm, wk, bm, bk
        self.n_sides = 1 if (wm, wk) == (bm, bk) else 2
        self.board = Board(rules)

        def n_runs(men, kings):
            return 1 + 3 * kings if rules.king_runs and men and kings else 1

        self.n_runs = n_runs(wm, wk), n_runs(bm, bk)
        self.n_states = self.n_runs[0] * self.n_runs[1]

        # From the slowest to the fastest part of the index, which is also the order of the slots.
        self.groups = []
        stride = 1
        for white, king, count in ((False, True, bk), (True, True, wk), (False, False, bm),
                                   (True, False, wm)):
            squares = range(self.board.n) if king else self.board.men_squares(white)
            sets = sorted(itertools.combinations(squares, count), key=lambda s: s[::-1])
            self.groups.insert(0, Group(white, king, count, squares[0], sets, stride))
            stride *= len(sets)
        self.n_indices = stride
        self._stored = {}

    def has_runs(self, side):
        """True if a side has men and kings, and so runs."""
        return self.n_runs[side] > 1

    def file_name(self, metric):
        return f"{self.rules_name}/{self.name}.{'wdl' if metric == WDL else 'dtw'}"

    def squares(self, index):
        """White's men, Black's men, White's kings, Black's kings; each from the lowest square."""
        return [group.sets[index // group.stride % len(group.sets)] for group in self.groups]

    def stored(self, side, first, n):
        """For n indices, True for those stored with that side to move (0: White)."""
        end = first + n
        flags = b"".join(self._stored_step(side, begin) for begin in range(
            first // STEP * STEP, end, STEP))
        return flags[first % STEP:][:n]

    def _stored_step(self, side, first):
        key = side, first
        if key not in self._stored:
            end = min(first + STEP, self.n_indices)
            self._stored[key] = bytes(self._is_stored(side, i) for i in range(first, end))
        return self._stored[key]

    def _is_stored(self, side, index):
        wm, bm, wk, bk = self.squares(index)
        squares = wm + bm + wk + bk
        occupied = 0
        for square in squares:
            occupied |= 1 << square
        if occupied.bit_count() < len(squares):
            return False
        man_captures, king_captures = self.board.captures[side == 0]
        men, kings, others = (wm, wk, bm + bk) if side == 0 else (bm, bk, wm + wk)
        for pieces, captures in ((men, man_captures), (kings, king_captures)):
            for a in pieces:
                needs = captures[a]
                for b in others:
                    if b in needs and occupied & needs[b] == 0:
                        return False
        return True


@functools.cache
def material_named(rules_name, name):
    """The Material of a name, shared by its tables, because finding the stored placements is slow."""
    return Material(rules_name, name)


# The file

class Table:
    """One table file: checks header and index, and decodes blocks on demand."""

    def __init__(self, data, material, metric):
        self.data, self.material, self.metric = data, material, metric
        self._check_header()
        self._read_models()
        self._read_index()

    def _check_header(self):
        data, material, rules = self.data, self.material, self.material.rules
        expect(data[:8] == MAGIC, "not a table file")
        expect(len(data) >= 256, "header cut off")
        header = struct.unpack_from("<8s4H24sH8B HI 2QI 4B 12Q", data)
        (_, read_version, write_version, rule_set, game, name, squares, metric, flags,
         wm, wk, bm, bk, n_sides, self.mode, n_states, self.per_block, n_indices, n_blocks,
         zeros, self.group, zero, omitted, last_runs, at_model,
         n_model_bytes, at_index, n_index_bytes, at_blocks, n_block_bytes, n_bytes,
         self.value_hash, *rest) = header
        self.n_stored = rest[:2]
        self.model_hash, self.index_hash = rest[2:4]
        expect(xxh64(data[:248]) == int.from_bytes(data[248:256], "little"), "header checksum")
        expect(1 <= read_version <= VERSION <= write_version,
               f"versions {read_version} and {write_version}")
        expect(n_bytes == len(data), f"{len(data)} bytes, not {n_bytes}")
        expect(rule_set == rules.number, "another rule set")
        expect((wm, wk, bm, bk) == material.counts, "another material")
        expect(metric == self.metric, "another metric")

        keeps_them = keeps_distances(material.rules_name, material.name)
        self.has_distances = metric == DTW or keeps_them
        derived = [
            ("game type", game, rules.game),
            ("name", name, material.rules_name.encode().ljust(24, b"\0")),
            ("squares", squares, rules.squares),
            ("flags", flags, int(self.has_distances)),
            ("sides", n_sides, material.n_sides),
            ("run states", n_states, material.n_states),
            ("indices", n_indices, material.n_indices),
            ("reserved bytes", (zeros, zero, data[176:248]), (0, 0, bytes(72))),
            ("offset of the model", at_model, 256),
            ("offset of the blocks", at_blocks, at_model + n_model_bytes),
            ("offset of the index", at_index, at_blocks + n_block_bytes),
            ("bytes of the file", n_bytes, at_index + n_index_bytes),
        ]
        for what, found, wanted in derived:
            expect(found == wanted, f"{what}: {found}, not {wanted}")
        expect(self.mode in (BY_MODEL, BY_DISTANCE if flags else BY_OUTCOME),
               f"dictionary mode {self.mode}")
        expect(self.per_block in [1 << i for i in range(8, 13 if self.mode == BY_MODEL else 17)],
               f"{self.per_block} placements a block")
        expect(omitted in range(3), f"side that is left out: {omitted}")
        self.omitted = omitted - 1 if omitted else None
        self.sides = [side for side in range(n_sides) if side != self.omitted]  # that are stored
        if omitted:
            expect(n_sides == 2 and not keeps_them, "a side that is left out")
        expect(last_runs in (0, 1), f"last runs that are left out: {last_runs}")
        # True if last runs are omitted with that side to move.
        self.last_runs_omitted = [last_runs == 1 and material.has_runs(side)
                                   for side in range(n_sides)]
        if last_runs:
            expect(self.mode == BY_MODEL and (material.has_runs(0) or material.has_runs(1)),
                   "last runs that are left out")
        self.n_side_blocks = -(-n_indices // self.per_block)
        self.n_blocks = self.n_side_blocks * len(self.sides)
        expect(n_blocks == self.n_blocks, "number of blocks")
        expect(1 <= self.group <= (128 if self.mode == BY_MODEL else 1), "groups of the index")
        expect(self.mode == BY_MODEL or n_model_bytes <= (65536 if self.mode == BY_OUTCOME else 0),
               "a model that is not used")
        expect(n_sides == 2 or self.n_stored[1] == 0, "placements with Black to move")

        self.model_section = data[at_model:at_blocks]
        self.block_section = data[at_blocks:at_index]
        self.index_section = data[at_index:]

    def _read_models(self):
        section = self.model_section
        expect(xxh64(section) == self.model_hash, "model checksum")
        if self.mode == BY_MODEL:
            layout = Layout(self.material, self.has_distances)
            n_bytes = layout.n_bytes * len(self.sides)
            weights = decompressed(section, n_bytes, "model")
            expect(len(weights) == n_bytes, "bytes of the model")
            self.models = [Model(layout, weights[i * layout.n_bytes:][:layout.n_bytes], side,
                                 self.last_runs_omitted[side])
                           for i, side in enumerate(self.sides)]

    def _read_index(self):
        expect(xxh64(self.index_section) == self.index_hash, "index checksum")
        width = 2 if self.mode == BY_MODEL else 4
        n_bytes = width * self.n_blocks + 8 * -(-self.n_blocks // self.group)
        index = self.index_section
        if self.mode == BY_MODEL:
            expect(len(index) <= n_bytes + n_bytes // 256 + 64, "bytes of the index")
            index = decompressed(index, n_bytes, "index")
        expect(len(index) == n_bytes, "bytes of the index")
        self.begins, self.group_hashes = [0], []
        at = 0
        while len(self.begins) <= self.n_blocks:
            for _ in range(min(self.group, self.n_blocks + 1 - len(self.begins))):
                size = int.from_bytes(index[at:at + width], "little")
                at += width
                expect(size or self.mode == BY_MODEL, "a block of no bytes")
                self.begins.append(self.begins[-1] + size)
            self.group_hashes.append(int.from_bytes(index[at:at + 8], "little"))
            at += 8
        expect(self.begins[-1] == len(self.block_section), "sizes of the blocks")
        self.checked_groups = set()

    def block(self, number):
        """The patterns of a block's placements; None for don't-cares, OMITTED for last runs."""
        self._check_group(number // self.group)
        content = self.block_section[self.begins[number]:self.begins[number + 1]]
        model, first = divmod(number, self.n_side_blocks)
        side = self.sides[model]
        first *= self.per_block
        n = min(self.per_block, self.material.n_indices - first)
        stored = self.material.stored(side, first, n)
        if self.mode == BY_MODEL:
            return self.models[model].decode(content, first, stored)
        if self.mode == BY_OUTCOME:
            return self._outcomes(content, stored)
        patterns, numbers = self._pattern_numbers(content, n)
        last = next((k for k in range(n) if stored[k]), None)
        result = []
        for k, pattern_number in enumerate(numbers):
            if stored[k]:
                last = k
                result.append(patterns[pattern_number])
            else:
                expect(pattern_number == (0 if last is None else numbers[last]),
                       f"block {number}: a don't-care's pattern")
                result.append(None)
        return result

    def _check_group(self, group):
        if group not in self.checked_groups:
            begin = self.begins[group * self.group]
            end = self.begins[min((group + 1) * self.group, self.n_blocks)]
            expect(xxh64(self.block_section[begin:end]) == self.group_hashes[group],
                   f"checksum of blocks {group * self.group} and on")
            self.checked_groups.add(group)

    def _by_placement(self, content):
        """Decodes patterns written by run state."""
        n = len(content) // self.material.n_states
        return [content[i::n] for i in range(n)]

    def _pattern_numbers(self, content, n):
        content = decompressed(content, 4 + n * self.material.n_states + 2 * n, "block")
        n_patterns = int.from_bytes(content[:4], "little")
        expect(1 <= n_patterns <= min(n, 65533), "number of a block's patterns")
        end = 4 + n_patterns * self.material.n_states
        patterns = self._by_placement(content[4:end])
        expect(patterns == sorted(set(patterns)), "order of a block's patterns")
        content = content[end:]
        numbers = content[:n]
        if len(patterns) > 256:
            numbers = [low | high << 8 for low, high in zip(numbers, content[n:])]
            content = content[n:]
        expect(len(content) == n, "decompressed size of a block")
        expect(max(numbers) < len(patterns), "a pattern number")
        return patterns, numbers

    def _outcomes(self, content, stored):
        n, n_states = len(stored), self.material.n_states
        n_codes, size = -(-n // 4), -(-n_states // 4)
        content = decompressed(content, 4 + n * (2 + n_states), "block", self.model_section)
        codes = [byte >> shift & 3 for byte in content[:n_codes] for shift in (0, 2, 4, 6)]
        expect(len(content) >= n_codes and not any(codes[n:]), "codes of a block")
        content = content[n_codes:]
        patterns, numbers = [], []
        if n_states > 1:
            n_patterns = int.from_bytes(content[:2], "little")
            at = 2 + n_patterns * size
            packed = [content[i:i + size] for i in range(2, at, size)]
            patterns = [[byte >> shift & 3 for byte in pattern for shift in (0, 2, 4, 6)]
                        for pattern in packed]
            for pattern in patterns:
                expect(3 not in pattern and not any(pattern[n_states:]) and
                       len(set(pattern[:n_states])) > 1, "a pattern of a block")
            width = 2 if n_patterns > 256 else 1
            numbers = [int.from_bytes(content[i:i + width], "little")
                       for i in range(at, len(content), width)]
            expect(len(content) == at + width * len(numbers), "numbers of a block")
            often = [0] * n_patterns
            for number in numbers:
                expect(number < n_patterns, "a pattern number")
                often[number] += 1
            expect(0 not in often and len(set(packed)) == n_patterns, "patterns of a block")
            order = [(-count, [127 * code for code in pattern])
                     for count, pattern in zip(often, patterns)]
            expect(order == sorted(order), "order of a block's patterns")
        else:
            expect(not content, "bytes after the codes")
        expect(codes.count(3) == len(numbers), "uneven placements of a block")
        last = next((code for code, kept in zip(codes, stored) if kept and code < 3), 0)
        numbers = iter(numbers)
        result = []
        for code, kept in zip(codes, stored):
            if not kept:
                expect(code == last, "a don't-care's code")
                result.append(None)
                continue
            last = code if code < 3 else last
            pattern = patterns[next(numbers)][:n_states] if code == 3 else [code] * n_states
            result.append(bytes(127 * outcome for outcome in pattern))
        return result

    def first_block(self, side):
        """The first block of a side that is stored."""
        return self.sides.index(side) * self.n_side_blocks

    def values(self, side):
        """For each index its pattern (values by run state); None for don't-cares."""
        first = self.first_block(side)
        return list(itertools.chain.from_iterable(
            self.block(number) for number in range(first, first + self.n_side_blocks)))

    def check(self, sides):
        """Compares counts and value hash with all values. Omitted values come from reader_rules.py."""
        hashes = b""
        found = set()
        for side, values in enumerate(sides):
            for first in range(0, len(values), CHUNK):
                patterns = [p for p in values[first:first + CHUNK] if p is not None]
                hashes += xxh64(b"".join(patterns)).to_bytes(8, "little")
                found.update(patterns)
            expect(len(values) - values.count(None) == self.n_stored[side], "stored placements")
        expect(xxh64(hashes) == self.value_hash, "value hash")
        allowed = range(255) if self.has_distances else (0, 127, 254)
        expect(set().union(*found) <= set(allowed), "a value that may not be in the file")


def n_told(pattern):
    """The number of values of a pattern that are not omitted."""
    return len(pattern) - pattern.count(OMITTED)


# The model

(EQUAL, OUTCOME, FAR, ZERO, SIGN, MORE, RUN_ZERO, RUN_SIGN, RUN_MORE, AROUND, N_CONTEXTS) = (
    0, 1024, 1280, 1536, 1568, 1600, 1728, 1856, 1984, 4032, 12224)

P_LIKELIER = [min(65535, round(65536 / (1 + math.exp(-a / 8)))) for a in range(96)]


class Layout:
    """The positions of vectors and lanes in a model."""

    def __init__(self, material, has_distances):
        self.material, self.has_distances = material, has_distances
        self.n_slots = sum(material.counts)
        self.always = self.n_slots * (self.n_slots - 1) // 2 * 2500
        self.level = self.always + 1
        self.n_vectors = self.level + (18 if has_distances else 0)
        self.runs = 10 if has_distances else 2
        self.n_lanes = self.runs
        if material.n_states > 1:
            self.n_lanes += 20 if has_distances else 12
        self.n_bytes = self.n_lanes * self.n_vectors + N_CONTEXTS

        # By square of the innermost piece those of the placements a to f.
        group = [group for group in material.groups if group.count][-1]
        allowed = range(material.board.n) if group.king else material.board.men_squares(group.white)
        self.past = [[to if to in allowed else None
                      for to in (material.board.step(square, rows, columns) for rows, columns in (
                          (-1, -1), (-1, 1), (-2, -2), (-2, 2), (-2, 0), (0, -2)))]
                     for square in range(material.board.n)]


class Coder:
    """Decodes the decisions of a block."""

    def __init__(self, content):
        self.words = struct.iter_unpack(">I", content + bytes(-len(content) % 4))
        self.code = self._word() << 32 | self._word()
        self.range = MASK64

    def _word(self):
        return next(self.words, (0,))[0]

    def decide(self, odds):
        likelier = odds >= 0
        bound = (self.range >> 16) * P_LIKELIER[min(abs(odds), 95)]
        if self.code < bound:
            way = likelier
            self.range = bound
        else:
            way = not likelier
            self.code -= bound
            self.range -= bound
        if self.range < 1 << 32:
            self.range <<= 32
            self.code = self.code << 32 | self._word()
        return way


Told = collections.namedtuple(
    "Told", "state own other K kind lane above below high_reference low_reference")


def chance_of_1(odds):
    """The probability of way 1, in 1/65536."""
    p = P_LIKELIER[min(abs(odds), 95)]
    return p if odds >= 0 else 65536 - p


def outcome_of(value):
    return DRAW if value == 127 else LOSS if value < 127 else WIN


def distance_of(value):
    return value if value < 127 else 254 - value


def bounded(x, low, high):
    return low if x < low else high if x > high else x


def base_4(*digits):
    return functools.reduce(lambda number, digit: 4 * number + digit, digits)


def quotient(a, b):
    """a / b, rounded towards zero."""
    return a // b if a >= 0 else -(-a // b)


def telling_order(material, side, first_lane, last_runs_omitted):
    """The run states except the fresh one, in coding order, and the number of those that come first."""
    n_other = material.n_runs[1]

    def run(number):
        return ((number - 1) // 3 + 1, (number - 1) % 3 + 1) if number else (0, 0)

    runs = []
    for state in range(material.n_states):
        pair = run(state // n_other), run(state % n_other)
        runs.append(pair if side == 0 else pair[::-1])

    longest = 2 if last_runs_omitted else 3

    def stage(state):
        (_, own), (_, other) = runs[state]
        return 1 if (own, other) == (longest, 0) else 2 if (own, other) == (0, 3) else 3

    def run_no_worse(a, b):
        """True if run a is no worse for its owner than run b."""
        return a[1] == 0 or (a[0] == b[0] and a[1] <= b[1])

    def no_worse(x, y):
        return run_no_worse(runs[x][0], runs[y][0]) and run_no_worse(runs[y][1], runs[x][1])

    def lane(own, other):
        of_count = {(2, 0): 6, (0, 2): 7, (3, 3): 8, (3, 2): 9, (2, 3): 10}
        if own[1]:
            own = own[0], own[1] + 3 - longest
        if (own[1], other[1]) == (3, 0):
            return first_lane + min(own[0], 3) - 1
        if (own[1], other[1]) == (0, 3):
            return first_lane + 3 + min(other[0], 3) - 1
        at = of_count.get((own[1], other[1]))
        return None if at is None else first_lane + at

    order = [state for state in range(1, material.n_states) if runs[state][0][1] <= longest]
    order.sort(key=lambda state: (stage(state), state))
    told = [0]
    plan = []
    for x in order:
        own, other = runs[x]
        above = [y for y in told if no_worse(y, x)]
        above = [y for y in above if not any(z != y and no_worse(y, z) for z in above)][:8]
        below = [y for y in told if no_worse(x, y)]
        below = [y for y in below if not any(z != y and no_worse(z, y) for z in below)][:8]
        if own[1] and other[1]:
            high_reference = runs.index(((0, 0), other))
            low_reference = runs.index((own, (0, 0)))
            kind = 2
        else:
            high_reference = above[0] if above else 0
            low_reference = below[0] if below else 0
            kind = 0 if own[1] else 1
        plan.append(Told(x, own, other, 4 * own[1] + other[1], kind, lane(own, other),
                         above, below, high_reference, low_reference))
        told.append(x)
    return plan, sum(stage(x) <= 2 for x in order)


class Model:
    """The model of one side to move."""

    def __init__(self, layout, weights, side, last_runs_omitted):
        self.layout, self.side = layout, side
        signed = memoryview(weights).cast("b").tolist()
        n = layout.n_vectors
        self.lanes = [signed[lane * n:(lane + 1) * n] for lane in range(layout.n_lanes)]
        self.contexts = signed[layout.n_lanes * n:]
        self.plan, self.n_first = telling_order(layout.material, side, layout.runs,
                                                last_runs_omitted)
        told = {0} | {t.state for t in self.plan}
        self.omitted = [x for x in range(layout.material.n_states) if x not in told]
    def decode(self, content, first, stored):
        """The patterns of a block of placements; None for don't-cares."""
        layout, material = self.layout, self.layout.material
        n = len(stored)
        self.coder = Coder(content)
        self.drifts = collections.Counter()
        patterns = [None] * n
        pairs = [(i, j, (j * (j - 1) // 2 + i) * 2500)
                 for j in range(layout.n_slots) for i in range(j)]
        for k in range(n):
            if not stored[k]:
                continue
            squares = [s for group in material.squares(first + k) for s in reversed(group)]
            self.square = squares[-1]
            past = [k + to - self.square if to is not None else -1
                    for to in layout.past[self.square]]
            before = [patterns[at] if at >= 0 else None for at in past]
            self.around = base_4(*(outcome_of(pattern[0]) if pattern else 0 for pattern in before))
            self.beside = before[:2]
            self.vectors = [at + 50 * squares[i] + squares[j] for i, j, at in pairs]
            self.vectors.append(layout.always)
            values = [self._fresh()] * material.n_states
            for x in self.omitted:
                values[x] = OMITTED
            self._run_states(values)
            patterns[k] = bytes(values)
        return patterns

    def _sum(self, lane):
        weights = self.lanes[lane]
        return sum([weights[vector] for vector in self.vectors])

    def _decide(self, context, lane):
        odds = 0 if context is None else self.contexts[context]
        if lane is not None:
            odds += self._sum(lane)
        return self.coder.decide(odds)

    def _decide_drifting(self, context, lane, decision):
        """Decodes a decision with drifts; its name is a number or a run state."""
        drift = decision, self.square
        odds = self.contexts[context] + (self.drifts[drift] >> 8)
        if lane is not None:
            odds += self._sum(lane)
        way = self.coder.decide(odds)
        self.drifts[drift] += (65536 * way - chance_of_1(odds)) >> 5
        return way

    def _unary(self, context, lane):
        n = 0
        while n < 15:
            if not self._decide(context + n, None if n else lane):
                return n
            n += 1
        more = 0
        for _ in range(7):
            more = 2 * more + self._decide(None, None)
        return n + more

    def _distance(self, contexts, lanes, predicted):
        zero, sign, more = contexts
        if not self._decide(zero, lanes[0]):
            return predicted
        negative = self._decide(sign, lanes[1])
        size = 1 + self._unary(more, lanes[2])
        return bounded(predicted - size if negative else predicted + size, 0, 126)

    def _fresh(self):
        """The value of the fresh state."""
        if self._decide_drifting(AROUND + self.around, 0, "draw"):
            return 127
        outcome = WIN if self._decide_drifting(AROUND + 4096 + self.around, 1, "win") else LOSS
        lost = int(outcome == LOSS)
        if not self.layout.has_distances:
            return 254 * (1 - lost)
        total = bounded(self._sum(2 + lost), 0, 504)
        predicted = (total + 2) >> 2
        levels = [9 * d + bounded(distance_of(pattern[0]) - predicted + 4, 0, 8)
                  for d, pattern in enumerate(self.beside)
                  if pattern and outcome_of(pattern[0]) == outcome]
        self.vectors += [self.layout.level + level for level in levels]
        c = 4 * lost + len(levels)
        n = self._distance((ZERO + 4 * c + total % 4, SIGN + 4 * c + total % 4, MORE + 16 * c),
                           (4 + lost, 6 + lost, 8 + lost), predicted)
        return n if lost else 254 - n

    def _run_states(self, values):
        """Fills in all run states except the fresh one."""
        fresh = values[0]
        for i, told in enumerate(self.plan):
            if i == self.n_first and all(values[t.state] == fresh for t in self.plan[:i]):
                return
            high = min([values[x] for x in told.above], default=254)
            low = max([values[x] for x in told.below], default=0)
            values[told.state] = high if low >= high else self._between(told, values, low, high)

    def _between(self, told, values, low, high):
        x, K = told.state, told.K
        if told.kind == 2:
            up = values[told.low_reference] != values[0] == values[told.high_reference]
        else:
            up = told.kind == 1
        if up:
            anchor, limit, known = low, high, bool(told.above)
            references = told.low_reference, told.high_reference
        else:
            anchor, limit, known = high, low, bool(told.below)
            references = told.high_reference, told.low_reference

        same = [0 if not pattern else 1 if pattern[x] == pattern[references[0]] else 2
                for pattern in self.beside]
        if not self._decide_drifting(EQUAL + base_4(K, outcome_of(anchor), *same), told.lane, x):
            return anchor
        pattern = self.beside[0] or self.beside[1]
        beside = outcome_of(pattern[x]) if pattern else 0
        step = (1 if self.layout.has_distances else 127) * (1 if up else -1)
        following = anchor + step
        if following == limit:
            return limit
        last = limit
        if self.layout.has_distances and known:
            if not self._decide(FAR + base_4(K, outcome_of(limit), beside), None):
                return limit
            last = limit - step
        outcome = outcome_of(following)
        while outcome != outcome_of(last) and \
                self._decide(OUTCOME + base_4(K, beside, outcome), self.layout.runs + 11):
            outcome += 1 if up else -1
        if outcome == DRAW:
            return 127
        distance = 0
        if self.layout.has_distances:
            distance = self._run_distance(told, outcome, up, (anchor, limit, known), references)
        return 254 - distance if outcome == WIN else distance

    def _run_distance(self, told, outcome, up, bounds, references):
        x, kind = told.state, told.kind
        anchor, limit, known = bounds
        lost = int(outcome == LOSS)
        runs = self.layout.runs
        direction = 1 if up == (outcome == LOSS) else -1
        base = None
        if outcome_of(anchor) == outcome:
            base, reference = anchor, references[0]
        elif known and outcome_of(limit) == outcome:
            base, reference = limit, references[1]
            direction = -direction
        said = []
        for pattern in self.beside:
            if not pattern or outcome_of(pattern[x]) != outcome:
                continue
            distance = distance_of(pattern[x])
            if base is None:
                said.append(distance)
            elif outcome_of(pattern[reference]) == outcome:
                said.append(distance - distance_of(pattern[reference]))
        mean = quotient(sum(said), len(said)) if said else 0
        if base is not None:
            further = max(mean * direction, 1)
            predicted = distance_of(base) + direction * further
            how = 3 if further > 1 else 2
        elif said:
            predicted, how = mean, 1
        else:
            predicted, how = (self._sum(runs + 18 + lost) + 2) >> 2, 0
        c = base_4(4 * lost + told.K // 4, told.K % 4, how)
        return self._distance((RUN_ZERO + c, RUN_SIGN + c, RUN_MORE + 16 * c),
                              (runs + 12 + kind, None, runs + 15 + kind), bounded(predicted, 0, 126))


def read_pack(data):
    """The tables of a pack: bytes by name, in index order."""
    expect(data[:8] == b"EINSPAK\x1a", "not a pack")
    expect(len(data) >= 64, "less than the header of a pack")
    expect(data[56:64] == xxh64(data[:56]).to_bytes(8, "little"), "header checksum")
    read_version, _, n, size, checksum = struct.unpack_from("<HHIQQ", data, 8)
    expect(read_version == 1, f"read version {read_version} of the pack")
    expect(size == len(data), f"{len(data)} bytes, not {size}")
    at = 64 + 48 * n
    expect(n < 65536 and at <= size and not any(data[32:56]), "fields of the header")
    expect(checksum == xxh64(data[64:at]), "checksum of the index")
    tables = {}
    before = b""
    for padded, n_bytes in struct.iter_unpack("<40sQ", data[64:at]):
        name = padded.rstrip(b"\0")
        expect(0 < len(name) < 40 and b"\0" not in name and before < padded, f"name {padded}")
        tables[name.decode()] = data[at:at + n_bytes]
        before = padded
        at += n_bytes
        expect(at <= size, "sizes")
    expect(at == size, "sizes")
    return tables


def main():
    parser = argparse.ArgumentParser(
        description="Checks table files and prints what they hold, a line a file: material, "
                    "metric, dictionary mode, stored placements, values. Where something is "
                    "left out, values and counts are not compared with the header.")
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="as <folder>/<rule set>/<material>.<wdl or dtw>")
    for file in map(pathlib.Path, parser.parse_args().files):
        try:
            metric = {".wdl": WDL, ".dtw": DTW}[file.suffix]
            material = Material(file.parent.resolve().name, file.stem)
            table = Table(file.read_bytes(), material, metric)
            sides = [table.values(side) for side in table.sides]
            if table.omitted is None and not any(table.last_runs_omitted):
                table.check(sides)
        except TableError as error:
            sys.exit(f"{file}: {error}")
        n = sum(table.n_stored[side] for side in table.sides)
        n_values = sum(n_told(pattern) for values in sides
                       for pattern in values if pattern is not None)
        print(material.name, file.suffix[1:], table.mode, n, n_values, sep="\t")


if __name__ == "__main__":
    main()
