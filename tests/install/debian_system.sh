# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For the scripts that test on a Debian of their own. make_system SUITE SCRATCH makes it by debootstrap, with nothing but
# its base, in SCRATCH/root, which is removed at the end; copy_sources SOURCE FOLDER gives it what a clone has;
# in_system COMMAND... runs a command there as root. That is in namespaces of mounts and processes of its own, so what
# it mounts or starts ends with it. Exit status 77, with a line: it cannot be done here.

skip() {
    echo "skipped: $1"
    exit 77
}

apart() { unshare --mount --propagation private --pid --fork --kill-child "$@"; }

make_system() {
    local suite=$1 scratch=$2
    [ "$(id -u)" -eq 0 ] || skip "a Debian of its own needs root"
    command -v debootstrap >/dev/null || skip "there is no debootstrap"
    apart true 2>/dev/null || skip "there are no namespaces here"
    rm -rf --one-file-system "$scratch"
    mkdir -p "$scratch"
    system=$(realpath "$scratch")/root
    trap 'rm -rf --one-file-system "$system"' EXIT
    apart debootstrap --variant=minbase "$suite" "$system" >"$scratch/debootstrap.log" 2>&1 ||
        skip "Debian $suite cannot be installed here: $(tail -n 1 "$scratch/debootstrap.log")"
    printf 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\n' >"$system/etc/apt/apt.conf.d/90test"
}

# The files of a clone as they are now.
copy_sources() {
    local source=$1 folder=$system$2
    mkdir -p "$folder"
    if git -C "$source" rev-parse HEAD >/dev/null 2>&1; then
        git -C "$source" ls-files -z | tar -C "$source" --null --verbatim-files-from --files-from=- -cf - |
            tar -C "$folder" -xf -
    else
        tar -C "$source" --exclude=./build -cf - . | tar -C "$folder" -xf -
    fi
}

in_system() {
    # shellcheck disable=SC2016  # for the inner shell
    apart sh -c 'mount -t proc proc "$0/proc" && mount -t devpts devpts "$0/dev/pts" && exec env -i \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive chroot "$0" "$@"' "$system" "$@"
}
