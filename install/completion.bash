# Completion of `einspul` in bash. Candidates are parsed from `--help`.
_einspul() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    local help words
    if [ "$COMP_CWORD" -eq 1 ]; then
        help=$("${COMP_WORDS[0]}" --help 2>/dev/null)
        words="--help --version $(sed -n '/^Common options:/q;s/^  \([a-z][a-z]*\)  .*/\1/p' <<<"$help")"
    else
        help=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null)
        case $word in
        -*) words=$(sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' <<<"$help") ;;
        *) words=$(sed -n "s/^  $before \([a-z|-]*|[a-z|-]*\).*/\1/p" <<<"$help" | tr '|' ' ') ;;
        esac
        [ "$before" != --rules ] ||
            words=$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -n '/^Rule sets:/,/^$/s/^  \([a-z][a-z0-9-]*\).*/\1/p')
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _einspul einspul
