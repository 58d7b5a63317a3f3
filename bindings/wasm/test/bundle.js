/* What a bundler is given: the package, and the module as bytes. */
import { load } from "einspul";
import wasm from "einspul/einspul.wasm";

const einspul = await load(wasm);
const tables = await einspul.open({ pack: { url: globalThis.packUrl } });
globalThis.bundleSaid = [
    einspul.moves("W:WK46,28:BK43").length,
    ...Object.values(await tables.probe("W:WK3,27:BK48")),
].join(" ");
tables.close();
