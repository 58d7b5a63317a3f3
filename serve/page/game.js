// The game view: the position view with the game's moves as its line. The server reads the text and
// reports the mistakes. The PDN is in the URL fragment, so a game can be shared and survives Back.
import {api} from './api.js';
import {againButton, announce, choice, download, make, mount, signButton, textButton} from './dom.js';
import {parseFen, startOf} from './position.js';
import {begin, session} from './study-state.js';
import {gamePieces} from './proof.js';
import {PositionView} from './study.js';
import {chapterAddress, chapterList} from './study-view.js';
import {chaptersOf, forgetChapter, keepGames, playersOf, studies, study, studyPdn, titleOf} from './studies.js';
import {text} from './texts.js';
import {isMain, keptTree, mainLine, startsBlack, treeOf} from './tree.js';
import {detailed, explained, remarks, winner} from './verdict.js';

export class GameView extends PositionView {
  textCard() {
    this.game = {source: '', answer: null, problem: null};
    this.story = make('div');
    this.list = make('details.card', {hidden: true});
    const file = make('input', {type: 'file', accept: '.pdn,.txt,.proof', 'aria-label': text('file'), onchange: event => this.app.open(event.target.files[0])});
    this.source = make('textarea', {id: 'pdn', spellcheck: 'false'});
    return make('div.stack.game-card', {}, this.story, make('form.card.stack', {onsubmit: event => { event.preventDefault(); this.app.go('/game', {}, null, this.source.value.trim()); }},
      make('h1', {}, text('game_title')), make('p.soft', {}, text('game_hint')), make('p.soft.small', {}, text('game_export')), make('label', {for: 'pdn'}, text('game_text')),
      this.source, make('div.bar', {}, make('button.main', {type: 'submit'}, text('game_read')), file)), this.list);
  }

  show(args, saved, source) {
    const {rules} = this.app;
    const number = Number(args.game ?? 0);
    const {game} = this;
    if (game.source !== source || game.number !== number || game.problem || (args.study && !keptTree(saved?.tree)) || (game.answer && game.answer.rules !== rules.rules)) {
      this.game = {source, number, answer: null, problem: null};
      this.source.value = source;
      this.state = begin(rules, startOf(rules.rows));
      this.asked = null;
      this.draw();
      if (source || args.study) this.read(args.ply, saved, args.study);
    } else if (game.tree) {
      const tree = keptTree(saved?.tree) ?? game.tree;
      const line = mainLine(game.tree);
      const known = line.findIndex(node => winner(game.tree.nodes[node]));
      const first = Math.max(0, line.findIndex(node => game.tree.nodes[node].thrown) - 1, known);
      const at = tree.nodes[saved?.at] ? saved.at : line[Math.min(args.ply === undefined ? first : Number(args.ply), line.length - 1)] ?? 0;
      this.begin(begin(rules, tree.nodes[at].fen, session({tree, at})));
    }
  }

  placeOf(state) {
    const {source, number} = this.game;
    const ply = mainLine(state.tree).indexOf(state.at);
    return ['/game', {game: number || undefined, ply: ply < 0 ? undefined : ply, study: state.tree.id}, session(state), source];
  }

  // The server reads the text, or that of a study made from it, and judges the game under the rules it was
  // played by.
  async read(ply, saved, id) {
    const {game} = this;
    const kept = study(id);
    try {
      const answer = await api.annotate(this.app.rules.rules, kept?.text ?? game.source, kept ? 1 : game.number + 1);
      if (this.game !== game) return;
      this.game = {...game, answer, tree: answer.steps.length ? {...treeOf(answer), rules: answer.rules, ...kept ? {id, book: kept.book, name: kept.name} : {}} : null};
      this.game.read = this.game.tree;
      if (this.game.tree) announce(this.summary());
      else this.draw();
      if (this.game.tree) this.app.replace('/game', {rules: answer.rules, game: game.number || undefined, ply, study: kept ? id : undefined}, saved, game.source);
    } catch (error) {
      if (this.game !== game) return;
      const link = /lidraughts\.org\/\w{8}/.test(game.source);
      this.game = {...game, problem: link ? text('game_link') : error.code === 'BAD_REQUEST' ? text('game_none') : [explained(error), againButton(() => this.app.replace('/game', {game: game.number || undefined, ply}, saved, game.source))]};
      this.draw();
    }
  }

