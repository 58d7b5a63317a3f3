// Proofs beyond the tables. The server caches proofs: once a position is proved, the positions after it
// are known at once, and its strategy can be stepped through for any replies. Proved values are merged
// into a position's answer as if they came from tables; the server's reply is in its `proof` field.
import {api} from './api.js';
import {make, textButton} from './dom.js';
import {parseFen} from './position.js';
import {data, withAnswer} from './study-state.js';
import {number, text} from './texts.js';
import {mainLine, withNode} from './tree.js';
import {explained, outcomeForMover, thrown, winner} from './verdict.js';

const proofSeconds = {position: 30, move: 10, small: 3, game: 3};
const smallPieces = 8; // maximum pieces of a position that is searched automatically
export const gamePieces = 12; // the same for a position of a game
const passingMs = 700; // delay before a search, as the user may only be passing through
const decided = ['win', 'draw', 'loss'];

export class Proofs {
  constructor(view) {
    this.view = view;
    this.known = new Map(); // the server's replies, by rule set and position
  }

  stop() { this.asking?.abort(); }

  // An answer with the proved values of the position and its moves; the move of the proof comes first.
  merged(answer) {
    const proof = this.known.get(`${answer.rules} ${answer.fen}`);
    if (!proof || !answer.moves) return answer;
    const after = new Map(proof.moves.map(move => [move.uci, move.category]));
    const moves = answer.moves.map(move => move.category === 'unknown' && decided.includes(after.get(move.uci)) ? {...move, category: after.get(move.uci)} : move);
    const place = move => move.uci === proof.move?.uci ? 0 : outcomeForMover(move) === 'win' ? 1 : 2;
    const category = decided.includes(proof.category) ? proof.category : concluded(moves) ?? answer.category;
    const verdicts = answer.verdicts?.map(verdict => verdict.rules === answer.rules ? {...verdict, category} : verdict);
    moves.sort((a, b) => place(a) - place(b));
    const mainline = answer.mainline?.length || !decided.includes(category) ? answer.mainline : moves.slice(0, 1);
    return {...answer, category, verdicts, moves, mainline, proof: decided.includes(category) ? {...proof, category} : proof};
  }

  #keep(proof, searched = true) {
    const {state} = this.view;
    proof.searched = searched;
    this.known.set(`${proof.rules} ${proof.fen}`, proof);
    if (data(state)?.fen === proof.fen) this.view.set(withAnswer(state, this.merged(data(state))));
  }

  // The server's known results for a position; then, with few pieces, a short search.
  async follow() {
    const {state, asked, hidden} = this.view;
    if (hidden || data(state)?.category !== 'unknown') return;
    const known = proof => proof.category !== 'open' || proof.moves.some(move => move.category !== 'open');
    const proof = await api.solve(state.rules.rules, data(state).fen, 0).catch(() => null);
    if (this.view.asked !== asked || !proof) return;
    if (known(proof)) this.#keep(proof, false);
    const isDue = () => this.view.asked === asked && !this.view.state.proving && data(this.view.state)?.category === 'unknown';
    const {pieces: most, quiet_limit: quiet} = state.rules; // searches need three-piece tables, and rules without a quiet-play limit
    if (proof.category === 'open' && most >= 3 && !quiet && state.position.pieces.size <= smallPieces) setTimeout(() => isDue() && this.prove(proofSeconds.small), passingMs);
  }

  prove(seconds = proofSeconds.position) {
    const {rules: {rules}, fen} = this.view.state;
    return this.#search(async (tell, signal) => {
      tell({of: fen, limit: seconds});
      this.#keep(await api.solve(rules, fen, seconds, signal));
    });
  }

  // Searches the positions of the main line that have no value yet and not too many pieces.
  judgeGame(tree) {
    const {rules: {rules}} = this.view.state;
    const due = mainLine(tree).filter(at => !winner(tree.nodes[at]) && parseFen(tree.nodes[at].fen).pieces.size <= gamePieces).reverse();
    return this.#search(async (tell, signal) => {
      for (const [i, at] of due.entries()) {
        const {fen} = tree.nodes[at];
        tell({of: fen, n: i + 1, all: due.length});
        const proof = await api.solve(rules, fen, proofSeconds.game, signal);
        if (decided.includes(proof.category)) tree = judged(tree, at, proof);
      }
      this.view.judgedGame(tree);
    });
  }

  // Proves the value of each move in turn.
  judge() {
    const {state} = this.view;
    const {rules} = state.rules;
    const open = data(state).moves.filter(move => move.category === 'unknown');
    return this.#search(async (tell, signal) => {
      for (const [i, move] of open.entries()) {
        tell({of: move.fen, n: i + 1, all: open.length});
        await api.solve(rules, move.fen, proofSeconds.move, signal);
        this.#keep(await api.solve(rules, state.fen, 0, signal));
      }
    });
  }

  // The tree with a comment that gives the proved result of the position on the board.
  remarked({tree, at, ...state}) {
    const {proof, side} = data({tree, at, ...state}) ?? {};
    const {comment} = tree.nodes[at];
    const words = proof && decided.includes(proof.category) && provedWords(proof.category, side);
    return words && !comment?.includes(words) ? withNode(tree, at, {comment: [comment, words].filter(Boolean).join(' ')}) : tree;
  }

  // The results up to a stop.
  #stopped(last) {
    const {side} = data(this.view.state);
    return `${text('search_stopped')} ${provedWords(last?.category && !last.all ? last.category : 'open', side)}`;
  }

  // Shows the progress of a search every second, until it ends or another position is shown.
  async #search(run) {
    const {view} = this;
    const {state: {rules: {rules}}, asked} = view;
    const isShown = () => view.asked === asked && this.asking === stop;
    const stop = this.asking = new AbortController();
    let last = null; // last progress report
    const tell = proving => {
      if (isShown()) view.set({proving, words: ''});
      last = proving ?? last;
    };
    const clock = setInterval(async () => {
      const {proving} = view.state;
      const {running, nodes, seconds, category} = await api.solve(rules, proving?.of, 0, stop.signal).catch(() => ({}));
      if (running && view.state.proving === proving) tell({...proving, nodes, seconds, category});
    }, 1000);
    try {
      await run(tell, stop.signal);
      tell(null);
    } catch (problem) {
      tell(null);
      if (isShown()) view.set({words: problem.name === 'AbortError' ? this.#stopped(last) : explained(problem).textContent});
    }
    clearInterval(clock);
  }
}

