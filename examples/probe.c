/* Opens a folder of tables and asks for one position: probe FOLDER FEN */
#include <einspul.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"loss", "draw", "win"};
    const char *folder = argc > 1 ? argv[1] : "data/tables";
    const char *fen = argc > 2 ? argv[2] : "W:W28,K46:BK43";
    einspul *tables = NULL;
    einspul_position position;
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    int plies = -1;
    einspul_error error;

    if (einspul_open(folder, "frisian", 64 << 20, NULL, &tables, &error) == EINSPUL_OK &&
        einspul_fen_read("frisian", fen, &position, &error) == EINSPUL_OK) {
        outcome = einspul_probe(tables, &position, 0, &plies);
        if (outcome == EINSPUL_UNKNOWN)
            einspul_why(tables, &position, EINSPUL_DTW, 0, &error);
    }
    if (outcome == EINSPUL_UNKNOWN)
        fprintf(stderr, "%s\n", error.text);
    else
        printf("%s: %s %d\n", fen, names[outcome + 1], plies);
    einspul_close(tables);
    return outcome == EINSPUL_UNKNOWN;
}