  setUp() { this.app.go('/', {fen: this.state.fen}); }

  // An unchanged game is copied as the server wrote it.
  pdn() { return this.state.tree === this.game.tree && this.game.tree === this.game.read ? this.game.answer.pdn : super.pdn(); }

  drawText() {
    const {source, number, answer, problem, tree} = this.game;
    const games = answer?.games ?? [];
    document.title = `${text('game_title')} · einspul`;
    this.panel.classList.toggle('without-game', !tree);
    if (!tree) this.verdict.replaceChildren();
    this.drawStudies();
    mount(this.story, source && make('section.card', {}, make('h2', {}, games[number] && playersOf(games[number]) || text('nav_game')),
      games.length > 1 && choice(number, games.map((one, i) => [i, `${i + 1}. ${playersOf(one) || text('game_number', {n: i + 1})}`]),
        {'data-key': 'games', 'aria-label': text('nav_game'), onchange: event => this.app.go('/game', {game: event.target.value}, null, this.game.source)}),
      games.length > 1 && textButton('keep_games', () => this.openChapter(keepGames(this.game.source, games, this.app.sets, this.state.rules)[0])), answer && remarks(answer),
      tree && make('p.summary', {}, this.summary()), !answer && !problem && make('p.soft', {role: 'status'}, text('loading')),
      answer?.error && make('p.error', {role: 'alert'}, detailed(tree ? 'game_stops' : 'game_unread', answer.error.text)), problem && make('p.error', {role: 'alert'}, problem),
      tree && !this.state.proving && tree.nodes.some((node, at) => !winner(node) && isMain(tree, at) && parseFen(node.fen).pieces.size <= gamePieces) && make('p', {}, make('button', {type: 'button', 'data-key': 'judge_game', onclick: () => this.proofs.judgeGame(this.state.tree)}, text('judge_game', {n: gamePieces}))),
      tree && textButton('open_here', () => this.app.go('/', {fen: this.state.fen}))));
  }

  drawStudies() {
    const all = studies();
    const remove = book => { chaptersOf(book).forEach(forgetChapter); this.drawStudies(); };
    const item = (book, [first, ...others]) => make('li.bar', {}, make('a', {href: chapterAddress(first)}, titleOf(book)), make('span.small.soft', {}, text(first.rules)),
      signButton('remove', () => remove(book), {'data-key': `remove-${book}`, 'aria-label': `${text('remove')}: ${titleOf(book)}`}), others.length > 0 && chapterList([first, ...others]));
    this.list.hidden = !all.length;
    mount(this.list, make('summary', {}, text('studies', {n: all.length})), make('ul.studies', {}, all.map(book => item(book, chaptersOf(book)))),
      textButton('download_all', () => download(studies().map(book => studyPdn(book, chaptersOf(book))).join('\n'), 'einspul.pdn')));
  }

  // The tree with values for more positions.
  judgedGame(tree) {
    this.game = {...this.game, tree};
    this.enter(tree, this.state.at, true);
  }

  // Summary of the game: mistakes per side, and the first move with a known value.
  summary() {
    const {answer: {steps}, tree} = this.game;
    const first = mainLine(tree).findIndex(at => winner(tree.nodes[at]));
    const from = first > 0 ? ` ${text('judged_from', {n: Math.floor((first + (startsBlack(tree) ? 1 : 0)) / 2) + 1})}` : '';
    const by = side => tree.nodes.filter(node => node.thrown && node.side !== side).length;
    if (by('white') + by('black')) return text('game_mistakes', {white: by('white'), black: by('black')}) + from;
    if (first >= 0) return text('game_clean') + from;
    return text('game_out', {n: parseFen(steps.at(-1).fen).pieces.size, most: this.app.rules.pieces});
  }
}
