#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian packages named as arguments, those of them that are missing. Touches neither the network nor root's
# rights when nothing is missing. A package after `--optional` may fail to install.
set -euo pipefail

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null)" = "ii " ]
}

apt() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "teff: these packages need root or sudo" >&2; exit 1; }
        as_root=(sudo)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@"
}

required=() optional=() kind=required
for package in "$@"; do
    if [ "$package" = --optional ]; then
        kind=optional
    elif ! is_installed "$package"; then
        [ $kind = required ] && required+=("$package") || optional+=("$package")
    fi
done
[ $((${#required[@]} + ${#optional[@]})) -gt 0 ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "teff: not a Debian system; install the equivalents of: ${required[*]} (and, if you like, ${optional[*]})" >&2
    exit 1
fi
echo "==> installing with apt: ${required[*]} ${optional[*]}"
apt update || echo "teff: the package lists could not be refreshed; trying with those there are" >&2
if [ ${#required[@]} -gt 0 ]; then
    apt install --no-install-recommends "${required[@]}"
fi
for package in "${optional[@]}"; do
    apt install --no-install-recommends "$package" || echo "teff: going on without $package, which is optional" >&2
done
