# Completion of `einspul` in fish. Candidates are parsed from `--help`.
function __einspul_candidates
    set -l words (commandline -opc)
    set -l name '^  ([a-z][a-z0-9-]*)  +(.*)'
    if test (count $words) -eq 1
        printf '%s\n' --help --version
        $words[1] --help 2>/dev/null | sed '/^Common options:/q' | string replace -rf $name '$1\t$2'
    else if test $words[-1] = --rules
        $words[1] --help 2>/dev/null | sed -n '/^Rule sets:/,/^$/p' | string replace -rf $name '$1\t$2'
    else if string match -q -- '-*' (commandline -ct)
        $words[1] $words[2] --help 2>/dev/null |
            string replace -rf '^  (?:-., )?(--[a-z-]+)(?: \S+)? *(.*)' '$1\t$2'
    else
        $words[1] $words[2] --help 2>/dev/null |
            string replace -rf -- "^  $words[-1] ([a-z|-]*\|[a-z|-]*).*" '$1' | string split '|'
    end
end
complete -c einspul -a '(__einspul_candidates)'
