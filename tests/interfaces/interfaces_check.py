"""All interfaces to the tables agree on every text.

    interfaces_check.py PROGRAM LIBRARY_ADAPTER LIBRARY FOLDER [--whole] [--page MODULES]
                        [--module FILE]
                   [--share S]

Thousands of texts (fen_cases.py) are sent to every interface, an interface (adapters.py). All must agree in outcome
and plies, or all refuse with the same words. Interfaces read strictly (for programs) or leniently, with a
note on ignored parts (for people). Texts accepted only leniently are counted by class; an unknown
class is a failure, and so is a note on a strict text. A table with the numbers of each interface comes
last; the exit status is 1 if a difference was found.

FOLDER gets tables: two and three pieces and some of four; with --whole, all of four and, of the small
board, some of five. One rule set has outcomes only.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys

import adapters
import fen_cases
import pdn_cases

SITE = "frisian", "frisian-lidraughts"  # the program notes where the second judges otherwise
SITE_LINK = re.compile(r"\s*(https?://)?(www\.)?lidraughts\.org/")
WITHOUT_DISTANCES = "frisian-no18"
FOUR = {"frisian": ["KKvKK", "KKKvK", "KMvKM"], "international": ["KKvKK", "KMvKM"],
        "english": ["KKvKK", "KMvKM", "MMvMM"], "brazilian": ["KKvKK", "KMvKM", "KKKvK"]}
LENIENT = ["probe", "probe --json", "API, single", "API, batch", "annotate", "page", "site"]
STRICT = ["probe --strict", "library, batch", "Hub", "Python"]
MOST_SHOWN = 20

# Notes with which a text is accepted leniently and refused strictly.
CLASSES = [
    ("a clock where none counts", r"H\d+ ignored: no clock for"),
    ("a limit that counts nowhere", r"has no such limit|only applies to one king against one"),
    ("a run of a captured king", r"ignored: no king of \w+ is there"),
    ("a run without a man", r"ignored: \w+ has no man"),
    ("a run where the rules have none", r"has no king runs"),
    ("a count without a square", r"assigned to the king on|it does not say which of \d+ kings"),
    ("ghosts", r"ghosts ignored"),
    ("a tag or a link around it", None),
]


def make_tables(program: str, folder: str, rule_sets: list[str], whole: bool) -> None:
    for rules in rule_sets:
        base = [program, "generate", "--rules", rules, "--tables", folder,
                "--metric", "wdl" if rules == WITHOUT_DISTANCES else "both"]
        more = [["--material", name] for name in FOUR.get(rules, [])]
        if whole:
            more = [["--pieces", "4"]]
            if rules in ("english", "brazilian"):
                more += [["--material", name] for name in ("KKKvKK", "KKMvKM")]
        for what in [["--pieces", "3"], *more]:
            subprocess.run([*base, *what], check=True, capture_output=True)


class Tally:
    """The counts and differences of one interface."""

    def __init__(self, reading: str) -> None:
        self.reading = reading
        self.numbers = collections.Counter()


class Check:
    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}
        self.classes = collections.Counter()
        self.kinds = collections.Counter()
        self.different: dict[fen_cases.Text, dict[str, object]] = {}

    def differs(self, text: fen_cases.Text, interface: str, what: object) -> None:
        self.different.setdefault(text, {})[interface] = what
        self.tallies[interface].numbers["differences"] += 1

    def count(self, interface: str, reading: str, answer) -> None:
        tally = self.tallies.setdefault(interface, Tally(reading))
        tally.numbers["asked"] += 1
        tally.numbers["answered" if answer else "refused"] += 1

    def compare(self, interface: str, reading: str, asked: list[fen_cases.Text], said, answers) -> None:
        """Compares a interface's answers with `said`, the library's answers as that interface reads texts."""
        assert len(answers) == len(asked), f"{interface}: {len(answers)} answers for {len(asked)} texts"
        for text, expected, answer in zip(asked, said, answers):
            if answer is None:
                continue
            self.count(interface, reading, answer.value)
            words = sentence if interface in ("page", "site") else cut
            told = None not in (answer.message, expected.message)
            if answer.value != expected.value or \
                    (told and words(answer.message) != words(expected.message)) or \
                    (answer.note is not None and words(answer.note) != words(expected.note or "")):
                self.differs(text, interface, answer)

    def check_library(self, asked: list[fen_cases.Text], said: list[adapters.Said]) -> None:
        """Compares the library with itself: both readers, batches, moves."""
        for text, one in zip(asked, said):
            self.kinds[text.kind] += 1
            self.count("library, single", "strict", one.strict.value)
            self.count("library, lenient", "lenient", one.lenient.value)
            if one.over and one.lenient.value is None:
                self.classes["(no table, but no legal move either: the page says that it is over)"] += 1
            if one.drawn:
                self.classes["(drawn by a count that has reached its limit: no move counts any more)"] += 1
            elif one.undecided:
                self.classes["(undecided under the limit of quiet play)"] += 1
            elif one.lenient.value is not None and needs_table(one.ranked):
                self.classes["(one capture tells the outcome, tables of others are missing: API and moves refuse)"] += 1
            if needs_table(one.lenient) and one.ranked.value is not None:
                self.classes["(the table is missing, those of all moves are there: Hub and moves answer)"] += 1
            if one.strict.value is None:
                if one.lenient.value is not None:
                    self.classify(text, one)
                elif "no table" in (one.lenient.message or ""):
                    self.classes["(refused by all: no table)"] += 1
                else:
                    self.classes["(refused by all: no position)"] += 1
            else:
                if one.lenient.note:
                    self.classes["(read strictly, but with a note: the count of lidraughts is read as ours)"] += 1
                if one.lenient._replace(note=None) != one.strict or \
                        one.lenient.note and "taken for the plies since" not in one.lenient.note:
                    self.differs(text, "library, lenient", one.lenient)
            if one.strict.value is not None or one.lenient.value is not None:
                self.count("library, moves", "both", True)
            for wrong in one.wrong:
                self.tallies.setdefault("library, moves", Tally("both"))
                self.differs(text, "library, moves", wrong)

    def check_plain(self, asked: list[fen_cases.Text], said: list[adapters.Said], plain: list[adapters.Said]) -> None:
        """Fails if a text as people write it is not read as the intended position."""
        for text, one, expected in zip(asked, said, plain):
            if text.plain and one.lenient.value != expected.strict.value:
                self.differs(text, "library, lenient", f"{one.lenient}, and {text.plain} is {expected.strict}")

    def classify(self, text: fen_cases.Text, one: adapters.Said) -> None:
        by_chance = text.kind == "malformed" and re.search(r"(?<=[,KWB])[A-J]\d", text.text, re.I)
        if text.kind == "people" or by_chance:
            self.classes["as people write it: letters, quotes, links, typographic characters"] += 1
            return
        for name, pattern in CLASSES:
            if pattern is None and re.match(r"\s*(\[|https?://|(www\.)?lidraughts\.org/)", text.text, re.I) or \
                    pattern is not None and re.search(pattern, one.lenient.note):
                self.classes[name] += 1
                return
        self.differs(text, "library, lenient", f"no class of {one.lenient}, strictly {one.strict}")

    def report(self) -> int:
        for text, interfaces in list(self.different.items())[:MOST_SHOWN]:
            print(f"{text.rules} ({text.kind}): {text.text!r}")
            for interface, what in interfaces.items():
                print(f"    {interface}: {what}")
        print(f"\n{'interface':<18}{'reading':<10}" + "".join(f"{name:>13}" for name in COLUMNS))
        for interface in sorted(self.tallies, key=lambda name: (self.tallies[name].reading, name)):
            tally = self.tallies[interface]
            print(f"{interface:<18}{tally.reading:<10}" + "".join(f"{tally.numbers[name]:>13}" for name in COLUMNS))
        print(f"\n{sum(self.kinds.values())} texts: " +
              ", ".join(f"{n} {kind}" for kind, n in self.kinds.items()))
        print("Refused strictly, answered leniently, by class:")
        for name, n in sorted(self.classes.items()):
            print(f"{n:>8}  {name}")
        print(f"{len(self.different)} texts with differences")
        return 1 if self.different else 0


COLUMNS = ["asked", "answered", "refused", "differences"]


def cut(message: str) -> str:
    """Messages are truncated to one length, and Hub has no quotes in its messages."""
    return message.replace('"', "'")[:200]


def sentence(message: str) -> str:
    """The page starts sentences with a capital and ends them with a full stop."""
    return " ".join(re.findall(r"\w+", cut(message).lower()))


def needs_table(answer: adapters.Answer) -> bool:
    return answer.value is None and (answer.message or "").startswith("no table")


def with_site(answer: adapters.Answer, there: adapters.Answer) -> adapters.Answer:
    """Appends the note on lidraughts.org's verdict, where it differs."""
    outcomes = [one.value.split()[0] if one.value else None for one in (answer, there)]
    if None in outcomes or outcomes[0] == outcomes[1]:
        return answer
    own = f"a {outcomes[1]} under {SITE[1]}"
    return answer._replace(note="; ".join(filter(None, [answer.note, own])))


