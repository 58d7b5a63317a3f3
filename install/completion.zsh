#compdef einspul
# Completion of `einspul` in zsh. Candidates are parsed from `--help`.
local before=$words[CURRENT-1] command=$words[2] help name='\([a-z][a-z0-9-]*\)'
local -a found
[[ $CURRENT -eq 2 || $before == --rules ]] && command=
help=$($words[1] $command --help 2>/dev/null)
if [[ $CURRENT -eq 2 ]]; then
    found=(--{help,version} ${(f)"$(sed -n "/^Common options:/q;s/^  $name  *\(.*\)/\1:\2/p" <<<$help)"})
elif [[ $before == --rules ]]; then
    found=(${(f)"$(sed -n "/^Rule sets:/,/^$/s/^  $name  *\(.*\)/\1:\2/p" <<<$help)"})
elif [[ $PREFIX == -* ]]; then
    found=(${(f)"$(sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\)\( [^ ]*\)\{0,1\} *\(.*\)/\2:\4/p' <<<$help)"})
else
    found=($(sed -n "s/^  $before \([a-z|-]*|[a-z|-]*\).*/\1/p" <<<$help | tr '|' ' '))
fi
[[ $#found -gt 0 ]] && _describe einspul found || _files
