#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An mpirun for the tests of `teff bench --kind mpi`: it writes down how it was started, and runs the program once,
# whatever the number of ranks.
[ "$1" = -n ] || exit 9
shift
echo "mpirun $* oversubscribe=$OMPI_MCA_rmaps_base_oversubscribe binding=$OMPI_MCA_hwloc_base_binding_policy" \
    "root=$OMPI_ALLOW_RUN_AS_ROOT,$OMPI_ALLOW_RUN_AS_ROOT_CONFIRM" >> "${0%/*}/started"
shift
exec "$@"