def as_hub_knows(one: adapters.Said, answer) -> adapters.Answer:
    """Hub probes the moves of a position one by one: it may name another missing table first, and in a set
    without distances it may still know the distances of some moves."""
    expected = one.ranked if one.is_strict and not one.drawn else one.strict
    missing = re.compile(r"no table for \w+ \(.*\)|a win or loss that may come too late .*")
    if answer is not None and missing.match(answer.message or "") and missing.match(expected.message or ""):
        return expected._replace(message=answer.message)
    if answer is not None and expected.value in ("win", "loss") and answer.value is not None:
        return expected._replace(value=" ".join([expected.value, *answer.value.split()[1:]]))
    return expected


def ask_scripts(given: argparse.Namespace, tables: str, server: adapters.Server,
                everything: list[fen_cases.Text]) -> dict[str, list[adapters.Answer]]:
    """Asks the interfaces in JavaScript, each with all texts at once."""
    here = pathlib.Path(__file__).parent
    pairs = [(text.rules, text.text) for text in everything]
    answers = {}
    if given.page:
        answers["page"] = adapters.ask_node([str(here / "page_adapter.mjs"), given.page, server.address], pairs)
    if given.page and given.module:
        folder = str(given.folder / "site")
        subprocess.run([given.program, "site", folder, "--tables", tables, "--module", given.module], check=True,
                       capture_output=True)
        web = subprocess.Popen(["node", str(here.parent / "systems/site_server.mjs"), folder], stdout=subprocess.PIPE,
                               text=True)
        address = web.stdout.readline().strip()
        answers["site"] = adapters.ask_node([str(here / "page_adapter.mjs"), given.page, address], pairs)
        web.terminate()
    return answers


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library_adapter")
    parser.add_argument("library")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--page")
    parser.add_argument("--module", help="of the page without a server")
    parser.add_argument("--share", type=float, default=1, help="of the texts, for a quick look")
    given = parser.parse_args()
    tables = str(given.folder / "tables")
    given.folder.mkdir(parents=True, exist_ok=True)
    os.environ["EINSPUL_LIBRARY"] = given.library
    sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bindings/python/src"))

    import einspul  # the library that the environment names
    rule_sets = einspul.rule_sets()
    make_tables(given.program, tables, rule_sets, given.whole)
    check = Check()
    server = adapters.Server(given.program, tables)
    everything = fen_cases.make(rule_sets, given.share)
    asked_once = ask_scripts(given, tables, server, everything)
    for rules in rule_sets:
        places = [i for i, text in enumerate(everything) if text.rules == rules]
        asked = [everything[i] for i in places]
        words = [text.text for text in asked]
        said = adapters.ask_library(given.library_adapter, tables, rules, words)
        strict, lenient = [one.strict for one in said], [one.lenient for one in said]
        programs = [adapters.Answer("undecided", None, one.lenient.note) if one.undecided else one.lenient for one in said]
        judged = programs
        if rules == SITE[0]:
            site = adapters.ask_library(given.library_adapter, tables, SITE[1], words)
            judged = [with_site(program, one.lenient) for program, one in zip(programs, site)]
        check.check_library(asked, said)
        check.check_plain(asked, said, adapters.ask_library(given.library_adapter, tables, rules,
                                                       [text.plain or text.text for text in asked]))
        program = given.program, tables, rules, words
        answers = {
            "library, batch": [one.batch for one in said],
            "probe": adapters.ask_probe(*program),
            "probe --strict": adapters.ask_probe(*program, "--strict"),
            "probe --json": adapters.ask_probe_json(*program),
            "Hub": adapters.ask_hub(*program, said),
            "annotate": adapters.ask_annotate(*program, said),
            "API, single": adapters.ask_api(server, rules, words, said),
            "API, batch": adapters.ask_api_batch(server, rules, words),
            "Python": adapters.ask_python(tables, rules, words, said),
            **{interface: [answers[i] for i in places] for interface, answers in asked_once.items()},
        }
        for interface in LENIENT + STRICT:
            if interface in answers:
                reading = "lenient" if interface in LENIENT else "strict"
                expected = lenient if interface in LENIENT else strict
                if interface == "Hub":
                    expected = [as_hub_knows(one, answer) for one, answer in zip(said, answers[interface])]
                elif interface == "API, single":  # it lists the moves, and refuses where one of them is not known
                    expected = [one.ranked._replace(note=one.lenient.note)
                                if needs_table(one.ranked) and one.lenient.value else program
                                for one, program in zip(said, programs)]
                elif interface in ("page", "site"):
                    expected = [adapters.Answer("loss 0", None, one.lenient.note) if one.over else program
                                for one, program in zip(said, programs)]
                    if rules == SITE[0]:  # the page judges a link by the rules of that site
                        expected = [there.lenient if SITE_LINK.match(text.text) else answer
                                    for text, there, answer in zip(asked, site, expected)]
                elif interface in ("probe", "probe --json"):
                    expected = judged
                elif interface in ("probe --strict", "API, batch"):
                    expected = [adapters.Answer("undecided", None, answer.note) if one.undecided and answer.value is None and
                                (one.is_strict or interface == "API, batch") else answer for one, answer in zip(said, expected)]
                elif interface == "annotate":  # it says nothing of what is not certain
                    expected = [adapters.Answer(None) if one.undecided else one.lenient for one in said]
                check.compare(interface, reading, asked, expected, answers[interface])
    wrong = adapters.ask_games(given.program, tables, server, pdn_cases.GAMES)
    print("\n".join(wrong + [f"{len(pdn_cases.GAMES)} texts of games, {len(wrong)} faults"]))
    server.end()
    sys.exit(check.report() or bool(wrong))


main()
