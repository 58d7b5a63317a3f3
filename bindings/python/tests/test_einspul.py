"""Compares the package with the output of the program `einspul`.

EINSPUL_TABLES names a folder of tables of two and three pieces, of the rule sets frisian,
frisian-lidraughts, international and international-fmjd, and a pack of the first, frisian.pack;
EINSPUL_EXPECTED the program's output for random positions: FEN, outcome, plies.
"""

import copy
import dataclasses
import doctest
import importlib
import os
import pathlib
import pickle
import shutil
import threading

import pytest

import einspul

TABLES = os.environ["EINSPUL_TABLES"]
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}


ROWS = [line.split("\t") for line in pathlib.Path(os.environ["EINSPUL_EXPECTED"]).read_text().splitlines()]
POSITIONS = [einspul.Position.from_fen(row[0]) for row in ROWS[:2000]]


@pytest.fixture()
def tables():
    with einspul.open_tablebase(TABLES) as opened:
        yield opened


def number_or_none(text):
    return None if text == "-" else int(text)


def test_probe_matches_cli(tables):
    expected = [(OUTCOMES[row[1]], number_or_none(row[2])) for row in ROWS[:2000]]
    assert [tuple(tables.probe(position)) for position in POSITIONS] == expected
    assert [tables.probe_wdl(position) for position in POSITIONS] == [o for o, _ in expected]
    outcomes, plies = tables.probe_many(POSITIONS)
    assert list(outcomes) == [outcome for outcome, _ in expected]
    assert list(plies) == [-1 if ply is None else ply for _, ply in expected]
    assert list(tables.probe_many(POSITIONS, distances=False)) == list(outcomes)
    assert len({outcome for outcome, _ in expected}) == 3


def test_numpy_arrays(tables):
    import numpy  # optional for the package but required here, so do not skip

    positions = POSITIONS[:500]
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
    for position in POSITIONS[:300]:
        ranked = tables.moves(position)
        assert sorted(str(r.move) for r in ranked) == sorted(str(m) for m in position.moves())
        for found in ranked:
            after = tables.probe(found.move.after)
            assert after.outcome == -found.outcome
            assert position.play(found.move.text) == found.move.after
        if ranked:
            assert ranked[0].outcome == tables.probe_wdl(position)


def test_best_moves_win_in_the_distance(tables):
    position = einspul.Position.from_fen("W:WK3,27:BK48")
    assert tables.probe(position) == einspul.Result(1, 41)
    for plies in range(41, 0, -1):
        best = tables.moves(position)[0]
        assert best.plies == plies
        position = best.move.after
    assert position.pieces < 3 and tables.moves(position) == []
    assert tables.probe_wdl(position) == -1


def test_fen_and_state():
    fen = "W:W28,K46:BK43:H0:F1:+0+246"
    position = einspul.Position.from_fen(fen)
    assert position.run_count == (2, 0) and position.run_square == (46, 0)
    assert position.fen() == str(position) == fen
    assert str(einspul.Position(white_men=1)).startswith("Position(")
    assert position.pieces == 3
    for move in position.moves():
        bare = dataclasses.replace(move.after, run_count=(0, 0), run_square=(0, 0), clock=0)
        assert bare.advance(position, move.from_square, move.to_square, move.captured) == move.after
    position = position.play("46-41")
    assert position.run_count == (3, 0)
    move = einspul.Position.from_fen("W:W28:B22").moves()[0]
    assert (move.from_square, move.to_square, move.captured) == (28, 17, 1 << 21)
    assert str(move) == "28x17"
    assert move.after.fen() == "B:W17:B" and einspul.Position.from_fen("B:W17:B") == move.after
    assert move.after.moves() == []
    with pytest.raises(einspul.BadInputError, match="Black has no pieces"):
        einspul.Position.from_fen("W:W17:B")


def test_clocks():
    rules = "international-fmjd"
    late = einspul.Position.from_fen("W:WK1,K2:BK45:H4", rules)
    assert late.clock == 4 and late.play("1-6", rules).clock == 5
    with einspul.open_tablebase(TABLES, rules=rules) as tables:
        assert tables.probe(late) == (0, None)
        with pytest.raises(einspul.UndecidedError):
            tables.probe(einspul.Position.from_fen("B:W25,36:BK48:H49", rules))
    with einspul.open_tablebase(TABLES, rules="frisian-lidraughts") as tables:
        late = einspul.Position.from_fen("W:WK1,K2:BK14:H12", "frisian-lidraughts")
        assert tables.probe(late) == (1, 3)


def test_finished_game(tables):
    over = einspul.Position.from_fen("B:WK5:B")
    assert tables.probe(over) == (-1, 0)
    assert tables.moves(over) == []


def test_errors(tables, tmp_path):
    with pytest.raises(einspul.BadInputError, match="51"):
        einspul.Position.from_fen("W:W51:B1")
    with pytest.raises(einspul.IllegalMoveError) as caught:
        einspul.Position.from_fen("W:W28:B1").play("28-39")
    assert caught.value.name == "BAD_MOVE" and caught.value.status == 15
    with pytest.raises(einspul.MissingTableError, match="KMMvK"):
        tables.probe(einspul.Position.from_fen("W:W28,32,K46:BK43"))
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


def test_lists_available_tables(tables):
    assert tables.complete() == 3 and tables.complete(distances=True) == 3
    names = {info.material: info for info in tables.tables()}
    assert names["KMvK"].pieces == 3 and names["KMvK"].wdl_bytes > 0
    assert einspul.rule_sets()[0] == "frisian" and "english" in einspul.rule_sets()
    assert einspul.version() == einspul.__version__


