//! Compares the crate with the program: EINSPUL_TABLES names a folder of Frisian tables of two and three
//! pieces, EINSPUL_EXPECTED the program's output for random positions.

use std::env;
use std::fs;
use std::sync::Arc;
use std::thread;

use einspul::{Metric, Outcome, Position, Tables, Value};

fn tables() -> Tables {
    Tables::open(env::var("EINSPUL_TABLES").unwrap(), "frisian").unwrap()
}

/// The first positions of the file, with the values that the program gives them.
fn expected(n: usize) -> Vec<(String, Value)> {
    let text = fs::read_to_string(env::var("EINSPUL_EXPECTED").unwrap()).unwrap();
    let value_of = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let outcome = match fields[1] {
            "win" => Outcome::Win,
            "loss" => Outcome::Loss,
            _ => Outcome::Draw,
        };
        (
            fields[0].to_owned(),
            Value {
                outcome,
                plies: fields[2].parse().ok(),
            },
        )
    };
    text.lines().take(n).map(value_of).collect()
}

#[test]
fn probe_matches_cli() {
    let tables = tables();
    let (fens, expected): (Vec<_>, Vec<_>) = expected(2000).into_iter().unzip();
    let positions: Vec<_> = fens.iter().map(|fen| position_of(fen)).collect();
    for ((fen, position), value) in fens.iter().zip(&positions).zip(&expected) {
        assert_eq!(tables.probe(position).unwrap(), *value, "{fen}");
        assert_eq!(tables.probe_wdl(position).unwrap(), value.outcome, "{fen}");
        assert_eq!(position_of(&position.fen("frisian").unwrap()), *position);
    }
    let many: Vec<_> = tables
        .probe_many(&positions)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(many, expected);
    for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
        assert!(expected.iter().any(|value| value.outcome == outcome));
    }
}

#[test]
fn move_values_match_successors() {
    let tables = tables();
    for (fen, _) in expected(200) {
        let position = position_of(&fen);
        let ranked = tables.moves(&position).unwrap();
        assert_eq!(ranked.len(), position.moves("frisian").unwrap().len());
        for found in &ranked {
            let value = found.value.unwrap();
            assert_eq!(
                value.outcome as i32,
                -(tables.probe_wdl(&found.after).unwrap() as i32)
            );
            assert_eq!(
                position.play(&found.text, "frisian").unwrap(),
                found.after,
                "{fen}"
            );
            let bare = Position {
                clock: 0,
                run_count: [0, 0],
                run_square: [0, 0],
                ..found.after
            };
            let carried = bare.advance(&position, found.from, found.to, found.captured, "frisian");
            assert_eq!(carried.unwrap(), found.after, "{fen}");
        }
        if let Some(best) = ranked.first() {
            assert_eq!(
                best.value.unwrap(),
                tables.probe(&position).unwrap(),
                "{fen}"
            );
        }
    }
    assert_eq!(
        position_of("W:W28:B22").moves("frisian").unwrap()[0].value,
        None
    );
}

fn position_of(fen: &str) -> Position {
    Position::from_fen(fen, "frisian").unwrap()
}

#[test]
fn errors_name_their_cause() {
    let tables = tables();
    let error = Position::from_fen("W:W51:B1", "frisian").unwrap_err();
    assert!(
        error.text.contains("51") && error.name == "BAD_FEN",
        "{error}"
    );
    assert_eq!(
        Position::from_fen("W\0", "frisian").unwrap_err().name,
        "BAD_ARGUMENT"
    );
    let missing = position_of("W:W28,32,K46:BK43");
    let error = tables.probe(&missing).unwrap_err();
    assert!(
        error.name == "NO_TABLE" && error.text.contains("KMMvK"),
        "{error}"
    );
    let many = tables.probe_many(&[missing, position_of("B:WK5:B")]);
    assert_eq!(
        many,
        [
            Err(error),
            Ok(Value {
                outcome: Outcome::Loss,
                plies: Some(0)
            })
        ]
    );
    assert_eq!(
        position_of("W:W28:B1")
            .play("28-39", "frisian")
            .unwrap_err()
            .name,
        "BAD_MOVE"
    );
    assert_eq!(
        Tables::open("/nonexistent", "frisian").err().unwrap().name,
        "NO_FOLDER"
    );
    assert_eq!(
        Tables::open("/", "klingon").err().unwrap().name,
        "BAD_RULES"
    );
}

#[cfg(unix)]
#[test]
fn opens_paths_of_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let mut name = format!("einspul:{}-", std::process::id()).into_bytes(); // the separator of lists
    name.push(0xff); // not UTF-8
    let link = env::temp_dir().join(std::ffi::OsStr::from_bytes(&name));
    std::os::unix::fs::symlink(env::var("EINSPUL_TABLES").unwrap(), &link).unwrap();
    let outcome = Tables::open(&link, "frisian")
        .and_then(|opened| opened.probe_wdl(&position_of("W:WK3,27:BK48")));
    std::fs::remove_file(&link).unwrap();
    assert_eq!(outcome, Ok(Outcome::Win));
}

#[test]
fn probe_cached_does_no_io() {
    let tables = tables();
    assert_eq!(
        (
            tables.complete(Metric::Outcomes),
            tables.complete(Metric::Distances)
        ),
        (3, 3)
    );
    let position = position_of("W:WK3,27:BK48");
    assert_eq!(
        tables.probe_cached(&position).unwrap_err().name,
        "NOT_CACHED"
    );
    assert_eq!(tables.probe_wdl(&position).unwrap(), Outcome::Win);
    assert_eq!(tables.probe_cached(&position).unwrap(), Outcome::Win);
}

/// Fails if safe code can write past an array of the library.
#[test]
fn advance_refuses_what_is_out_of_range() {
    let before = position_of("W:W28,K46:BK43");
    let after = before.play("46-41", "frisian").unwrap();
    let name = |after: &Position, before: &Position, from, to| {
        after
            .advance(before, from, to, 0, "frisian")
            .map_err(|error| error.name)
    };
    assert_eq!(name(&after, &before, 46, 41), Ok(after));
    for side in [2, 119, 255] {
        let wrong = Position { side, ..before };
        assert_eq!(name(&after, &wrong, 46, 41), Err("BAD_ARGUMENT".to_owned()));
        assert_eq!(
            name(&wrong, &before, 46, 41),
            Err("BAD_ARGUMENT".to_owned())
        );
    }
    for square in [0, 51, 64, 255] {
        assert_eq!(
            name(&after, &before, square, 41),
            Err("BAD_ARGUMENT".to_owned())
        );
        assert_eq!(
            name(&after, &before, 46, square),
            Err("BAD_ARGUMENT".to_owned())
        );
    }
}

#[test]
fn threads_share_a_handle() {
    let tables = Arc::new(tables());
    let expected = Arc::new(expected(300));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (tables, expected) = (tables.clone(), expected.clone());
            thread::spawn(move || {
                for (fen, value) in expected.iter() {
                    assert_eq!(tables.probe(&position_of(fen)).unwrap(), *value, "{fen}");
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}
