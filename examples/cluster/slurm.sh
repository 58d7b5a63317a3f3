#!/bin/sh
# slurm.sh PLAN TABLES [SBATCH-OPTION…]: submits a job for each material of a plan to Slurm.
#
#   einspul plan --pieces 6 --cores 16 >six.tsv
#   sh slurm.sh six.tsv /shared/tables --partition=long
#
# Where a job fails, those that need it are taken out of the queue; the same command again goes on. A
# job whose tables are there ends at once, and one of the same name that is still in the queue goes
# first. From the environment: EINSPUL, the program; OPTIONS, `--rules` and `--metric` as in the plan;
# MEMORY, the MiB that a job asks for if it can do with that.
set -eu
plan=$1 tables=$2
shift 2
most=${MEMORY:-60000}
mkdir -p "$tables/logs"
ids=
# Nothing stays in the queue of a plan that is refused in the middle.
trap '[ -z "$ids" ] || scancel $ids; exit 1' EXIT INT TERM

rows=$(mktemp)
sed 1d "$plan" >"$rows"
while IFS='	' read -r material least wanted _ _ cores needs; do
    # A process takes a little more than it plans with: a sixteenth, and 64 MiB.
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
echo "$(echo "$ids" | wc -w) jobs are submitted"
