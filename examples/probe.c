/* Probes one position: example_probe [FOLDER [FEN]] */
#include <einspul.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "data/tables";
    const char *fen = argc > 2 ? argv[2] : "W:W28,K46:BK43";
    einspul *tables = NULL;
    einspul_position position;
    einspul_outcome outcome;
    int plies;
    einspul_error error = {.status = EINSPUL_OK};

    if (einspul_open(folder, "frisian", 64 << 20, NULL, &tables, &error) != EINSPUL_OK ||
        einspul_fen_read("frisian", fen, &position, &error) != EINSPUL_OK ||
        einspul_probe(tables, &position, 0, &outcome, &plies, &error) != EINSPUL_OK)
        fprintf(stderr, "%s\n", error.text);
    else if (outcome == EINSPUL_DRAW)
        printf("%s: draw\n", fen);
    else
        printf("%s: %s in %d plies\n", fen, outcome == EINSPUL_WIN ? "win" : "loss", plies);
    einspul_close(tables);
    return error.status != EINSPUL_OK;
}
