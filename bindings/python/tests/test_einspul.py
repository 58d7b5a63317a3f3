"""The package against the program `einspul`: the same answers, by pipes and by ctypes.

EINSPUL_PROGRAM and EINSPUL_TABLES name the program and a folder of tables of two and three pieces, of the
rule sets frisian, frisian-lidraughts, international and international-fmjd.
"""

import shutil
import pathlib
import dataclasses
import os
import random
import subprocess
import threading

import pytest

import einspul

TABLES = os.environ["EINSPUL_TABLES"]
PROGRAM = os.environ["EINSPUL_PROGRAM"]


@pytest.fixture()
def tables():
    with einspul.open_tablebase(TABLES) as opened:
        yield opened


def random_positions(n, pieces=3, seed=1):
    """Legal positions with random king runs."""
    rng = random.Random(seed)
    found = []
    while len(found) < n:
        sets = {"white_men": 0, "white_kings": 0, "black_men": 0, "black_kings": 0}
        for square in rng.sample(range(50), pieces):
            sets[rng.choice(list(sets))] |= 1 << square
        white, black = sets["white_men"] | sets["white_kings"], sets["black_men"] | sets["black_kings"]
        if not white or not black or sets["white_men"] & 0x1F or sets["black_men"] >> 45:
            continue
        runs = [(0, 0), (0, 0)]
        for side, name in enumerate(("white", "black")):
            kings = [s + 1 for s in range(50) if sets[f"{name}_kings"] >> s & 1]
            if kings and sets[f"{name}_men"] and rng.random() < 0.5:
                runs[side] = (rng.choice(kings), rng.randint(1, 3))
        found.append(
            einspul.Position(
                **sets,
                side=rng.randint(0, 1),
                run_square=(runs[0][0], runs[1][0]),
                run_count=(runs[0][1], runs[1][1]),
            )
        )
    return found


def program_rows(texts, *options):
    """What `einspul probe` says of FENs: outcome and plies as text."""
    run = subprocess.run(
        [PROGRAM, "probe", "--tables", TABLES, *options, "-"],
        input="".join(text + "\n" for text in texts),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 2), run.stderr
    return [tuple(line.split("\t")[1:]) for line in run.stdout.splitlines()]


def program_answers(positions):
    """The same of positions, as numbers."""
    names = {"win": 1, "draw": 0, "loss": -1}
    rows = program_rows(position.fen() for position in positions)
    return [(names[row[0]], None if row[1] == "-" else int(row[1])) for row in rows]


def test_answers_are_the_program_s(tables):
    positions = random_positions(2000)
    expected = program_answers(positions)
    assert [tuple(tables.probe(position)) for position in positions] == expected
    assert [tables.probe_wdl(position) for position in positions] == [o for o, _ in expected]
    outcomes, plies = tables.probe_many(positions)
    assert list(outcomes) == [outcome for outcome, _ in expected]
    assert list(plies) == [-1 if ply is None else ply for _, ply in expected]
    assert list(tables.probe_many(positions, distances=False)) == list(outcomes)
    assert len({outcome for outcome, _ in expected}) == 3


def test_numpy_arrays(tables):
    import numpy  # its absence is a failure here: the package works without, this test does not

    positions = random_positions(500)
    made = einspul.PositionArray(positions)
    assert einspul.PositionArray.dtype().itemsize == 40
    items = numpy.zeros(len(positions), dtype=einspul.PositionArray.dtype())
    for i, position in enumerate(positions):
        items[i]["men"] = (position.white_men, position.black_men)
        items[i]["kings"] = (position.white_kings, position.black_kings)
        items[i]["side"] = position.side
        items[i]["run_square"] = position.run_square
        items[i]["run_count"] = position.run_count
    outcomes, plies = tables.probe_many(items)
    assert isinstance(outcomes, numpy.ndarray)
    again = tables.probe_many(made)
    assert list(outcomes) == list(again[0])
    assert list(plies) == list(again[1])
    assert list(tables.probe_many(items[::2])[0]) == list(outcomes)[::2]
    with pytest.raises(TypeError):
        tables.probe_many(numpy.zeros(3))


def test_moves_agree_with_probes(tables):
    for position in random_positions(300, seed=7):
        ranked = tables.moves(position)
        assert sorted(str(r.move) for r in ranked) == sorted(str(m) for m in position.moves())
        for found in ranked:
            after = tables.probe(found.move.after)
            assert after.outcome == -found.outcome
            assert position.play(found.move.text) == found.move.after
        if ranked:
            assert ranked[0].outcome == tables.probe_wdl(position)


