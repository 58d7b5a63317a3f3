"""The rules of the games, written from docs/rules.md alone.

For tables that omit a side to move or last runs: the omitted values follow from the moves. It shares nothing
with the library and is written to be read, not to be fast.
"""

import collections

import reader
from reader import DTW, OMITTED, VALUE_DRAW, VALUE_LONGEST_WIN, VALUE_WIN_IN_1, Table, material_named

WHITE, BLACK = 0, 1
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
STRAIGHT = [(-2, 0), (2, 0), (0, -2), (0, 2)]
MAX_IN_A_ROW = 3

# Squares from 0 in sets of bits, by side; a run is None or the king's square and its count.
Position = collections.namedtuple("Position", "side men kings runs")
Move = collections.namedtuple("Move", "origin to captured king")


def bits(squares):
    return sum(1 << s for s in squares)


def squares_of(bits_):
    return [s for s in range(bits_.bit_length()) if bits_ >> s & 1]


def before(value):
    """The value of a move for the side that makes it, from the value of the state after it."""
    return VALUE_WIN_IN_1 - value + (value > VALUE_LONGEST_WIN)


class Game:
    """The moves of one rule set."""

    def __init__(self, rules_name):
        self.rules = reader.RULES[rules_name]
        board = reader.Board(self.rules)
        self.n = board.n
        self.english = self.rules.game == 21
        self.frisian = self.rules.game == 40

        def ray(square, step):
            line = []
            while (square := board.step(square, *step)) is not None:
                line.append(square)
            return line

        steps = DIAGONAL + (STRAIGHT if self.frisian else [])
        self.rays = {step: [ray(square, step) for square in range(self.n)] for step in steps}
        half = board.columns // 2
        self.far_row = range(half), range(self.n - half, self.n)

    def is_forward(self, side, step):
        return (step[0] < 0) == (side == WHITE)

    def has_run(self, position, side):
        return bool(self.rules.king_runs and position.men[side] and position.kings[side])

    # Simple moves

    def simple_moves(self, position):
        side = position.side
        taken = sum(position.men) + sum(position.kings)
        moves = []
        for square in squares_of(position.men[side]):
            for step in DIAGONAL:
                line = self.rays[step][square]
                if self.is_forward(side, step) and line and not taken >> line[0] & 1:
                    moves.append(Move(square, line[0], 0, False))
        run = position.runs[side]
        for square in squares_of(position.kings[side]):
            if run == (square, MAX_IN_A_ROW):
                continue
            for step in DIAGONAL:
                for to in self.rays[step][square][:1 if self.english else None]:
                    if taken >> to & 1:
                        break
                    moves.append(Move(square, to, 0, True))
        return moves

    # Captures

    def captures(self, position):
        """The legal captures, and True if other captures take too little."""
        side = position.side
        found = set()
        for pieces, king in ((position.men[side], False), (position.kings[side], True)):
            for square in squares_of(pieces):
                self._go_on(position, square, square, king, 0, found)
        if self.english or not found:
            return found
        kings = position.kings[1 - side]

        def worth(move):
            n_kings = (move.captured & kings).bit_count()
            n_men = move.captured.bit_count() - n_kings
            return (2 * n_kings + n_men, -n_kings) if self.frisian else n_kings + n_men

        best = max(map(worth, found))
        found = {move for move in found if worth(move) == best}
        if self.frisian and any(move.king for move in found):
            found = {move for move in found if move.king}
        return found

    def _go_on(self, position, origin, square, king, captured, found):
        """Adds the completed captures that continue from a square."""
        side = position.side
        others = position.men[1 - side] | position.kings[1 - side]
        taken = (position.men[side] | position.kings[side] | others) & ~(1 << origin)
        ended = True
        for step, rays in self.rays.items():
            if self.english and not king and not self.is_forward(side, step):
                continue
            line = rays[square]
            at = 0
            while king and not self.english and at < len(line) and not taken >> line[at] & 1:
                at += 1
            if at + 1 >= len(line) or not (others & ~captured) >> line[at] & 1:
                continue
            for to in line[at + 1:None if king and not self.english else at + 2]:
                if taken >> to & 1:
                    break
                ended = False
                self._go_on(position, origin, to, king, captured | 1 << line[at], found)
        if ended and captured:
            found.add(Move(origin, square, captured, king))

    # Positions after a move

    def after(self, position, move):
        side, other = position.side, 1 - position.side
        men, kings, runs = list(position.men), list(position.kings), list(position.runs)
        own = kings if move.king else men
        own[side] &= ~(1 << move.origin)
        if move.king or move.to in self.far_row[side]:
            kings[side] |= 1 << move.to
        else:
            men[side] |= 1 << move.to
        men[other] &= ~move.captured
        kings[other] &= ~move.captured
        if move.king and not move.captured:
            same = runs[side] is not None and runs[side][0] == move.origin
            runs[side] = move.to, runs[side][1] + 1 if same else 1
        else:
            runs[side] = None
        result = Position(other, tuple(men), tuple(kings), None)
        for s in (side, other):
            if runs[s] is not None and not (self.has_run(result, s) and kings[s] >> runs[s][0] & 1):
                runs[s] = None
        return result._replace(runs=tuple(runs))


