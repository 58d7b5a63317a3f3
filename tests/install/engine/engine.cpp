// What examples/probe.c does, in C++: the header must serve both.
#include <einspul.h>

#include <iostream>
#include <memory>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    einspul_options options;
    einspul_options_init(&options);
    const char *const folders[] = {argv[1]};
    options.folders = folders;
    options.n_folders = 1;

    einspul *opened = nullptr;
    einspul_position position;
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = 0;
    einspul_error error;
    einspul_status status = einspul_open(&options, &opened, &error);
    const std::unique_ptr<einspul, decltype(&einspul_close)> tables(opened, einspul_close);
    if (status == EINSPUL_OK)
        status = einspul_position_from_fen(tables.get(), argv[2], &position, &error);
    if (status == EINSPUL_OK)
        status = einspul_probe_dtw(tables.get(), &position, 0, &outcome, &plies, &error);
    if (status != EINSPUL_OK) {
        std::cerr << error.text << '\n';
        return 1;
    }
    const char *const names[] = {"loss", "draw", "win"};
    std::cout << argv[2] << ": " << names[outcome + 1] << ' ' << plies << '\n';
    return 0;
}
