# Turns a plan of jobs into a script that submits them to PBS, or to what has its `qsub`:
#
#   einspul plan --pieces 6 --nodes 4 --cores 16 --memory 60 | awk -f pbs.awk >six.sh
#   EINSPUL=/shared/einspul TABLES=/shared/tables QSUB='-q long' sh six.sh
#
# If one qsub fails, those before it are taken back. The same again after a fault: finished jobs end at
# once. EINSPUL_OPTIONS is for --rules and --metric, which the plan must have been made with.
BEGIN {
    FS = "\t"
    print "set -eu"
    print "export EINSPUL TABLES EINSPUL_OPTIONS=\"${EINSPUL_OPTIONS-}\""
    print "all="
    print "trap 'status=$?; [ \"$status\" -eq 0 ] || [ -z \"$all\" ] || qdel $all; exit \"$status\"' EXIT"
}
NR > 1 {
    number[$1] = NR
    after = ""
    n = $9 == "-" ? 0 : split($9, needs, ",")
    for (i = 1; i <= n; i++)
        after = after ":$job_" number[needs[i]]
    # A request is a little more than the job plans with; the time is four times what is expected.
    printf "job_%d=$(qsub ${QSUB-} -N einspul-%s -r y -v EINSPUL,TABLES,EINSPUL_OPTIONS \\\n", NR,
           substr($1, 1, 40)
    printf "    -l select=1:ncpus=%d:mem=%dmb -l walltime=%d %s <<'END'\n", $4,
           $5 / 1048576 * 33 / 32 + 33, 1800 + 4 * $7 / $4, after == "" ? "" : "-W depend=afterok" after
    printf "exec \"$EINSPUL\" generate $EINSPUL_OPTIONS --tables \"$TABLES\" --job %s --threads %d " \
           "--memory %.4f\nEND\n)\nall=\"$all $job_%d\"\n", $1, $4, $5 / 1073741824 + 0.0001, NR
}
