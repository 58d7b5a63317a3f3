# Submits the jobs of a plan to Slurm, in arrays that wait for each other.
#
#   sh FILE            submits what is not done; after a fault, too, to repair the run
#   sh FILE again      the same, while tasks of the plan are in the queue: cancels those first
#   sh FILE status     what Slurm has of it, and how far the tables are
#   sh FILE cancel     takes it out of the queue; what is finished stays
#
# `submit` and `again` pass on what the site wants: sh FILE submit --sbatch --qos=long --account=mine
#
# A last job of one core waits for all others, and submits what is not done by then: jobs that ran
# out of memory with more of it, and those that had no room in the queue. From the environment:
#
#   SBATCH_PARTITION, SBATCH_ACCOUNT, ...  read by sbatch
#   EINSPUL_SCRATCH   disk of a node, expanded there: '$TMPDIR' is the job's own folder
#   AT_ONCE           tasks of an array that run at once (default: any number)
#   MOST_TASKS        tasks in the queue (default: Slurm's MaxJobCount)
#   MOST_MINUTES      of a task's time, as partitions have a limit; stopped tasks go on in another turn
#   RESTARTS          of a task, at most (default: 20)
#   TURNS             times that what is left is submitted without progress (default: 3; 0: never)
#
# Logs, one for each job, are in $LOGS; a log of an array that could not begin, beside them.
set -eu
@plan@
RESTARTS=${RESTARTS:-20}
TURNS=${TURNS:-3}
export EINSPUL TABLES LOGS RESTARTS TURNS

fail() {
    echo "$name: $*" >&2
    exit 1
}

# A line for each task of the plan in the queue, but this one: job, state, name.
queue() {
    listed=$(squeue -h -r -u "$(id -un)" -o '%A %T %j') || fail "squeue does not answer"
    printf '%s\n' "$listed" | grep -e "-$name\$" | grep -v "^${SLURM_JOB_ID:-none} " || :
}

# What an earlier call submitted: its tasks keep what they finished, and end.
cancel() {
    queued=$(queue)
    [ -z "$queued" ] || printf '%s\n' "$queued" | cut -d ' ' -f 1 | sort -u | xargs scancel || :
    for _ in $(seq 120); do
        queued=$(queue)
        [ -n "$queued" ] || return 0
        sleep 1
    done
    fail "still in the queue"
}

# One submission at a time: of two calls of mkdir only one makes the folder, on any file system.
lock() {
    [ ! -L "$LOGS" ] || { echo "$LOGS: a symbolic link" >&2; exit 2; }
    mkdir -p "$LOGS"
    tries=0
    until mkdir "$LOGS/submitting" 2>/dev/null; do
        [ "$tries" -lt "$1" ] || fail "another submission is at work: $(cat "$LOGS/submitting/by");" \
            "if it is not there any more, remove $LOGS/submitting"
        tries=$((tries + 1))
        sleep 1
    done
    trap 'rm -rf "$LOGS/submitting"' EXIT
    trap 'exit 1' HUP INT TERM
    echo "process $$ on $(hostname)" >"$LOGS/submitting/by"
}

turn=submit
if [ "$#" -gt 0 ] && [ "$1" != --sbatch ]; then
    turn=$1
    shift
fi
turns=$TURNS
if [ "$turn" = turn ]; then
    turns=$1
    left_before=$2
    shift 2
fi
site=
if [ "$#" -gt 0 ]; then
    [ "$1" = --sbatch ] || turn=unknown
    shift
    site=$*
fi
case $turn in
submit)
    lock 0
    queued=$(queue)
    [ -z "$queued" ] || fail "$(printf '%s\n' "$queued" | wc -l) tasks are in the queue:" \
        "see '$0 status'; '$0 again' replaces them"
    ;;
again)
    lock 0
    cancel
    ;;
turn)
    lock 120
    queued=$(queue)
    [ -z "$queued" ] || { echo "submitted anew meanwhile"; exit 0; }
    ;;
status)
    queued=$(queue)
    printf '%s\n' "$queued" | awk 'NF { print $2, $3 }' | sort | uniq -c
    exec "$EINSPUL" $plan --status --tables "$TABLES"
    ;;
