// What the server says about a text, in the language of the user. The server's sentences are English;
// a sentence that is not known here stays so, and is marked as English for those who listen to it.
import {make} from './dom.js';
import {language, text} from './texts.js';

// [English, Dutch, Frisian]. Groups are filled in at $1, $2…; those that are a colour or a sentence
// of this list are translated themselves.
const sentences = [
  ['(White|Black) has no pieces', '$1 heeft geen stukken', '$1 hat gjin stikken'],
  ['square (\\d+) at column (\\d+) is not on the board \\(1\\.\\.(\\d+)\\)', 'veld $1 op plaats $2 ligt niet op het bord (1 tot $3)', 'fjild $1 op plak $2 leit net op it boerd (1 oant $3)'],
  ['square (\\d+) at column (\\d+) is used twice', 'veld $1 op plaats $2 staat er twee keer', 'fjild $1 op plak $2 stiet der twa kear'],
  ['the (white|black) man on (\\d+)(?: at column (\\d+))? stands on its promotion row', 'op veld $2 kan geen schijf van $1 staan: daar wordt zij dam', 'op fjild $2 kin gjin skiif fan $1 stean: dêr wurdt er dam'],
  ['the range (\\d+)-(\\d+) at column (\\d+) runs backwards', 'de reeks $1-$2 op plaats $3 loopt achteruit', 'de rige $1-$2 op plak $3 rint efterút'],
  ['(White|Black) is listed twice, at column (\\d+)', '$1 staat er twee keer, op plaats $2', '$1 stiet der twa kear, op plak $2'],
  ['a square number is expected', 'hier hoort het nummer van een veld', 'hjir heart it nûmer fan in fjild'],
  ['W or B is expected', 'hier hoort W of B', 'hjir heart W of B'],
  ["':' and a list of pieces are expected", 'hier hoort een dubbele punt met een lijst van stukken', 'hjir heart in dûbele punt mei in list fan stikken'],
  ['a king run \\(0\\.\\.3\\) is expected', 'hier hoort een aantal damzetten (0 tot 3)', 'hjir heart in tal damsetten (0 oant 3)'],
  ["the king run's square needs two digits", 'het veld van de dam heeft twee cijfers nodig', 'it fjild fan de dam hat twa sifers nedich'],
  ["the king run's square (\\d+) is not on the board \\(1\\.\\.(\\d+)\\)", 'veld $1 van de dam ligt niet op het bord (1 tot $2)', 'fjild $1 fan de dam leit net op it boerd (1 oant $2)'],
  ['W or B is expected after L', 'na L hoort W of B', 'nei L heart W of B'],
  ['a number of plies is expected after (?:H|LW or LB)', 'hier hoort een aantal halve zetten', 'hjir heart in tal heale setten'],
  ['a move number is expected after F', 'na F hoort een zetnummer', 'nei F heart in setnûmer'],
  ["'\\+' and White's king run are expected", 'hier horen een + en de damzetten van Wit', 'hjir hearre in + en de damsetten fan Wyt'],
  ["H, F or '\\+' is expected", 'hier hoort H, F of +', 'hjir heart H, F of +'],
  ['nothing may follow the king runs: a mistake', 'na de damzetten mag niets meer komen', 'nei de damsetten mei neat mear komme'],
  ['the (?:position|tag|link) is complete: something unexpected', 'de stand is al compleet: er staat iets te veel', 'de stân is al kompleet: der stiet wat te folle'],
  ['a tag that holds a position is named FEN', 'een regel met een stand heet FEN', 'in rigel mei in stân hjit FEN'],
  ["'\"' and a position are expected", 'hier horen een aanhalingsteken en een stand', 'hjir hearre in oanhellingsteken en in stân'],
  ['the position has no second \'"\'', 'het tweede aanhalingsteken ontbreekt', 'it twadde oanhellingsteken ûntbrekt'],
  ["'\\]' is expected", 'hier hoort ]', 'hjir heart ]'],
  ['more than a position is long', 'dit is langer dan een stand', 'dit is langer as in stân'],
  ["'%' and two digits mean no character", 'een % met twee cijfers is hier geen teken', 'in % mei twa sifers is hjir gjin teken'],
  ['the link holds no position, and nothing is fetched', 'in de link staat geen stand, en deze pagina haalt niets op', 'yn de keppeling stiet gjin stân, en dizze side hellet neat op'],
  ['(White|Black) has a king run but no man', '$1 heeft damzetten achtereen maar geen schijf', '$1 hat damsetten efterinoar mar gjin skiif'],
  ["(White|Black)'s king run counts (\\d+), at most (\\d+)", '$1 heeft $2 damzetten achtereen, hoogstens $3 mag', '$1 hat $2 damsetten efterinoar, op syn heechst $3 mei'],
  ["(White|Black)'s king run is on (\\d+), where no king of (?:White|Black) stands", 'op $2, waar de damzetten van $1 horen, staat geen dam van $1', 'op $2, dêr’t de damsetten fan $1 hearre, stiet gjin dam fan $1'],
  ["a king run under the rule set '(.+)'", 'deze spelregels kennen geen damzetten achtereen', 'dizze spulregels kenne gjin damsetten efterinoar'],
  ['a clock of (\\d+) plies, but the material is not limited', 'een teller van $1 halve zetten, maar dit materiaal heeft geen grens', 'in teller fan $1 heale setten, mar dit materiaal hat gjin grins'],
  ['a limit that outlasted two kings against one, but .*', 'een zettengrens die in deze stand niet kan bestaan', 'in settegrins dy’t yn dizze stân net bestean kin'],
  ['a crowded position: more captures than a probe follows', 'zo vol dat er meer slagen zijn dan te volgen is', 'sa fol dat der mear slaggen binne as te folgjen is'],
  ['no table of (\\d+) pieces, (\\d+) at most \\(.*\\)', 'met $1 stukken: de tabellen reiken tot hoogstens $2', 'mei $1 stikken: de tabellen rikke oant op syn heechst $2'],
  ['rule set (\\S+): no table of (\\w+) \\(.*\\)', '$1: van $2 is hier geen tabel', '$1: fan $2 is hjir gjin tabel'],
  ['no table of (\\w+) \\(.*\\)', 'van $1 is hier geen tabel', 'fan $1 is hjir gjin tabel'],
  ['the table of (\\w+) has no distances \\(.*\\)|a line needs tables with distances', 'de tabel kent hier geen afstanden', 'de tabel ken hjir gjin ôfstannen'],
  ['H(\\d+) ignored: the tables have no count for one king against one', 'H$1 telt niet mee: de tabellen kennen geen teller voor één dam tegen één', 'H$1 telt net mei: de tabellen kenne gjin teller foar ien dam tsjin ien'],
  ['H(\\d+) ignored: the tables have no clock in this material', 'H$1 telt niet mee: dit materiaal heeft in de tabellen geen teller', 'H$1 telt net mei: dit materiaal hat yn de tabellen gjin teller'],
  ["(White|Black)'s run (\\S+) ignored: '.+' has no king runs", 'de damzetten $2 van $1 tellen niet mee: deze regels kennen ze niet', 'de damsetten $2 fan $1 telle net mei: dizze regels kenne se net'],
  ["(White|Black)'s run (\\S+) ignored: (?:White|Black) has no man", 'de damzetten $2 van $1 tellen niet mee: $1 heeft geen schijf', 'de damsetten $2 fan $1 telle net mei: $1 hat gjin skiif'],
  ["(White|Black)'s run (\\S+) ignored: no king of (?:White|Black) is there", 'de damzetten $2 van $1 tellen niet mee: daar staat geen dam van $1', 'de damsetten $2 fan $1 telle net mei: dêr stiet gjin dam fan $1'],
  ["(White|Black)'s run (\\S+) taken for the king on (\\d+)", 'de damzetten $2 van $1 zijn geteld voor de dam op $3', 'de damsetten $2 fan $1 binne teld foar de dam op $3'],
  ["(White|Black)'s run (\\S+) ignored: which of (\\d+) kings is not said", 'de damzetten $2 van $1 tellen niet mee: van welke dam staat er niet bij', 'de damsetten $2 fan $1 telle net mei: fan hokker dam stiet der net by'],
  ['ghosts ignored \\((\\d+)\\): pieces of a capture that is not finished', '$1 al geslagen stukken van een slag die nog bezig is tellen niet mee', '$1 al slein stikken fan in slach dy’t noch geande is telle net mei'],
  ["the link's game is '(.+)', the rules are '(.+)'", 'de link is van een ander spel ($1)', 'de keppeling is fan in oar spul ($1)'],
  ["material '(.*)': '(.)' is neither K nor M", 'materiaal ‘$1’: ‘$2’ is geen K (dam) en geen M (schijf)', 'materiaal ‘$1’: ‘$2’ is gjin K (dam) en gjin M (skiif)'],
  ["material '(.*)': a side is empty", 'materiaal ‘$1’: een kant heeft geen stukken', 'materiaal ‘$1’: ien kant hat gjin stikken'],
  ["material '(.*)': expected two sides of K and M with 'v' between, at most (\\d+) pieces, as KKMvKM", 'materiaal ‘$1’: twee kanten met K (dam) en M (schijf) en een v ertussen, samen hoogstens $2 stukken, zoals KKMvKM', 'materiaal ‘$1’: twa kanten mei K (dam) en M (skiif) en in v dertusken, tegearre op syn heechst $2 stikken, lykas KKMvKM'],
  ['material=… is expected, as KMvK', 'er is geen materiaal gekozen, zoals KMvK', 'der is gjin materiaal keazen, lykas KMvK'],
  ['\\w+=.*: N, N-M, N- or -M is expected, up to \\d+', 'bij getallen hoort een bereik, zoals 5-20', 'by getallen heart in berik, lykas 5-20'],
  ['on=.*: pieces on different squares of 1 to \\d+ are expected, as W28,BK43', 'bij de velden horen stukken, zoals W28,BK43', 'by de fjilden hearre stikken, lykas W28,BK43'],
  ['too many positions to be searched here: give tries, or use einspul find', 'te veel standen om hier te doorzoeken; einspul find kan het wel', 'te folle stannen om hjir te trochsykjen; einspul find kin it al'],
  ['too many large requests: try again later|too much is being counted: try again later', 'de server is druk: probeer het later nog eens', 'de tsjinner is drok: besykje it letter nochris'],
  ['the server is about to end', 'de server wordt afgesloten', 'de tsjinner wurdt ôfsluten'],
  ["(.+) at column (\\d+) \\('(.)'\\)", '$1, op plaats $2 (‘$3’)', '$1, op plak $2 (‘$3’)'],
  ['(.+) at column (\\d+) \\(byte (\\w+)\\)', '$1, op plaats $2', '$1, op plak $2'],
  ['(.+), at column (\\d+)', '$1, op plaats $2', '$1, op plak $2'],
  ['(.+), but the text ends', '$1, maar de tekst houdt op', '$1, mar de tekst hâldt op'],
].map(([english, nl, fy]) => ({pattern: new RegExp(`^(?:${english})$`), nested: english.startsWith('(.+)'), nl, fy}));

