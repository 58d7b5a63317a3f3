"""What a plan says of its jobs, and what they take.

    jobs.py PROGRAM FOLDER [--only JOB,...] PLAN-OPTION...
    jobs.py build/release/einspul /tmp/tables --pieces 5

Runs all jobs of a plan, one after the other, into FOLDER, which must not be there; or only the
named ones, where FOLDER holds the tables they need. Prints a line a job: processor time (user and
system), memory (the largest resident set) and what it adds to the files of the folder (for the last
job of a material: beside its slices, which it removes), as planned, as measured, and measured by
planned; and how many cores it kept busy, beside other programs too. Then the sums by kind of job
and of material, and of all. A planned second is one of the machine of the figures in README.md: the
last column of the sums tells how another machine compares."""
import csv
import os
import subprocess
import sys
import time


def option(options, name, default):
    return options[options.index(name) + 1] if name in options else default


def bytes_in(folder, suffixes):
    names = (os.path.join(at, name) for at, _, files in os.walk(folder) for name in files)
    return sum(os.path.getsize(name) for name in names if name.endswith(suffixes))


def run(program, folder, options, row):
    """Seconds of processor time, bytes of the largest resident set and of new files, cores in use."""
    suffixes = (".wdl", ".dtw") if row["kind"] != "slice" else ""
    before, began = bytes_in(folder, suffixes), time.monotonic()
    words = [program, "generate", "--tables", folder, "--rules", option(options, "--rules", "frisian"),
             "--metric", option(options, "--metric", "both"), "--job", row["job"], "--threads",
             row["cores"], "--memory", f"{int(row['memory']) / 2**30 + 0.0001:.4f}", "--wait", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE)
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{row['job']}: {errors}")
    seconds = usage.ru_utime + usage.ru_stime
    return (seconds, usage.ru_maxrss << 10, bytes_in(folder, suffixes) - before,
            seconds / (time.monotonic() - began))


def kind_of(row):
    """Jobs of one kind have the same rate in the plan."""
    if row["kind"] == "table" or "+" in row["job"]:
        return "table" if row["kind"] == "table" else "bundle"
    sides = row["job"].split(".")[0].split("v")
    runs = sum("K" in side and "M" in side for side in sides)
    men = "M" in "".join(sides)
    kings = "K" in "".join(sides)
    name = "men alone" if not kings else f"{('no', 'one', 'two')[runs]} side with runs" if men else "kings alone"
    return f"{row['kind']}, {name}"


def main():
    program, folder, options = sys.argv[1], sys.argv[2], sys.argv[3:]
    only = options.pop(1).split(",") if options[:1] == ["--only"] else None
    if only is not None:
        options.pop(0)
    elif os.path.exists(folder):
        sys.exit(f"jobs.py: {folder} is there")
    text = subprocess.run([program, "plan", *options], check=True, capture_output=True, text=True).stdout
    sums = {}
    print("job\tcores\tbusy\tseconds\tmeasured\tratio\tMiB\tmeasured\tratio\tfiles, MiB\tmeasured\tratio")
    for row in csv.DictReader(text.splitlines(), delimiter="\t"):
        if only is not None and row["job"] not in only:
            continue
        seconds, memory, files, busy = run(program, folder, options, row)
        planned, room = max(float(row["core-seconds"]), 0.001), int(row["memory"])
        disk = int(row["disk"])
        print(f"{row['job']}\t{row['cores']}\t{busy:.2f}\t{planned:.2f}\t{seconds:.2f}\t{seconds / planned:.2f}\t"
              f"{room >> 20}\t{memory >> 20}\t{memory / room:.2f}\t"
              f"{disk / 2**20:.2f}\t{files / 2**20:.2f}\t{files / disk:.2f}", flush=True)
        for key in (kind_of(row), "all"):
            n, a, b = sums.get(key, (0, 0, 0))
            sums[key] = n + 1, a + planned, b + seconds
    print("\nkind\tjobs\tseconds\tmeasured\tratio")
    for key, (n, a, b) in sorted(sums.items()):
        print(f"{key}\t{n}\t{a:.2f}\t{b:.2f}\t{b / a:.2f}")


if __name__ == "__main__":
    main()
