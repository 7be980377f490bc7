# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts that run OpenMP programs with ThreadSanitizer. find_start COMPILER PROGRAM: sets `start`, the words
# before such a program's name; ends the script with status 77 if this compiler builds none. Writes to PROGRAM.
find_start() {
    command -v "$1" >/dev/null || { echo "skipped: there is no $1"; exit 77; }
    printf 'int main(void) { return 0; }\n' | "$1" -x c -fopenmp -fsanitize=thread - -o "$2" 2>/dev/null ||
        { echo "skipped: $1 cannot link OpenMP programs with -fsanitize=thread"; exit 77; }
    # GCC 12's tool does not start where addresses are very random (docs/sanitizers.md).
    start=()
    "$2" 2>/dev/null || start=(setarch --addr-no-randomize)
}
