// examples/probe.c in C++: the header must serve both languages.
#include <einspul.h>

#include <iostream>
#include <memory>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    einspul *opened = nullptr;
    einspul_position position;
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    int plies = -1;
    einspul_error error;
    einspul_status status = einspul_open(argv[1], "frisian", 64 << 20, nullptr, &opened, &error);
    const std::unique_ptr<einspul, decltype(&einspul_close)> tables(opened, einspul_close);
    if (status == EINSPUL_OK)
        status = einspul_fen_read("frisian", argv[2], &position, &error);
    if (status == EINSPUL_OK)
        status = einspul_probe(tables.get(), &position, 0, &outcome, &plies, &error);
    if (status != EINSPUL_OK) {
        std::cerr << error.text << '\n';
        return 1;
    }
    const char *const names[] = {"loss", "draw", "win"};
    std::cout << argv[2] << ": " << names[outcome + 1] << " in " << plies << " plies\n";
    return 0;
}
