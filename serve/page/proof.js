// Proofs beyond the tables. The server keeps what it proves: once a position is proved, those that follow
// are known at once, and its strategy can be stepped through whatever the replies. Proved values are merged
// into a position's answer as if they came from tables; the server's reply is in its `proof` field.
import {api} from './api.js';
import {make} from './dom.js';
import {data, withAnswer} from './study-state.js';
import {number, text} from './texts.js';
import {explained, outcomeForMover} from './verdict.js';

const proofSeconds = {position: 30, move: 10};
const decided = ['win', 'draw', 'loss'];

export class Proofs {
  constructor(view) {
    this.view = view;
    this.known = new Map(); // what the server said, by rule set and position
  }

  stop() {
    this.asking?.abort();
  }

  // An answer with what is proved of the position and of its moves; the move of the proof comes first.
  merged(answer) {
    const proof = this.known.get(`${answer.rules} ${answer.fen}`);
    if (!proof) return answer;
    const after = new Map(proof.moves.map(move => [move.uci, move.category]));
    const moves = answer.moves.map(move => move.category === 'unknown' && decided.includes(after.get(move.uci)) ? {...move, category: after.get(move.uci)} : move);
    const place = move => move.uci === proof.move?.uci ? 0 : outcomeForMover(move) === 'win' ? 1 : 2;
    const category = decided.includes(proof.category) ? proof.category : answer.category;
    const verdicts = answer.verdicts?.map(verdict => verdict.rules === answer.rules ? {...verdict, category} : verdict);
    return {...answer, category, verdicts, moves: moves.sort((a, b) => place(a) - place(b)), proof};
  }

  #keep(proof) {
    const {state} = this.view;
    this.known.set(`${proof.rules} ${proof.fen}`, proof);
    if (data(state)?.fen === proof.fen) this.view.set(withAnswer(state, this.merged(data(state))));
  }

  // What is known at once of a position that follows from one that was proved.
  async follow() {
    const {state, asked} = this.view;
    if (!this.known.size || data(state)?.category !== 'unknown') return;
    const proof = await api.solve(state.rules.rules, data(state).fen, 0).catch(() => null);
    if (proof && this.view.asked === asked && (proof.category !== 'open' || proof.moves.some(move => move.category !== 'open'))) this.#keep(proof);
  }

  prove() {
    const {rules: {rules}, fen} = this.view.state;
    return this.#search(async (tell, signal) => {
      tell({of: fen});
      this.#keep(await api.solve(rules, fen, proofSeconds.position, signal));
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

  // Shows how far a search is, every second, until it ends or another position is shown.
  async #search(run) {
    const {view} = this;
    const {state: {rules: {rules}}, asked} = view;
    const isShown = () => view.asked === asked && this.asking === stop;
    const stop = this.asking = new AbortController();
    const tell = proving => { if (isShown()) view.set({proving, words: ''}); };
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
      if (isShown() && problem.name !== 'AbortError') view.set({words: explained(problem).textContent});
    }
    clearInterval(clock);
  }
}

const provedWords = (category, side) => text(`proved_${category.replace('-', '_')}`, {side: text(side)});

// What is proved of the position on the board, and what may be tried.
export function proofWords(state, proofs) {
  const {category, side, moves, proof, fen} = data(state);
  const button = (key, onclick) => make('button', {type: 'button', 'data-key': key, 'data-of': fen, onclick}, text(key));
  const {proving} = state;
  if (proving)
    return make('div.bar', {}, make('span', {role: 'status'}, proving.all ? text('judging', proving) : text('proving')),
      proving.nodes > 0 && make('span.small.soft', {}, text('proof_so_far', {n: number(proving.nodes), seconds: Math.round(proving.seconds)})),
      !proving.all && proving.nodes > 0 && proving.category !== 'open' && make('span.small', {}, provedWords(proving.category, side)),
      button('stop', () => proofs.stop()));
  if (category !== 'unknown' && !proof) return null;
  return [proof && make('p.proof', {role: 'status'}, make('b', {}, provedWords(proof.category, side)), proof.move && ` ${proof.move.san}`,
    proof.proof > 0 && ` (${text('proof_size', {n: number(proof.proof)})})`),
  make('div.bar', {}, category === 'unknown' && button('prove', () => proofs.prove()),
    moves.some(move => move.category === 'unknown') && button('judge', () => proofs.judge()))];
}