// The tree with the outcome of one position, and the mistake of the move to or from it.
function judged(tree, at, {category, move}) {
  let grown = withNode(tree, at, {category});
  const mark = (before, after, best) => {
    const lost = grown.nodes[before] && thrown(grown.nodes[before], grown.nodes[after]);
    if (lost && !grown.nodes[after].thrown && best) grown = withNode(grown, after, {thrown: lost, best});
  };
  const [next] = tree.nodes[at].children;
  if (next !== undefined) mark(at, next, move && {...move, category: {win: 'loss', loss: 'win'}[category] ?? category, dtw: null});
  return grown;
}

// The outcome implied by the moves, or null.
function concluded(moves) {
  const outcomes = moves.map(outcomeForMover);
  if (outcomes.includes('win')) return 'win';
  if (!moves.length || outcomes.some(outcome => !decided.includes(outcome))) return null;
  return outcomes.includes('draw') ? 'draw' : 'loss';
}

const provedWords = (category, side) => text(`proved_${category.replace('-', '_')}`, {side: text(side)});

// The proved result of the position on the board, and the buttons to search further.
export function proofWords(state, proofs) {
  const {category, side, moves, proof, fen} = data(state);
  const button = (key, onclick) => textButton(key, onclick, {'data-of': fen});
  const {proving} = state;
  if (proving)
    return make('div.bar', {}, make('span', {role: 'status'}, proving.all ? text('judging', proving) : text('proving', {limit: proving.limit})),
      proving.nodes > 0 && make('span.small.soft', {}, text('proof_so_far', {n: number(proving.nodes), seconds: Math.round(proving.seconds)})),
      !proving.all && proving.nodes > 0 && proving.category !== 'open' && make('span.small', {}, provedWords(proving.category, side)), button('stop', () => proofs.stop()));
  if (category !== 'unknown' && !proof) return null;
  return [proof && (proof.searched || proof.category !== 'open') && make('p.proof', {role: 'status'}, make('b', {}, provedWords(proof.category, side)), proof.move && ` ${proof.move.san}`,
    proof.proof > 0 && ` (${text('proof_size', {n: number(proof.proof)})})`), make('div.bar', {}, category === 'unknown' && button('prove', () => proofs.prove()),
    moves.some(move => move.category === 'unknown') && button('judge', () => proofs.judge()))];
}
