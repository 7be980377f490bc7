# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Shows a header to Doxygen as if its comments were documentation comments. Lines stay where they are.
#
#   // text, before a declaration    becomes  /// text             /* text */ in C  /** text */
#   declaration;  // text            becomes  declaration;  ///< text           the same in C, and behind a macro
#   //   code, indented by three      becomes  a block of code
#   the comment at the top           becomes  the description of the file
#
# Comments inside of functions are turned, too; Doxygen leaves those out (HIDE_IN_BODY_DOCS).
function is_code(line) { return line ~ /^ *\/\/   +[^ ]/ }

/^\/\/ SPDX-License-Identifier/ { print "/// @file"; next }
/^\/\* SPDX-License-Identifier/ { print "/** @file"; next }
/^ *\/\// {
    match($0, /^ */)
    indent = substr($0, 1, RLENGTH)
    text = substr($0, RLENGTH + 3)
    if (is_code($0)) {
        sub(/^   /, "", text)
        # Four more columns are code for Markdown, after an empty line.
        print indent "///     " text
    } else {
        print indent "///" text
    }
    next
}
# The same in C, but for lines that begin a section.
/^ *\/\* [^-]/ { sub(/\/\*/, "/**") }
match($0, /[;,] +\/\/ /) || match($0, /^ *[a-z_]+  +\/\/ /) { sub(/\/\/ /, "///< ") }
/[;,] +\/\* .*\*\/$/ || /^( *[A-Z_]+|#define .*) +\/\* .*\*\/$/ { sub(/\/\*/, "/**<") }
{ print }
