# Turns a plan of jobs into a file for ninja:
#
#   einspul plan --pieces 6 --cores 8 --memory 28 | awk -f ninja.awk >six.ninja
#   EINSPUL=/usr/bin/einspul TABLES=/shared/tables ninja -j 4 -f six.ninja
#
# -j is the number of jobs at once; the same command after a stop goes on. No output is a file, and
# `always` is never there: each job finds out by itself whether it is done, in milliseconds.
# EINSPUL_OPTIONS is for --rules and --metric, which the plan must have been made with.
BEGIN {
    FS = "\t"
    print "rule job"
    print "  command = \"$$EINSPUL\" generate $$EINSPUL_OPTIONS --tables \"$$TABLES\" --job $out " \
          "--threads $threads --memory $memory"
    print "  description = $out"
    print "build always: phony"
}
NR > 1 {
    needs = $9 == "-" ? "" : $9
    gsub(",", " ", needs)
    printf "build %s: job always %s\n  threads = %d\n  memory = %.4f\n", $1, needs, $4,
           $5 / 1073741824 + 0.0001
}
