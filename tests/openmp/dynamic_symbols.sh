# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# To be sourced: the symbols that a shared object defines.
#   dynamic_symbols FILE    a line for each: NAME@NODE or NAME@@NODE, type, binding, size if it is data, else 0, address
# The version nodes themselves are left out, which linkers may list as symbols.
dynamic_symbols() {
    LC_ALL=C readelf -W --dyn-syms "$1" | awk '
        $1 ~ /^[0-9]+:$/ && $5 != "LOCAL" && $7 != "UND" && $7 != "ABS" {
            print $8, $4, $5, $4 == "OBJECT" ? $3 : 0, $2
        }' | LC_ALL=C sort
}
