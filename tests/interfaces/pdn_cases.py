"""PDN texts with the moves they should be read as, for both interfaces that read games.

Each has a name that says what would be wrong, its rule set, its text, for each game the moves it is
read as (in the notation of the answers, `/` for a set-up), and a part of the error or None. The
output must be the text plus notes.
"""

from typing import NamedTuple, Optional


class Game(NamedTuple):
    name: str
    rules: str
    text: str
    moves: str  # of all games, `|` between them
    error: Optional[str] = None


TWO = '[GameType "20"]\n[FEN "W:WK1:B12,13,19,20"]\n'
LETTERS = '[GameType "26"]\n[FEN "W:Wa3,c3,Ke3:Bb8,h8"]\n'
RUN = '[FEN "W:WK50,35:B6"] '
GAMES = [
    Game("letters are read", "frisian", LETTERS + "1. c3-d4 b8-c7 2. d4-c5 h8-g7 *", "c3-d4 b8-c7 d4-c5 h8-g7"),
    Game("and without a separator", "frisian", LETTERS + "1. c3d4 b8c7 2.D4-C5 *", "c3-d4 b8-c7 d4-c5"),
    Game("their board is the game's", "frisian", LETTERS + "1. c3-d4 b8-b7", "c3-d4",
         "move 1 of Black, 'b8-b7', under brazilian: a square is not on this board (1 to 32); legal: "),
    Game("the tag of lidraughts names notation", "frisian", '[GameType "26,W,8,8,A0,0"]\n1. c3-d4 b6-a5 2. d4-e5 f6:d4 3. e3:c5 *',
         "c3-d4 b6-a5 d4-e5 f6xd4 e3xc5"),
    Game("English games begin with Black, in numbers", "frisian", '[GameType "21"]\n1. 11-15 23-19 2. 8-11 22-17 1-0',
         "11-15 23-19 8-11 22-17"),
    Game("blanks are no part of a move", "frisian", "1. 32 -28 19- 23 2. 28 x 19 14 x23 3. 37-\n32 *",
         "32-28 19-23 28x19 14x23 37-32"),
    Game("part of the path tells which capture", "frisian", TWO + "1. 1x9x25 *", "1x18x9x25"),
    Game("captured squares tell it, too", "frisian", TWO + "1. 1x13x25 *", "1x18x9x25"),
    Game("all squares tell it", "frisian", TWO + "1. 1x12x23x19x14x20x25 *", "1x23x14x25"),
    Game("the next move tells it", "frisian", TWO + "1. 1x25 19-24 *", "1x18x9x25 19-24"),
    Game("the next move tells it behind comments", "frisian", TWO + "1. 1x25 {so} (1. 1x2) $1 1... 13-18 *", "1x23x14x25 13-18"),
    Game("nothing tells it", "frisian", TWO + "1. 1x25 *", "", "under international: ambiguous: matches two captures: 1x18x9x25 and 1x23x14x25"),
    Game("a set-up goes on from there", "frisian", '1. 32-28 /FEN "W:W33,K46:B6"/ 1. 46-41 6-11 *', "32-28 / 46-41 6-11"),
    Game("a set-up that is none", "frisian", '1. 32-28 /FEN "W:W51:B6"/ 1. 46-41 *', "32-28",
         "FEN: square 51 at column 10 is not on the board"),
    Game("a line with % is not read", "frisian", "% 10x10 is a board\n1. 32-28\n%19-24\n19-23 *", "32-28 19-23"),
    Game("an ellipsis belongs to its number", "frisian", '[FEN "B:W33,K46:B6,7"]\n1. ... 7-12 2. 46-41 *', "7-12 46-41"),
    Game("marks in brackets belong to the move", "frisian", "1. 32-28(!) 19-23(?) 2. 28x19*! 14x23(?!) *", "32-28 19-23 28x19 14x23"),
    Game("other signs", "frisian", "1. 32\u201328 19\u201423 2. 28X19 14*23 3. 3732 1014 4. 41\u221237 5\u00a0-\u00a010 *",
         "32-28 19-23 28x19 14x23 37-32 10-14 41-37 5-10"),
    Game("a bare x is the only capture", "frisian", "1. 32-28 19-23 2. x x *", "32-28 19-23 28x19", "ambiguous: matches several captures: "),
    Game("a null move is named", "frisian", "1. 32-28 -- 2. 31-27 *", "32-28", "'--', under frisian: null moves are not allowed"),
    Game("with blanks, too", "frisian", "1. 32-28 - - 2. 31-27 *", "32-28", "'- -', under frisian: null moves are not allowed"),
    Game("and as dots", "frisian", "1. 32-28 ... 2. 31-27 *", "32-28", "'...', under frisian: null moves are not allowed"),
    Game("dots at the end are none", "frisian", "1. 32-28 ... 2-0", "32-28"),
    Game("results end games", "frisian", "\n".join(
        f"1. 32-28 {result}" for result in ["\u00bd-\u00bd", "1/2-1/2", "1 1/2 - 1/2", "1+ - 1-", "0.98-1.02", "2-0", "0-2", "1-1",
                                            "0 - 2", "1-0", "*", "0-0", "1\u00bd-\u00bd", "1/2"]), "|".join(["32-28"] * 14)),
    Game("a tag names its result", "frisian", '[Result "12-8"]\n1. 32-28 12-8\n\n[Result "*"]\n1. 31-27 *', "32-28|31-27"),
    Game("the rule set is named", "international", "1. 32-29 *", "", "line 1, game 1, move 1 of White, '32-29', under international: "),
    Game("the game is named", "frisian", '1. 31-27 *\n{x}\n% y\n*\n[White "Ann"]\n[Black "Bo"]\n1. 32-29 *', "31-27|",
         "line 7, game 2 (Ann - Bo), move 1 of White, '32-29', under frisian: no legal move; legal: "),
    Game("comments before and between games are none", "frisian", '{A} ;b\n[Event "c"]\n1. 32-28 *\n\n{d} * [Event "e"]\n1. 31-27 *\n{f}',
         "32-28|31-27"),
    Game("tags may lack quotes, or a value", "frisian", '[Round 17][FEN ""]\n1. 32-28 *', "32-28"),
    Game("a column names the only piece", "frisian", '[GameType "26"] 1. cd4 b6-c5 2. d:b6 a:c5 *', "c3-d4 b6-c5 d4xb6 a7xc5"),
    Game("judgements belong to the move", "frisian", "1. 32-28 = 19-23+- 2. 28x19 N 14x23N *", "32-28 19-23 28x19 14x23"),
    Game("the tag names the side that begins", "frisian", '[GameType "20,B"] 1. 18-23 32-28 *', "18-23 32-28"),
    Game("unless the first move denies it", "frisian", '[GameType "21,W"] 1. 11-15 23-19 *', "11-15 23-19"),
    Game("too many captures are named with their move", "frisian", '[FEN "W:WK50:B2,4,7,8,9,10,11,13,16,19,21,22,24,25,27,30,31,32,34,36,38,41,42,43,44"] 1. 50x3 *',
         "", "line 1, game 1, move 1 of White, '50x3', under frisian: too many captures"),
    Game("a bound king", "frisian", RUN + "1. 50-45 6-11 2. 45-50 11-16 3. 50-45 16-21 4. 45-50", "50-45 6-11 45-50 11-16 50-45 16-21",
         "the king on 45 has already moved three times in a row; legal: 35-30"),
    Game("captures are compulsory", "frisian", "1. 32-28 19-23 2. 31-27 *", "32-28 19-23", "a capture is compulsory; legal: 28x19"),
    Game("and the most", "frisian", '[GameType "20"][FEN "W:W31,44:B17,27,40"] 1. 44x35', "",
         "another capture takes more and is compulsory; legal: 31x11"),
    Game("the other side is to move", "frisian", "1. ... 18-23 *", "", "the piece on 18 is Black's, and White is to move"),
    Game("a comment without an end takes only its game", "frisian", "1. 32-28 {oh\n\n[Event \"2\"]\n1. 31-27 *", "32-28|31-27",
         "unterminated comment"),
    Game("Frysk! begins with five men", "frisian", '[GameType "97"]\n1. 46-41 1-7 *', "46-41 1-7"),
    Game("blanks, lines and words are kept", "frisian", "\r\n [ Event  \"a ] \\\"b\\\"\" ]\r\n\r\n\t1.32-28  {  x\r\n}\r\n;y\r\n( 1. 31-27 )\t$3 19-23\r\n*\r\n\r\n",
         "32-28 19-23"),
]
