"""What scripts that check the program share: checks that are counted, and told when they fail."""

failures = 0


def check(truth, what):
    global failures
    if not truth:
        print("wrong:", what)
        failures += 1


def status():
    """The exit status of the script."""
    print("%d wrong" % failures)
    return 1 if failures else 0