cancel)
    cancel
    exit
    ;;
*)
    echo "usage: $0 [submit|again|status|cancel] [--sbatch OPTION...]" >&2
    exit 2
    ;;
esac

if [ "$("$EINSPUL" --version)" != "$version" ]; then
    echo "$EINSPUL is not $version, which made this plan: make it anew" >&2
    exit 2
fi
"$EINSPUL" $plan --left --tables "$TABLES" >"$LOGS/left.tsv"
# A line for each job that is left, and how often it had too little memory: its log has a status that
# says so, or none, as Slurm kills the whole task.
find "$LOGS" -path '*/[0-9]*/*.log' -exec cat {} + | awk '
    FNR == NR { if (FNR > 1) left[$1] = 1; next }
    $1 == "begin" { lacks[$2] += open[$2]; open[$2] = 1 }
    $1 == "end" { n = $4 + 0; lacks[$2] += n == 137 || n == 69; open[$2] = 0 }
    END { for (job in left) { n = lacks[job] + open[job]; print job, n < 3 ? n : 3 } }
' "$LOGS/left.tsv" - >"$LOGS/left"
n_left=$(wc -l <"$LOGS/left")
if [ "$n_left" -eq 0 ]; then
    echo "0 jobs are submitted: all is done"
    exit
fi
if [ "$turn" = turn ] && [ "$n_left" -ge "$left_before" ]; then
    turns=$((turns - 1))
    [ "$turns" -gt 0 ] || fail "$n_left jobs are left, as before: given up; the logs tell why"
else
    turns=$TURNS
fi
limit_of() { scontrol show config | sed -n "s/^$1 *= *//p"; }
most=$(limit_of MaxArraySize)
most=${most:-1001}
MOST_TASKS=${MOST_TASKS:-$(limit_of MaxJobCount)}
room=${MOST_TASKS:-10000}
export MOST_TASKS
room=$((room - 1)) # the last job

# A task of an array: the job whose name is on the line of LIST with the task's number.
cat >"$LOGS/task" <<'TASK'
#!/bin/sh
# task LIST LOGS MEMORY SCRATCH RESTARTS VERSION EINSPUL OPTION...
id=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" "$1")
[ -n "$id" ] || { echo "no job $SLURM_ARRAY_TASK_ID in $1"; exit 2; }
# A folder for every hundred tasks: file systems suffer from thousands in one.
folder=$2/$((SLURM_ARRAY_TASK_ID / 100))
memory=$3
eval "scratch=\"$4\""
most=$5
version=$6
shift 6
mkdir -p "$folder"
exec >>"$folder/$id.log" 2>&1
task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
starts=${SLURM_RESTART_COUNT:-0}
if [ "$starts" -gt "$most" ]; then
    echo "$id: given up after $most restarts"
    exit 75
fi
echo "begin $id task $task on $(hostname), $(date), restart $starts"
[ "$("$1" --version)" = "$version" ] || echo "the plan was made by another program, $version"
child=
trap '[ -z "$child" ] || kill -TERM "$child"' TERM INT
"$@" --job "$id" --memory "$memory" --threads "$SLURM_CPUS_PER_TASK" \
    ${scratch:+--scratch "$scratch"} &
child=$!
status=0
wait "$child" || status=$?
# A signal ends `wait` before the program has kept what it finished: wait for that, too.
while kill -0 "$child" 2>/dev/null; do
    status=0
    wait "$child" || status=$?
done
echo "end $id status $status; processor time, user and system, of this shell and of the job:"
times
# Stopped before the end of its time, not by scancel: it goes on in another turn.
if [ "$status" -eq 75 ]; then
    for _ in 1 2 3 4 5 6; do
        state=$(squeue -h -j "$task" -o %T) && break
        sleep 10
    done
    [ "$state" != RUNNING ] || ! scontrol requeue "$task" || sleep 60
fi
exit "$status"
TASK