def test_probe_many_with_missing_table(tables):
    positions = POSITIONS[:50]
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
        tables.preload(max_bytes=1 << 30)
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


def test_threads(tables):
    positions = POSITIONS[:400]
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


def test_open_pack_by_path(tables, tmp_path):
    pack = pathlib.Path(TABLES, "frisian.pack")
    cut = tmp_path / "cut.pack"
    with einspul.open_tablebase(pack) as packed:
        assert packed.tables() == tables.tables()
        assert packed.probe_many(POSITIONS) == tables.probe_many(POSITIONS)
    cut.write_bytes(pack.read_bytes()[:-1])
    with pytest.raises(einspul.TableFileError, match="cut.pack"):
        einspul.open_tablebase(cut)


def test_examples_in_docstrings(tables):
    names = {"tables": tables, "Position": einspul.Position}
    n_tried = 0
    for module in ("einspul.position", "einspul.tablebase"):
        results = doctest.testmod(importlib.import_module(module), extraglobs=names)
        assert results.failed == 0
        n_tried += results.attempted
    assert n_tried >= 15


def test_open_tables_are_not_copied():
    """Fails if a copy closes the handle of the original, whose next probe then crashes."""
    opened = einspul.open_tablebase(TABLES)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            copied(opened)
    assert opened.probe(POSITIONS[0]) is not None
    opened.close()


def test_errors_can_be_pickled():
    """Fails if an error of a worker process cannot be read by its parent."""
    with pytest.raises(einspul.BadInputError) as caught:
        einspul.Position.from_fen("W:W51:B1")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.status, again.name, str(again)) == (
        type(caught.value), caught.value.status, caught.value.name, str(caught.value))


def test_close_while_threads_probe():
    """Fails if close() frees a handle that another thread is using: the interpreter crashes."""
    for _ in range(20):
        opened = einspul.open_tablebase(TABLES, cache_bytes=1 << 20)
        ends = []

        def work():
            try:
                while True:
                    opened.probe_many(POSITIONS[:200])
                    for position in POSITIONS[:50]:
                        opened.moves(position)
            except ValueError as error:
                ends.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        opened.probe(POSITIONS[0])
        opened.close()
        for thread in threads:
            thread.join()
        assert ends == ["the tablebase is closed"] * 4


@pytest.mark.parametrize("field, value", [
    ("white_men", 1 << 64), ("white_kings", -1), ("black_men", 1 << 70), ("black_kings", -1 << 64),
    ("side", 2), ("side", 256), ("side", -1), ("clock", 256), ("limited", 256),
    ("run_square", (256, 0)), ("run_count", (0, -1)),
])
def test_numbers_that_do_not_fit_are_errors(tables, field, value):
    """Fails if a number is cut to the bits that fit, and another position is probed."""
    position = dataclasses.replace(POSITIONS[0], **{field: value})
    for use in (tables.probe, tables.moves, lambda p: tables.probe_many([p]), lambda p: p.fen(),
                lambda p: einspul.PositionArray([p])):
        with pytest.raises(einspul.BadInputError, match=field):
            use(position)


@pytest.mark.parametrize("field, value", [
    ("white_men", "1"), ("white_men", 1.0), ("side", None), ("clock", "x"), ("run_square", 3),
    ("run_count", ("1", 0)), ("run_count", (1, 2, 3)),
])
def test_fields_of_a_wrong_type_are_named(tables, field, value):
    with pytest.raises(TypeError, match=field):
        tables.probe(dataclasses.replace(POSITIONS[0], **{field: value}))


def test_arguments_of_a_wrong_type_or_size_are_named(tables):
    position = POSITIONS[0]
    for wrong in ("W:WK1:BK50", None, 3):
        with pytest.raises(TypeError, match="expected a Position"):
            tables.probe(wrong)
    with pytest.raises(TypeError, match="fen must be a str"):
        einspul.Position.from_fen(b"W:WK1:BK50")
    for call in (lambda: einspul.Position.from_fen("W:WK1:BK50\0"),
                 lambda: einspul.Position.from_fen("W:WK1:BK50", "frisian\0x"),
                 lambda: position.play("1-6\0"),
                 lambda: einspul.open_tablebase(TABLES + "\0x"),
                 lambda: einspul.open_tablebase(TABLES, rules="frisian\0x")):
        with pytest.raises(einspul.BadInputError, match="NUL byte"):
            call()
    with pytest.raises(einspul.BadInputError, match="cache_bytes"):
        einspul.open_tablebase(TABLES, cache_bytes=-1)
    with pytest.raises(einspul.BadInputError, match="max_bytes"):
        tables.preload(max_bytes=1 << 64)
    with pytest.raises(einspul.BadInputError, match="from_square"):
        position.advance(position, 1 << 32, 5)
    with pytest.raises(einspul.BadInputError, match="captured"):
        position.advance(position, 1, 5, 1 << 64)


def test_folder_with_a_colon_in_its_name(tables, tmp_path):
    """Fails if the folder of a run named after its time of day cannot be opened."""
    folder = tmp_path / "run:10"
    shutil.copytree(TABLES, folder)
    with einspul.open_tablebase(folder) as opened:
        assert opened.tables() == tables.tables()
    with pytest.raises(einspul.BadInputError, match="run:10"):
        einspul.open_tablebase([folder, tmp_path])
