/* The list of commands, in the order of the help. */
#include "cli/commands.h"

extern const struct command command_generate, command_plan, command_probe, command_moves,
    command_line, command_find, command_map, command_annotate, command_stats, command_verify,
    command_list, command_compress, command_pack, command_perft, command_bench, command_serve,
    command_hub, command_help;

const struct command *const commands[] = {&command_generate, &command_plan,     &command_probe,
                                          &command_moves,    &command_line,     &command_map,
                                          &command_find,     &command_annotate, &command_stats,
                                          &command_verify,   &command_list,     &command_compress,
                                          &command_pack,     &command_perft,    &command_bench,
#ifdef EINSPUL_SERVER
                                          &command_serve,
#endif
                                          &command_hub,      &command_help,     NULL};
