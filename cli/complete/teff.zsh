#compdef teff
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of `teff` in zsh. What can come next is asked of the command itself.
_teff() {
    local line name nothing=1
    local -a names
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            _files && nothing=0
        else
            name=${line%%$'\t'*}
            if [[ $line == *$'\t'* ]]; then
                names+=("${name//:/\\:}:${line#*$'\t'}")
            else
                names+=("${name//:/\\:}")
            fi
        fi
    done < <("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)
    (( ${#names} )) && _describe -V teff names && nothing=0
    return nothing
}
_teff "$@"
