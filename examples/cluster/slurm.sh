#!/bin/sh
# slurm.sh PLAN TABLES [SBATCH-OPTION…]: submits a job for each material of a plan to Slurm.
#
#   einspul plan --pieces 6 --cores 16 >six.tsv
#   sh slurm.sh six.tsv /shared/tables --partition=long
#
# If a job fails, its dependents are cancelled; run the command again to resume. Jobs whose tables exist
# exit at once; a queued job of the same name runs first (singleton dependency). Environment: EINSPUL, path
# of the program; OPTIONS, `--rules` and `--metric` as in the plan; MEMORY, the MiB that a job requests if
# it needs no more.
set -eu
plan=$1 tables=$2
shift 2
most=${MEMORY:-60000}
mkdir -p "$tables/logs"
ids=
# If a submission is rejected, cancel the jobs already submitted.
trap '[ -z "$ids" ] || scancel $ids; exit 1' EXIT INT TERM

rows=$(mktemp)
sed 1d "$plan" >"$rows"
while IFS='	' read -r material least wanted _ _ cores needs; do
    # A process uses up to 1/16 plus 64 MiB more than its plan; request that too.
    ask=$((wanted / 1048576 * 17 / 16 + 65))
    [ "$ask" -le "$most" ] || ask=$most
    least=$((least / 1048576 * 17 / 16 + 65))
    [ "$ask" -ge "$least" ] || ask=$least
    after=
    [ "$needs" = - ] || for need in $(echo "$needs" | tr , ' '); do
        eval "after=\$after:\$id_$need"
    done
    id=$(sbatch --parsable --job-name="einspul-$material" --output="$tables/logs/$material-%j.log" \
        --cpus-per-task="$cores" --mem="$ask" --requeue --kill-on-invalid-dep=yes \
        --dependency="${after:+afterok$after,}singleton" "$@" <<END
#!/bin/sh
exec '${EINSPUL:-einspul}' generate ${OPTIONS-} --only --material $material --tables '$tables' \
    --threads $cores
END
    )
    eval "id_$material=\${id%%;*}"
    ids="$ids ${id%%;*}"
done <"$rows"
rm "$rows"
trap - EXIT INT TERM
echo "$(echo "$ids" | wc -w) jobs submitted"