class Values:
    """The values of a folder in one metric, stored and omitted."""

    def __init__(self, rules_name, folder, metric):
        self.rules_name, self.folder, self.metric = rules_name, folder, metric
        self.game = Game(rules_name)
        self.tables = {}
        self.n_found = 0  # number of omitted values computed

    def table(self, name):
        if name not in self.tables:
            material = material_named(self.rules_name, name)
            table = Table((self.folder / material.file_name(self.metric)).read_bytes(), material,
                          self.metric)
            ranks = [{bits(s): i for i, s in enumerate(group.sets)} for group in material.groups]
            self.tables[name] = table, ranks, {}
        return self.tables[name]

    def value(self, position):
        """The value of any position; if two kings stand against one, with a new clock."""
        side = position.side
        if not position.men[side] | position.kings[side]:
            return 0
        captures = self.game.captures(position)
        if captures:
            value = max(before(self.value(self.game.after(position, move))) for move in captures)
            value = self._as_told(position, value)
        else:
            value = self._quiet(position)
        return self._limited(position, value)

    def _as_told(self, position, value):
        """The value as the table of a position would store it."""
        _, name = self._canonical(position)
        if self.metric == DTW or reader.keeps_distances(self.rules_name, name):
            return value
        return 0 if value < VALUE_DRAW else value if value == VALUE_DRAW else VALUE_WIN_IN_1

    def _limited(self, position, value):
        n_kings = [kings.bit_count() for kings in position.kings]
        if any(position.men) or sorted(n_kings) != [1, 2] or not self.game.rules.kings_clock:
            return value
        plies = 2 * value if value < VALUE_DRAW else 2 * (VALUE_WIN_IN_1 - value) + 1
        if n_kings[position.side] == 2:
            return VALUE_DRAW if value > VALUE_DRAW and plies > 13 else value
        return VALUE_DRAW if value < VALUE_DRAW and plies > 14 else value

    def _quiet(self, position):
        """The value of a position without a capture."""
        canonical, name = self._canonical(position)
        table, ranks, blocks = self.table(name)
        if table.omitted == canonical.side:
            return self.from_moves(position)
        material = table.material
        state = 0
        is_omitted = False
        for s in (WHITE, BLACK):
            run = 0
            if canonical.runs[s] is not None:
                square, count = canonical.runs[s]
                if count == MAX_IN_A_ROW and s == canonical.side and table.last_runs_omitted[s]:
                    is_omitted = True
                    count -= 1
                lower = (canonical.kings[s] & (1 << square) - 1).bit_count()
                run = 1 + 3 * lower + count - 1
            state = state * material.n_runs[s] + run
        sets = (canonical.men[WHITE], canonical.men[BLACK], canonical.kings[WHITE],
                canonical.kings[BLACK])
        index = sum(rank[s] * group.stride
                    for rank, s, group in zip(ranks, sets, material.groups))
        number = table.first_block(canonical.side) + index // table.per_block
        if number not in blocks:
            blocks[number] = table.block(number)
        value = blocks[number][index % table.per_block][state]
        if is_omitted:  # and no better than with the shorter run
            return min(self.from_moves(position), value)
        return value

    def from_moves(self, position):
        """The best value among the moves of a position without a capture."""
        self.n_found += 1
        value = max((before(self.value(self.game.after(position, move)))
                     for move in self.game.simple_moves(position)), default=0)
        return self._as_told(position, value)

    def _canonical(self, position):
        """The position as stored in a table, and the table's name."""
        counts = [(k.bit_count(), m.bit_count()) for k, m in zip(position.kings, position.men)]
        strength = [(k + m, k) for k, m in counts]
        if strength[WHITE] < strength[BLACK] or (
                strength[WHITE] == strength[BLACK] and position.side == BLACK):
            position = self.turned(position)
            counts.reverse()
        return position, "v".join("K" * k + "M" * m for k, m in counts)

    def turned(self, position):
        last = self.game.n - 1

        def turn(pieces):
            return tuple(bits(last - s for s in squares_of(p)) for p in reversed(pieces))

        runs = tuple(run and (last - run[0], run[1]) for run in reversed(position.runs))
        return Position(1 - position.side, turn(position.men), turn(position.kings), runs)

    def pattern(self, name, side, index, told=None):
        """The values of a placement without a capture, by run state, as its table would store them. Values
        that are stored, and given in `told`, are taken over."""
        table = self.table(name)[0]
        material = table.material
        wm, bm, wk, bk = material.squares(index)

        def run(kings, number):
            return (kings[(number - 1) // 3], (number - 1) % 3 + 1) if number else None

        values = [OMITTED] * material.n_states if told is None else list(told)
        for state, value in enumerate(values):
            if value != OMITTED:
                continue
            white, black = divmod(state, material.n_runs[1])
            runs = run(wk, white), run(bk, black)
            values[state] = self._quiet(
                Position(side, (bits(wm), bits(bm)), (bits(wk), bits(bk)), runs))
        return bytes(values)
