/* FENs. Input: a byte selecting the rule set, then a FEN. Accepted texts must round-trip; rejected
 * ones must give a one-line message. The lenient reader accepts strict texts unchanged, and others
 * only with a note or from a link or tag. */
#include "tests/fuzz/fuzz.h"

#include "core/material.h"
#include "core/program/flip.h"
#include "core/program/materials.h"
#include "study/fen_lenient.h"

#include <ctype.h>

static bool same_state(const struct state *a, const struct state *b)
{
    bool same = a->at.side == b->at.side && a->clock == b->clock && a->limited == b->limited;
    for (int side = WHITE; side <= BLACK; side++)
        same = same && a->at.men[side] == b->at.men[side] &&
               a->at.kings[side] == b->at.kings[side] && a->run[side].count == b->run[side].count &&
               a->run[side].square == b->run[side].square;
    return same;
}

static void expect_line(const einspul_error *error, einspul_status status)
{
    const size_t length = strlen(error->text);
    fuzz_expect(error->status == status && length > 0, "an error has a text");
    for (size_t i = 0; i < length; i++)
        fuzz_expect(!iscntrl((unsigned char)error->text[i]), "the text of an error is one line");
}

static void read_fen(const struct rules *rules, const char *text)
{
    struct state state;
    struct state again;
    einspul_error error = {0};
    char written[FEN_SIZE + 1];
    char rewritten[FEN_SIZE + 1];
    const einspul_status status = fen_read(rules, text, &state, NULL, &error);

    if (status != EINSPUL_OK) {
        fuzz_expect(status == EINSPUL_BAD_FEN || status == EINSPUL_BAD_POSITION, "a named error");
        expect_line(&error, status);
        return;
    }
    fuzz_expect(state_check(rules, &state, NULL) == EINSPUL_OK, "what is read can be");
    memset(written, 1, sizeof written);
    fen_write(rules, &state, written);
    fuzz_expect(memchr(written, '\0', FEN_SIZE) != NULL, "there is room for any FEN");
    fuzz_expect(fen_read(rules, written, &again, NULL, NULL) == EINSPUL_OK,
                "what is written is read");
    fuzz_expect(same_state(&state, &again), "what is written is the same state");
    fen_write(rules, &again, rewritten);
    fuzz_expect(strcmp(written, rewritten) == 0, "a state has one FEN");
    const struct state flipped = state_flip(&rules->board, &state);
    const struct state back = state_flip(&rules->board, &flipped);
    fuzz_expect(state_check(rules, &flipped, NULL) == EINSPUL_OK && same_state(&state, &back),
                "a state can be flipped and back");
}

/* A text outside links, tags and quotes, without typographic characters. */
static bool is_plain(const char *text)
{
    for (const char *at = text; *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80)
            return false;
    return strpbrk(text, "WwBb?") != NULL && strpbrk(text, "/[\"'nN") == NULL;
}

static void read_lenient(const struct rules *rules, const char *text)
{
    struct state strict;
    struct state state;
    einspul_error error = {0};
    enum notation notation = NOTATION_NUMBERS;
    char note[FEN_NOTE_SIZE + 1];
    const bool is_strict = fen_read(rules, text, &strict, NULL, NULL) == EINSPUL_OK;

    memset(note, 1, sizeof note);
    const einspul_status status =
        fen_read_lenient(rules, text, &state, note, &notation, NULL, &error);
    fuzz_expect(memchr(note, '\0', FEN_NOTE_SIZE) != NULL, "there is room for any note");
    if (status != EINSPUL_OK) {
        fuzz_expect(!is_strict, "lenient takes what strict takes");
        fuzz_expect(status == EINSPUL_BAD_FEN || status == EINSPUL_BAD_POSITION, "a named error");
        expect_line(&error, status);
        return;
    }
    for (const char *at = note; *at != '\0'; at++)
        fuzz_expect(*at >= ' ' && *at <= '~', "a note is one plain line");
    fuzz_expect(state_check(rules, &state, NULL) == EINSPUL_OK, "what is read can be");
    if (is_strict)
        fuzz_expect(same_state(&strict, &state) && note[0] == '\0', "strict and lenient agree");
    else
        fuzz_expect(note[0] != '\0' || notation == NOTATION_LETTERS || !is_plain(text),
                    "what is passed over is said");
}

static void read_material(const char *text)
{
    struct material material;
    struct material again;
    einspul_error error = {0};
    char written[MATERIAL_NAME_SIZE + 1];
    const einspul_status status = material_read(text, &material, &error);

    if (status != EINSPUL_OK) {
        fuzz_expect(status == EINSPUL_BAD_MATERIAL, "a named error");
        expect_line(&error, status);
        return;
    }
    memset(written, 1, sizeof written);
    material_write(&material, written);
    fuzz_expect(memchr(written, '\0', MATERIAL_NAME_SIZE) != NULL, "there is room for any name");
    fuzz_expect(material_read(written, &again, NULL) == EINSPUL_OK &&
                    material_equal(&material, &again),
                "what is written is the same material");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct rules rules;
    const uint8_t choice = fuzz_byte(&input);
    char *text = malloc(input.n_bytes + 1);
    if (text == NULL)
        abort();
    fuzz_rules(&rules, choice);
    memcpy(text, input.bytes, input.n_bytes);
    text[input.n_bytes] = '\0';
    read_fen(&rules, text);
    read_lenient(&rules, text);
    read_material(text);
    free(text);
    return 0;
}

size_t fuzz_seed(int number, uint8_t *bytes)
{
    static const char *const seeds[] = {
        "0W:W28,K46:BK43",
        "1b : w k1 - 5 , 31-35 : B 6,K50 .",
        "0W:WK1,K2:BK45:H3:F1",
        "2B:W31,K20:B10,K49:H0:F12:+349+220",
        "0B:W31,K20:B10,K5:H0:F12:+105+320",
        "5W:W21-32:B1-12",
        "4B:W31-50:B1-20:H0:F1:+0+0",
        "0W:WK1-25:BK26-50",
        "3KKMvKM",
        "0W:W28,G19,P20,K46:BK43:H12:F9:+2+247",
        "0[FEN \"W:W28,K46:BK43:H0:F1:+0+2\"]",
        "4https://lidraughts.org/analysis/standard/W%3AW28%2CK46:BK43?color=black#7",
        "0B:WK5:B",
        "0B:WK2,K5:B:H0:F1:+0+0:LW15",
        "0W:WK46:BK34:H0:F1:+0+0:LB6",
        "1w:w:b3,k9.",
        "0B:BG12:WK5,28:H7:F9:+1+205",
        "0lidraughts.org/analysis/frisian?fen=W:W28,_K46:%20BK43:+0+246",
        "6W:Wa3,c3,Ke3:Bb8,h8",
        ("0?:W:W28,31\xe2\x80\x93"
         "33:BK43"),
        "0fen: \"B:B:WK5:B3\"",
        "6[SetUp \"1\"][GameType \"26\"] [FEN \"W:WGa3,c3:Bb8\"]",
    };
    if ((size_t)number >= sizeof seeds / sizeof seeds[0])
        return 0;
    memcpy(bytes, seeds[number], strlen(seeds[number]));
    return strlen(seeds[number]);
}