# send ARGUMENT...: sbatch, as the site wants it; where it fails, what was submitted is cancelled.
submitted=
send() {
    sbatch --parsable $site "$@" && return
    [ -z "$submitted" ] || scancel $(echo "$submitted" | tr : ' ') || :
    fail "sbatch failed, and nothing stays submitted; for limits there are MOST_TASKS, MOST_MINUTES," \
        "AT_ONCE, --sbatch, or a plan with less"
}

# send_list NAME CORES MIB GIB MINUTES AFTER: submits $list.ids, in as many arrays as Slurm's limit
# takes, no more than there is room for; or only asks whether there is a node for it.
send_list() {
    if [ "$asking" = yes ]; then
        sbatch --test-only $site --cpus-per-task="$2" --mem="$3M" --time="$5" "$LOGS/task" \
            >"$LOGS/asked" 2>&1 || fail "nothing is submitted: $1 cannot run with $2 cores," \
            "$3 MiB and $5 minutes: $(cat "$LOGS/asked")"
        return
    fi
    head -n "$room" "$list.ids" | split -a 4 -l "$most" - "$list.part$3."
    for part in "$list.part$3".*; do
        [ -e "$part" ] || continue
        n=$(wc -l <"$part")
        job=$(send --job-name="$1-$name" --comment="$(head -n 1 "$part")" \
            --array="0-$((n - 1))${AT_ONCE:+%$AT_ONCE}" \
            --cpus-per-task="$2" --mem="$3M" --time="$5" \
            --requeue --signal=B:TERM@300 --kill-on-invalid-dep=yes \
            ${6:+--dependency=afterok$6} --open-mode=append --output="$LOGS/$1.slurm.log" \
            "$LOGS/task" "$part" "$list" "$4" "${EINSPUL_SCRATCH-}" "$RESTARTS" "$version" \
            "$EINSPUL" generate $job_options --tables "$TABLES")
        submitted=$submitted:${job%%;*}
        eval "jobs_$1=\${jobs_$1-}:${job%%;*}"
        total=$((total + n))
        room=$((room - n))
    done
}

# array NAME CORES GIB MIB MINUTES NEEDS: of the jobs named on standard input those that are left,
# after the arrays NEEDS; those that ran out of memory with half as much again for each time.
array() {
    list=$LOGS/$1
    rm -rf "$list.ids" "$list.part"*
    cat >"$list.all"
    after=
    for need in $6; do
        eval "after=\$after\${jobs_$need-}"
    done
    for lacks in 0 1 2 3; do
        awk -v lacks="$lacks" 'FNR == NR { if ($2 == lacks) left[$1] = 1; next } $1 in left' \
            "$LOGS/left" "$list.all" >"$list.ids"
        # Nothing that comes later has room either: it may need what had none.
        [ -s "$list.ids" ] && [ "$room" -gt 0 ] || continue
        set -- "$1" "$2" "$3" "$4" "$5" "$6" $(awk -v n="$lacks" -v gib="$3" -v mib="$4" \
            -v node="$node_mib" 'BEGIN {
                more = int(mib * (2 + n) / 2)
                if (more > node) more = node
                most = (more - 32) / 33 / 32 # as GiB; a request is 33/32 of it, and 32 MiB
                gib *= (4 + n) / 4
                printf("%d %.3f", more, (n > 0 && gib > most) ? most : gib)
            }')
        minutes=$5
        [ -z "${MOST_MINUTES-}" ] || [ "$minutes" -le "$MOST_MINUTES" ] || minutes=$MOST_MINUTES
        send_list "$1" "$2" "$7" "$8" "$minutes" "$after"
    done
}

total=0
asking=yes
arrays
asking=no
[ "$n_left" -le "$room" ] || echo "$n_left jobs are left, $room have room in the queue: the rest" \
    "follows when these have ended"
arrays
if [ "$TURNS" -gt 0 ]; then
    send --job-name="last-$name" --cpus-per-task=1 --mem=500M \
        --time="${MOST_MINUTES:-30}" --requeue \
        --dependency="afterany$submitted" --open-mode=append --output="$LOGS/last.slurm.log" \
        "$0" turn "$turns" "$n_left" ${site:+--sbatch $site} >"$LOGS/last"
fi
echo "$total jobs are submitted as $name; logs: $LOGS"
