/* Type tests: compiled with --strict, then run with bytes of a pack. `@ts-expect-error` marks code that
 * must not type-check. */
import { Einspul, EinspulError, load, Move, Outcome, RankedMove, Result, Tables } from "einspul";
import { readFile } from "node:fs/promises";

const einspul: Einspul = await load(await readFile(process.argv[2]!));
const pack: Uint8Array = await readFile(process.argv[3]!);
const tables: Tables = await einspul.open({ rules: "frisian", pack, cacheBytes: 1 << 20, pageBytes: 0 });
const result: Result = await tables.probe("W:WK3,27:BK48", { distances: true });
const outcome: Outcome = result.outcome;
const plies: number | null = result.plies;
const many = await tables.probeMany(["W:WK3,27:BK48", "W:W28,32,33,K46:BK43"]);
const told: string[] = many.map((one) =>
    one instanceof EinspulError ? one.code : `${one.outcome} ${one.plies ?? "-"}`,
);
const ranked: RankedMove[] = await tables.moves("W:WK3,27:BK48");
const moves: Move[] = einspul.moves("W:WK3,27:BK48");
const after: string = einspul.play("W:WK3,27:BK48", moves[0]!.text, "frisian");
const names: string[] = [...tables.materials(), ...einspul.ruleSets()];

// @ts-expect-error: squares are numbers
const captured: string[] = moves[0]!.captured;
// @ts-expect-error: moves without tables have no outcome
moves[0]!.outcome;
// @ts-expect-error: neither bytes nor a URL
einspul.open({ pack: "set.pack" }).catch(() => {});
// @ts-expect-error: each result may be an error
many[0]!.plies;
// @ts-expect-error: the constructor is private
() => new Tables();

tables.close();
const said = [outcome, plies, told.join(), ranked.length === moves.length, after !== "",
    names.length > 9, captured.length, tables.fetchedBytes].join(" ");
if (said !== "1 41 1 41,NO_TABLE true true true 0 0") throw new Error(said);
console.log("types agree");
