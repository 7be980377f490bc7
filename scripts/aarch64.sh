#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# usage: aarch64.sh COMMAND...
# Runs COMMAND, such as the build and the tests of the preset `aarch64`, where programs for aarch64 start like those of
# this machine: by qemu's user mode. Their libraries are in build/aarch64_root, which is filled from Debian's packages
# without being installed (that would run programs of them, as root). Exits with 77 and one line where it cannot be done.
#
# Programs start each other, so the kernel has to know what starts them (binfmt_misc). Where this machine's kernel has
# not been told, a user namespace of COMMAND's own is (Linux 6.7): the rest of the machine does not notice.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: aarch64.sh COMMAND..." >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)
root=$tree/build/aarch64_root
packages=libstdc++-12-dev,libgomp1,libomp-19-dev,libgfortran5,libboost-context-dev,libgtest-dev,libcli11-dev,libfmt-dev
packages+=,nlohmann-json3-dev,libtbb-dev,zlib1g-dev,libgc1

skip() {
    echo "teff: aarch64 is not tested: $1" >&2
    exit 77
}

[ "$(uname -m)" != aarch64 ] || skip "this machine is one, so its own tests show it (preset release)"
for tool in aarch64-linux-gnu-g++ qemu-aarch64-static mmdebstrap; do
    command -v $tool >/dev/null || skip "there is no $tool (Debian: g++-aarch64-linux-gnu qemu-user-static mmdebstrap)"
done

if [ "$(cat "$root/packages" 2>/dev/null)" != "$packages" ]; then
    rm -rf "$root" "$root.new"
    mkdir -p "$tree/build"
    mmdebstrap --quiet --mode=chrootless --variant=extract --architectures=arm64 --include=$packages bookworm "$root.new" \
        >"$root.log" 2>&1 || skip "Debian's packages for it cannot be fetched: $(tail -n 1 "$root.log")"
    # Links from the root of the file system, such as that of libz.so, would lead to this machine's own.
    find "$root.new" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
        ln -sfnr "$root.new$target" "$link"
    done
    echo $packages >"$root.new/packages"
    mv "$root.new" "$root"
fi

export QEMU_LD_PREFIX=$root
starts() { "$root/lib/ld-linux-aarch64.so.1" --version >/dev/null 2>&1; }
starts && exec "$@"
[ -z "${KERNEL_KNOWS_AARCH64:-}" ] || skip "this kernel does not start its programs; as root: apt-get install binfmt-support"

# What an ELF file for aarch64 begins with, and which of these bits count. O: qemu is given the file open, F: the kernel
# opens qemu now.
told=':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
told+=':\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
told+=":$(command -v qemu-aarch64-static):OF"
export KERNEL_KNOWS_AARCH64=1
unshare --user --map-root-user --mount true 2>/dev/null || skip "user namespaces are not allowed here"
exec unshare --user --map-root-user --mount bash -c '
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null && printf %s "$1" >/proc/sys/fs/binfmt_misc/register
    shift
    exec "$@"' bash "$told" "$0" "$@"
