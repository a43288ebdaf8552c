# shellcheck shell=bash disable=SC2034 # used by the scripts that source it
# The list of the C libraries, for `build`, `install` and `run-tests`. Sourced; $here is the directory of this file.

version=0.2.0
# Number in the name of the shared libraries. It changes when a call is removed or changed.
soversion=0
# Symbol version of the exported calls.
node=LINKSTREAM_${version%.*}

# One line for each library: its directory, which is also its name without `lib`; the name of its CMake package and of
# its CMake target, as programs look for the originals; the latest version of the original whose interface it has, or
# its own; the library that programs link with it, or -; a sentence.
table='
lime       CLime       CLime::lime             1.3  -     LIME 1.2: records and messages
qio        QIO         QIO::qio                3.0  lime  QIO 2.3: fields and file sets of USQCD
scda       scda        scda::scda              0.2  -     scda: sections of serial-equivalent data
linkstream linkstream  linkstream::linkstream  0.2  -     lattice QCD files of all formats
'

# The libraries that exist, in the order of the table.
libraries=()
declare -A cmake_package cmake_target interface needs about
while read -r name its_package its_target its_interface its_need its_about; do
    if [ -n "$name" ] && [ -f "$here/$name/Cargo.toml" ]; then
        libraries+=("$name")
        cmake_package[$name]=$its_package cmake_target[$name]=$its_target about[$name]=$its_about
        interface[$name]=$its_interface needs[$name]=${its_need#-}
    fi
done <<<"$table"

# The headers that all libraries share, and the headers of one library.
shared_headers() { find "$here/border/include" "$here/ranks/include" -name '*.h' | sort; }
headers_of() { find "$here/$1/include" -name '*.h' | sort; }

# The directories with headers, as options of the compiler, on one line.
include_options() {
    local directory
    for directory in border ranks "${libraries[@]}"; do
        printf -- '-I%s ' "$here/$directory/include"
    done
    echo
}

# The file that cargo builds for a library; its name is in the manifest.
archive_of() { sed -n '/^\[lib\]/,/^\[/s/^name = "\(.*\)"/lib\1.a/p' "$here/$1/Cargo.toml"; }

# The functions that the headers of a library declare, one per line. Types, and functions that the headers define
# themselves, do not count.
declared_by() {
    local header
    for header in $(headers_of "$1"); do
        # shellcheck disable=SC2046 # several options
        "${CC:-gcc}" -E $(include_options) "$header" || return
    done | perl -ne '
        if (/^# \d+ "(.*?)"/) { $ours = index($1, "'"$here/$1/"'") == 0 } elsif ($ours) { $text .= $_ }
        END {
            1 while $text =~ s/\{[^{}]*\}//g;
            for (split /;/, $text) {
                next if /^\s*(typedef|static)\b/;
                print "$1\n" if /^[\w\s*]*?\b([A-Za-z_]\w*)\s*\(/;
            }
        }' | sort -u
}

# The functions that a library exports, one per line: the ones that its headers declare, and two that all libraries
# have. By the second, the libraries in one program find one last error.
exported_by() {
    { declared_by "$1" && printf '%s\n' linkstream_last_error linkstream_error_place_1; } | sort -u
}
