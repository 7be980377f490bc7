# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of `teff` in bash. What can come next is asked of the command itself.
_teff() {
    local line current=${COMP_WORDS[COMP_CWORD]}
    [ "$current" = = ] && current=
    COMPREPLY=()
    while IFS= read -r line; do
        if [ "$line" = :files ]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
        else
            COMPREPLY+=("${line%%$'\t'*}")
        fi
    done < <("${COMP_WORDS[0]}" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _teff teff
