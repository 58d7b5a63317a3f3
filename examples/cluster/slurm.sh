#!/bin/sh
# slurm.sh PLAN TABLES [SBATCH-OPTION…]: submits a plan to Slurm, a job for each material.
#
#   einspul plan --pieces 7 --metric wdl --cores 16 >seven.tsv
#   sh slurm.sh seven.tsv /shared/tables --partition=long
#
# Materials of up to SMALL pieces are one job. Complete materials are skipped, and jobs of an earlier
# call that are still queued are kept; so the same command again submits whatever failed or did not
# fit the site's limit on jobs. If a job fails, those that need it leave the queue. A job that reaches
# its time limit stops, saves its partial results, and requeues itself.
#
# Environment: EINSPUL, the program, as the nodes find it; MEMORY, the GiB to request for a job that
# can work with that (default 58); SMALL (default 5); HOURS, the time limit of a job (default: four
# times the plan's estimate, and a quarter of an hour more); OPTIONS, more options for `generate`.
set -eu
plan=$1 tables=$2
shift 2
program=${EINSPUL:-einspul}
most=$((${MEMORY:-58} * 1024))
small=${SMALL:-5}
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

command -v "$program" >/dev/null || { echo "slurm.sh: $program: not found; set EINSPUL" >&2; exit 2; }
mkdir -p "$tables/logs"
tables=$(cd "$tables" && pwd)
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
trap 'exit 1' INT TERM
sed 1d "$plan" >"$work/rows"
read -r _ _ _ _ _ _ _ rules metric _ <"$work/rows"
mark=$(printf %s "$tables" | cksum | cut -d ' ' -f 1)

pieces() { m=$1; echo $((${#m} - 1)); }
largest=2
while read -r material _; do
    [ "$(pieces "$material")" -le "$largest" ] || largest=$(pieces "$material")
done <"$work/rows"
# Exit status 3: this machine could not generate some of them.
"$program" plan --pieces "$largest" --rules "$rules" --metric "$metric" --tables "$tables" \
    >"$work/incomplete" 2>"$work/messages" || [ $? -eq 3 ] || { cat "$work/messages" >&2; exit 1; }
squeue --me --noheader --format='%j %i' >"$work/queued"

n_jobs=0
: >"$work/ids"
logs=$(printf %s "$tables/logs" | sed 's/%/%%/g') # a pattern of sbatch
# submit NAME MIB CORES MINUTES DEPENDENCIES MATERIAL…: sets `id`; false if it was refused.
submit() {
    name=$1-$rules-$metric-$mark mib=$2 cores=$3 minutes=$4 after=$5
    shift 5
    id=$(sed -n "s/^$name //p" "$work/queued" | head -n 1)
    [ -z "$id" ] || return 0
    {
        echo '#!/bin/sh'
        # shellcheck disable=SC2016
        echo 'trap '\''kill -TERM "$child"; wait "$child"; scontrol requeue "$SLURM_JOB_ID"; exit 1'\'' TERM'
        for one in "$@"; do
            echo "$(quoted "$program") generate --rules $rules --metric $metric --only --material $one" \
                "--tables $(quoted "$tables") --threads $cores ${OPTIONS-} &"
            # shellcheck disable=SC2016
            echo 'child=$!; wait "$child" || exit'
        done
    } >"$work/job"
    id=$(eval "sbatch --parsable --job-name=\$name --output=\"\$logs/\$name-%j.log\" --open-mode=append \
        --cpus-per-task=\$cores --mem=\$mib --time=\$minutes --signal=B:TERM@120 --requeue \
        --kill-on-invalid-dep=yes ${after:+--dependency=afterok$after} $arguments \"\$work/job\"") || return 1
    id=${id%%;*}
    n_jobs=$((n_jobs + 1))
}

arguments=
for argument in "$@"; do arguments="$arguments $(quoted "$argument")"; done

# minutes SECONDS CORES
minutes() {
    [ -z "${HOURS-}" ] || { echo $((HOURS * 60)); return; }
    awk -v s="$1" -v n="$2" 'BEGIN { print int(4 * s / n / 60) + 15 }'
}

refused() {
    echo "$n_jobs jobs are submitted; the next one was refused: call again when some have ended" >&2
    exit 75
}

names='' mib=0 cores=1 seconds=0
while IFS='	' read -r material least wanted _ time n needs _; do
    grep -q "^$material	" "$work/incomplete" || continue
    # A process needs slightly more memory than it plans with: a sixteenth, and 64 MiB.
    ask=$((wanted / 1048576 * 17 / 16 + 65))
    [ "$ask" -le "$most" ] || ask=$most
    least=$((least / 1048576 * 17 / 16 + 65))
    [ "$ask" -ge "$least" ] || ask=$least
    if [ "$(pieces "$material")" -le "$small" ]; then
        names="$names $material"
        [ "$ask" -le "$mib" ] || mib=$ask
        [ "$n" -le "$cores" ] || cores=$n
        seconds=$(awk -v a="$seconds" -v b="$time" 'BEGIN { print a + b }')
        echo "$material small" >>"$work/ids"
        continue
    fi
    if [ -n "$names" ]; then
        # shellcheck disable=SC2086
        submit small "$mib" "$cores" "$(minutes "$seconds" 1)" '' $names || refused
        sed -i "s/ small\$/ $id/" "$work/ids"
        names=
    fi
    after=
    for need in $(echo "$needs" | tr , ' '); do
        known=$(sed -n "s/^$need //p" "$work/ids")
        [ -n "$known" ] || continue # complete
        case $after: in *":$known:"*) ;; *) after=$after:$known ;; esac
    done
    submit "$material" "$ask" "$n" "$(minutes "$time" "$n")" "$after" "$material" || refused
    echo "$material $id" >>"$work/ids"
done <"$work/rows"
if [ -n "$names" ]; then
    # shellcheck disable=SC2086
    submit small "$mib" "$cores" "$(minutes "$seconds" 1)" '' $names || refused
fi
echo "$n_jobs jobs are submitted"