const colours = {White: 'white', Black: 'black', white: 'white', black: 'black'};

// A sentence in the language; null where it is not known.
function translated(sentence) {
  for (const {pattern, nested, ...own} of sentences) {
    const match = pattern.exec(sentence);
    if (!match) continue;
    let known = true;
    const words = own[language()].replace(/\$(\d)/g, (_, n) => {
      const group = match[n] ?? '';
      if (colours[group]) return text(colours[group]);
      if (!nested || n !== '1') return group;
      const inner = translated(group);
      known &&= inner !== null;
      return inner ?? group;
    });
    return known ? words : null;
  }
  return null;
}

const polished = words => `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;

// What the server said, as an element: "first; second" of a note are two sentences.
export function said(words) {
  const parts = words.split('; ').filter(Boolean).map(part => {
    const own = language() === 'en' ? part : translated(part);
    return make('span', {lang: own === null ? 'en' : null}, `${polished(own ?? part)} `);
  });
  return make('span', {}, parts);
}

// Why something could not be had, for people: no connection, what the server said, or a fault.
export function explained(error) {
  if (error.status === 0) return make('span', {}, text('offline'));
  if (error.status >= 400 && error.status < 500 || error.status === 503) return said(error.message);
  return make('span', {}, text('failed', {error: error.message}));
}
