/* Opens a folder of tables and asks for one position: probe FOLDER FEN */
#include <einspul.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    static const char *const names[] = {"loss", "draw", "win"};
    const char *const folders[] = {argc > 1 ? argv[1] : "data/tables"};
    const char *fen = argc > 2 ? argv[2] : "W:W28,K46:BK43";
    einspul_options options;
    einspul *tables = NULL;
    einspul_position position;
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = 0;
    einspul_error error;

    einspul_options_init(&options);
    options.folders = folders;
    options.n_folders = 1;
    int failed = einspul_open(&options, &tables, &error) != EINSPUL_OK ||
                 einspul_position_from_fen(tables, fen, &position, &error) != EINSPUL_OK ||
                 einspul_probe_dtw(tables, &position, 0, &outcome, &plies, &error) != EINSPUL_OK;
    if (failed)
        fprintf(stderr, "%s\n", error.text);
    else
        printf("%s: %s %d\n", fen, names[outcome + 1], plies);
    einspul_close(tables);
    return failed;
}
