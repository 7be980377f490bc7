#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: fresh_debian.sh SOURCE SCRATCH
# What a newcomer does on a Debian 12 that has nothing but its base: the packages of docs/installing.md, then README's
# installation and program, the programs and commands of the tutorial, and the examples, as they stand in these pages.
# All of it as a user without root's rights, but for the packages. Skipped where there is no root or no network.
set -euo pipefail
source=$1 scratch=$2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/debian_system.sh"
make_system bookworm "$scratch"
copy_sources "$source" /home/newcomer/teff
cp "$here/fresh_debian_steps.sh" "$system/steps.sh"
in_system /bin/bash /steps.sh
