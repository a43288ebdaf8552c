#!/usr/bin/env bash
# Links programs with all libraries, shared or static or mixed: together.sh DIRECTORY-OF-LIBRARIES SCRATCH. Fails if a
# symbol is defined twice, or if there is more than one last error. Prints what is wrong.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=examples/c/libraries.sh
source "$here/libraries.sh"
out=$1 program=$2/together

read -ra options < <(include_options)
options+=(-std=c99 -Wall -Wextra -Werror -Wl,--no-as-needed)
for name in "${libraries[@]}"; do options+=("-DHAVE_${name^^}"); done

# Links the program with all libraries. The named ones are static, the others shared: mixed NAME...
mixed() {
    local name inputs=() shared=() calls=()
    for name in "${libraries[@]}"; do
        if [[ " $* " == *" $name "* ]]; then
            inputs+=("$out/lib$name.a")
            # All of the library, not only what this program calls.
            mapfile -t -O ${#calls[@]} calls < <(exported_by "$name")
        else
            inputs+=("$out/lib$name.so")
            shared+=("lib$name.so.$soversion")
        fi
    done
    "${CC:-gcc}" "${options[@]}" "$here/tests/together.c" -o "$program" "${calls[@]/#/-Wl,--require-defined=}" \
        "${inputs[@]}" -lpthread -ldl -lm
    LD_LIBRARY_PATH=$out "$program" "${shared[@]}" || {
        echo "with these static libraries: $*"
        exit 1
    }
    [ $# = 0 ] || [ "$(nm "$program" | grep -c ' T linkstream_error_place_1$')" = 1 ]
}

mixed
mixed "${libraries[@]}"
for name in "${libraries[@]}"; do mixed "$name"; done
