# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of `teff` in fish. What can come next is asked of the command itself.
function __teff_candidates
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete $words[2..] "$current" 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path "$current"
        else
            echo "$line"
        end
    end
end
complete -c teff -f -a '(__teff_candidates)'
