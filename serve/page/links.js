// Addresses elsewhere: the analysis board of lidraughts for a position.
const pages = {40: 'frisian', 20: 'standard', 26: 'brazilian'};

export function lidraughts(rules, fen) {
  const page = pages[rules.game_type];
  return page && fen ? `https://lidraughts.org/analysis/${page}/${fen}` : null;
}