def test_lines_end_where_they_were_told(tables):
    position = einspul.Position.from_fen("W:WK3,27:BK48")
    result = tables.probe(position)
    assert result == einspul.Result(1, 41)
    line = tables.line(position)
    assert len(line) == 41
    assert line[-1].after.pieces < 3
    assert tables.probe_wdl(line[-1].after) == -1
    assert len(tables.line(einspul.Position.from_fen("W:W28,K46:BK43"), drawn_plies=6)) == 6


def test_fen_and_state():
    fen = "W:W28,K46:BK43:H0:F1:+0+246"
    position = einspul.Position.from_fen(fen)
    assert position.run_count == (2, 0) and position.run_square == (46, 0)
    assert position.fen() == fen
    assert position.pieces == 3
    position = position.play("46-41")
    assert position.run_count == (3, 0)
    move = einspul.Position.from_fen("W:W28:B22").moves()[0]
    assert (move.from_square, move.to_square, move.captured) == (28, 17, 1 << 21)
    assert str(move) == "28x17"
    assert move.after.fen() == "B:W17:B" and einspul.Position.from_fen("B:W17:B") == move.after
    assert move.after.moves() == []
    with pytest.raises(einspul.BadInputError, match="Black has no pieces"):
        einspul.Position.from_fen("W:W17:B")


@pytest.mark.parametrize("rules", ["frisian-lidraughts", "international-fmjd"])
def test_clocks(rules):
    rng = random.Random(23)
    fresh = [position.fen().split(":H")[0] for position in random_positions(600)]
    fresh += [position.fen().split(":H")[0] for position in random_positions(200, pieces=2)]
    texts = [f"{text}:H{rng.randrange(56)}" if rng.random() < 0.9 else text for text in fresh]
    kinds = set()
    with einspul.open_tablebase(TABLES, rules=rules) as tables:
        for text, row in zip(texts, program_rows(texts, "--rules", rules, "--strict")):
            try:
                position = einspul.Position.from_fen(text, rules)
            except einspul.BadInputError as error:
                assert row[0].startswith("error: ") and row[0].endswith(str(error)), (text, row)
                kinds.add("error")
                continue
            assert position.clock == int((text + ":H0").split(":H")[1])
            assert einspul.Position.from_fen(position.fen(rules), rules) == position
            try:
                outcome, plies = tables.probe(position)
                kinds.add(row[0])
                expected = ("loss", "draw", "win")[outcome + 1], "-" if plies is None else str(plies)
                assert row == expected, text
            except einspul.UndecidedError as error:
                assert error.name == "UNDECIDED" and row[0] == "undecided", (text, row)
                kinds.add("undecided")
        late = einspul.Position.from_fen("W:WK1,K2:BK45:H4", "international-fmjd")
        if rules == "international-fmjd":
            assert tables.probe(late) == (0, None)
            assert late.play("1-6", rules).clock == 5
        else:
            assert tables.probe(einspul.Position.from_fen("W:WK1,K2:BK14:H12", rules)) == (1, 3)
    assert {"win", "draw", "loss"} <= kinds and kinds & {"error", "undecided"}


def test_finished_game(tables):
    over = einspul.Position.from_fen("B:WK5:B")
    assert tables.probe(over) == (-1, 0)
    assert tables.moves(over) == [] and tables.line(over) == []


def test_errors(tables, tmp_path):
    with pytest.raises(einspul.BadInputError, match="51"):
        einspul.Position.from_fen("W:W51:B1")
    with pytest.raises(einspul.IllegalMoveError) as caught:
        einspul.Position.from_fen("W:W28:B1").play("28-39")
    assert caught.value.name == "BAD_MOVE" and caught.value.status == 15
    with pytest.raises(einspul.MissingTableError, match="KMMvK"):
        tables.probe(einspul.Position.from_fen("W:W28,32,K46:BK43"))
    assert tables.get_wdl(einspul.Position.from_fen("W:W28,32,K46:BK43"), 7) == 7
    assert tables.get_dtw(einspul.Position.from_fen("W:W28,32,K46:BK43")) is None
    with pytest.raises(einspul.BadInputError):
        einspul.open_tablebase(TABLES, rules="klingon")
    with pytest.raises(einspul.MissingTableError):
        einspul.open_tablebase(tmp_path)
    (tmp_path / "frisian").mkdir()
    (tmp_path / "frisian" / "KvK.wdl").write_bytes(b"nonsense" * 100)
    with einspul.open_tablebase(tmp_path) as broken:
        with pytest.raises(einspul.TableFileError, match="KvK"):
            broken.probe_wdl(einspul.Position.from_fen("W:WK1:BK5"))
    closed = einspul.open_tablebase(TABLES)
    closed.close()
    closed.close()
    with pytest.raises(ValueError):
        closed.probe_wdl(einspul.Position.from_fen("W:WK1:BK5"))


