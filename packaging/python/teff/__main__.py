# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m teff: starts Python programs on Teff's OpenMP runtime.

What it does is what the command `teff run` does to any program: it sets variables for the loader and for the runtime
and then becomes the program. So the process number, signals and the exit status are the program's own. Its own failures
have the status 125, bad usage 2.
"""

import argparse
import os
import sys

from teff import library, names


def prepended(environment, name, value):
    """The variable with `value` as its first part. An empty part would mean the current folder."""
    parts = [part for part in environment.get(name, "").split(":") if part and part != value]
    return ":".join([value, *parts])


def environment_for(options, inherited):
    runtime = library()
    # Without the folder of names the process loads another runtime beside this one, for nothing.
    folder = str(names() or runtime.parent)
    if ":" in folder or ";" in folder:
        raise OSError(f"the runtime's folder '{folder}' has a colon or semicolon in its name, where the loader ends it: "
                      "install the package elsewhere")
    changed = dict(inherited)
    changed["LD_LIBRARY_PATH"] = prepended(inherited, "LD_LIBRARY_PATH", folder)
    # A blank ends a path in this variable. Then the runtime is found in LD_LIBRARY_PATH by its name.
    preloaded = runtime.name if any(c.isspace() for c in str(runtime)) else str(runtime)
    changed["LD_PRELOAD"] = prepended(inherited, "LD_PRELOAD", preloaded)
    if options.scheduler:
        changed["TEFF_SCHEDULER"] = options.scheduler
    if options.tracker:
        changed["TEFF_TRACKER"] = options.tracker
    if options.threads:
        changed["TEFF_NUM_THREADS"] = changed["OMP_NUM_THREADS"] = str(options.threads)
    if options.verbose:
        changed["TEFF_OPENMP_VERBOSE"] = "on"
    return changed


def thread_count(text):
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return value


def parsed(arguments):
    parser = argparse.ArgumentParser(prog="python -m teff", description="Starts Python programs on Teff's OpenMP runtime.")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="start a Python program whose OpenMP libraries run on Teff",
                              usage="%(prog)s [OPTION...] PROGRAM.py [ARGUMENT...] | %(prog)s [OPTION...] -m MODULE ...")
    run.add_argument("--scheduler", metavar="NAME", help="the scheduler of its tasks, such as demand or sherwood")
    run.add_argument("--tracker", metavar="NAME", help="the tracker for tasks with `depend`")
    run.add_argument("--threads", metavar="N", type=thread_count, help="the threads of its regions")
    run.add_argument("--verbose", action="store_true", help="have the runtime say that it is active")
    run.add_argument("program", nargs=argparse.REMAINDER, metavar="...",
                     help="the program and its arguments, or -m MODULE and its arguments")
    commands.add_parser("library", help="print the file of the runtime")
    options = parser.parse_args(arguments)
    if options.command == "run":
        if options.program[:1] == ["--"]:
            del options.program[0]
        if not options.program:
            run.error("which program? Give its file, as in: python -m teff run program.py")
    return options


def main(arguments):
    options = parsed(arguments)
    try:
        if options.command == "library":
            print(library())
            return 0
        environment = environment_for(options, os.environ)
    except OSError as error:
        print(f"python -m teff: {error}", file=sys.stderr)
        return 125
    sys.stdout.flush()
    os.execve(sys.executable, [sys.executable, *options.program], environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
