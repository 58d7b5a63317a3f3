# Writes a text as a C string: cmake -D INPUT=… -D OUTPUT=… -D NAME=… -P embed.cmake
cmake_minimum_required(VERSION 3.18...3.22)

file(READ "${INPUT}" hex HEX)
string(REPLACE "0d0a" "0a" hex "${hex}") # as some systems end lines
string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
file(WRITE "${OUTPUT}" "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