def test_what_is_there(tables):
    assert tables.complete() == 3 and tables.complete(distances=True) == 3
    names = {info.material: info for info in tables.tables()}
    assert names["KMvK"].pieces == 3 and names["KMvK"].wdl_bytes > 0
    assert einspul.rule_sets()[0] == "frisian" and "english" in einspul.rule_sets()
    assert einspul.version() == einspul.__version__


def test_many_with_one_table_missing(tables):
    positions = random_positions(50)
    fens = ("W:W28,32,K46:BK43", "B:WK5:B")
    positions[7:7] = [einspul.Position.from_fen(fen) for fen in fens]
    with pytest.raises(einspul.MissingTableError, match="KMMvK"):
        tables.probe_many(positions)
    outcomes, plies, statuses = tables.probe_many(positions, statuses=True)
    assert [einspul.status_name(status) for status in set(statuses)].count("NO_TABLE") == 1
    for position, outcome, ply, status in zip(positions, outcomes, plies, statuses):
        if position.pieces == 4:
            assert einspul.status_name(status) == "NO_TABLE"
        else:
            assert status == 0 and tables.probe(position) == (outcome, None if ply < 0 else ply)
    assert list(tables.probe_many(positions, distances=False, statuses=True)[1]) == list(statuses)


def test_cache():
    position = einspul.Position.from_fen("W:WK3,27:BK48")
    with einspul.open_tablebase(TABLES) as tables:
        for probe in (tables.probe, tables.probe_wdl):
            with pytest.raises(einspul.NotCachedError):
                probe(position, cache_only=True)
        tables.preload(3, distances=True)
        assert tables.probe(position, cache_only=True) == (1, 41)
        with pytest.raises(einspul.NotCachedError):
            tables.probe_wdl(position, cache_only=True)
        tables.preload(most_bytes=1 << 30)
        assert tables.probe_wdl(position, cache_only=True) == 1


def test_tables_without_distances(tmp_path):
    (tmp_path / "frisian").mkdir()
    for path in pathlib.Path(TABLES, "frisian").glob("*.wdl"):
        shutil.copy(path, tmp_path / "frisian")
    position = einspul.Position.from_fen("W:WK3,27:BK48")
    with einspul.open_tablebase([tmp_path]) as tables:
        assert tables.probe(position) == (1, None) and tables.complete(distances=True) == 0
        with pytest.raises(einspul.MissingTableError) as caught:
            tables.probe_dtw(position)
        assert caught.value.name == "NO_METRIC"
        outcomes, plies = tables.probe_many([position])
        assert (outcomes[0], plies[0]) == (1, -1)


def test_texts_and_squares():
    fen = "W:W28,K46:BK43:H0:F1:+0+246"
    position = einspul.Position.from_fen(fen)
    assert str(position) == fen
    assert str(einspul.Position(white_men=1)).startswith("Position(")
    for move in position.moves():
        bare = dataclasses.replace(move.after, run_count=(0, 0), run_square=(0, 0), clock=0)
        assert bare.advance(position, move.from_square, move.to_square, move.captured) == move.after


def test_threads(tables):
    positions = random_positions(400, seed=3)
    expected = [tables.probe(position) for position in positions]
    wrong = []

    def work():
        for position, result in zip(positions, expected):
            if tables.probe(position) != result:
                wrong.append(position)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_pack_is_opened_by_its_path(tables, tmp_path):
    pack = tmp_path / "set.pack"
    subprocess.run([PROGRAM, "pack", pack, "--tables", TABLES], check=True)
    positions = random_positions(500)
    with einspul.open_tablebase(pack) as packed:
        assert packed.tables() == tables.tables()
        assert packed.probe_many(positions) == tables.probe_many(positions)
    pack.write_bytes(pack.read_bytes()[:-1])
    with pytest.raises(einspul.TableFileError, match="set.pack"):
        einspul.open_tablebase(pack)
