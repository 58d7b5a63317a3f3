"""layouts.py CC SOURCE WORK: compares the structs and numbers of the Python and Rust bindings with einspul.h.

Fails if a binding reads a field at the offset of another, such as a run as the clock.
"""

import ctypes
import importlib.util
import pathlib
import re
import subprocess
import sys

CC, SOURCE, WORK = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
RUST_TYPES = {
    "u8": ctypes.c_uint8,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "u64": ctypes.c_uint64,
    "c_int": ctypes.c_int,
    "c_char": ctypes.c_char,
}


def load_python():
    path = SOURCE / "bindings/python/src/einspul/_library.py"
    spec = importlib.util.spec_from_file_location("library", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_rust():
    """The structs of lib.rs and ffi.rs as ctypes, and their numbers."""
    text = "".join((SOURCE / "bindings/rust/src" / name).read_text() for name in ("lib.rs", "ffi.rs"))
    numbers = dict(re.findall(r"pub const (\w+): \w+ = (\d+);", text))
    types = dict(RUST_TYPES)
    for name, body in re.findall(r"#\[repr\(C\)\]\n(?:#[^\n]*\n)?pub struct (\w+) \{\n(.*?)\n\}", text, re.S):
        fields = []
        for field, type_name in re.findall(r"pub (\w+): (.*),", body):
            array = re.fullmatch(r"\[(\w+); (\w+)\]", type_name)
            if array:
                length = int(numbers.get(array[2], array[2]))
                fields.append((field, types[array[1]] * length))
            else:
                fields.append((field, types[type_name]))
        types[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return types, {name: int(number) for name, number in numbers.items()}


def layout(struct):
    """The size of a struct, and offset and size of each field."""
    fields = [getattr(struct, name) for name, _ in struct._fields_]
    return [ctypes.sizeof(struct)] + [n for field in fields for n in (field.offset, field.size)]


def layout_in_c(c_name, struct):
    """Like layout, for the fields with these names as the C compiler lays them out."""
    names = [name.replace("_square", "") if name in ("from_square", "to_square") else name
             for name, _ in struct._fields_]
    lines = [f'printf("%zu", sizeof({c_name}));']
    lines += [f'printf(" %zu %zu", offsetof({c_name}, {name}), sizeof((({c_name} *)0)->{name}));'
              for name in names]
    return [int(word) for word in run_c(lines).split()]


def run_c(lines):
    source, program = WORK / "layout.c", WORK / "layout"
    source.write_text("#include <einspul.h>\n#include <stdio.h>\nint main(void) {\n"
                      + "\n".join(lines) + "\nreturn 0; }\n")
    subprocess.run([CC, f"-I{SOURCE / 'include'}", source, "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    python, (rust, rust_numbers) = load_python(), load_rust()
    structs = [
        ("einspul_error", python.CError), ("einspul_error", rust["Error"]),
        ("einspul_position", python.CPosition), ("einspul_position", rust["Position"]),
        ("einspul_move", python.CMove), ("einspul_move", rust["Move"]),
        ("einspul_table_info", python.CTableInfo),
    ]
    for c_name, struct in structs:
        expected = layout_in_c(c_name, struct)
        assert layout(struct) == expected, f"{c_name}: {layout(struct)}, in C {expected}"
    for name in ("FEN_SIZE", "MOVE_TEXT_SIZE", "ERROR_TEXT_SIZE", "UNKNOWN"):
        expected = int(run_c([f'printf("%d", (int)EINSPUL_{name});']))
        for numbers in (vars(python), rust_numbers):
            assert numbers[name] == expected, f"{name}: {numbers[name]}, in C {expected}"
    header = (SOURCE / "include/einspul.h").read_text()
    declared = set(re.findall(r"^EINSPUL_API [^;(]*?(einspul_\w+)\(", header, re.M))
    assert set(python._FUNCTIONS) == declared, set(python._FUNCTIONS) ^ declared


main()
