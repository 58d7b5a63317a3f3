/* Probes one position: example_probe [FOLDER [FEN]] */
#include <einspul.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"loss", "draw", "win"};
    const char *folder = argc > 1 ? argv[1] : "data/tables";
    const char *fen = argc > 2 ? argv[2] : "W:W28,K46:BK43";
    einspul *tables = NULL;
    einspul_position position;
    einspul_outcome outcome;
    int plies;
    einspul_error error;

    einspul_status status = einspul_open(folder, "frisian", 64 << 20, NULL, &tables, &error);
    if (status == EINSPUL_OK)
        status = einspul_fen_read("frisian", fen, &position, &error);
    if (status == EINSPUL_OK)
        status = einspul_probe(tables, &position, 0, &outcome, &plies, &error);
    if (status != EINSPUL_OK)
        fprintf(stderr, "%s\n", error.text);
    else if (outcome == EINSPUL_DRAW)
        printf("%s: draw\n", fen);
    else
        printf("%s: %s in %d plies\n", fen, names[outcome + 1], plies);
    einspul_close(tables);
    return status != EINSPUL_OK;
}
