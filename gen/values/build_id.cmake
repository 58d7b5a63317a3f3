# Writes build_id.c: cmake -D OUTPUT=… -D "ROOT=…" -D "FILES=a;b" -P build_id.cmake
# Names and contents of the files, relative to ROOT, are hashed in the order of their names, without
# carriage returns, which some systems add. Those that decide a chunk's place in a file and its bytes
# also have a hash of their own.
cmake_minimum_required(VERSION 3.18...3.22)

list(SORT FILES)
set(all "")
set(form "")
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" text)
  string(REPLACE "\r" "" text "${text}")
  string(SHA256 hash "${text}")
  string(APPEND all "${file} ${hash}\n")
  if(file MATCHES "^(core|gen/values)/")
    string(APPEND form "${file} ${hash}\n")
  endif()
endforeach()
foreach(text all form)
  string(SHA256 hash "${${text}}")
  string(SUBSTRING "${hash}" 0 16 id_of_${text})
endforeach()
file(WRITE "${OUTPUT}" "/* Written by gen/values/build_id.cmake. */
#include \"gen/values/build_id.h\"

const uint64_t build_id = UINT64_C(0x${id_of_all});
const uint64_t build_form_id = UINT64_C(0x${id_of_form});
")
