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
while read -r name _; do
    if [ -n "$name" ] && [ -f "$here/$name/Cargo.toml" ]; then libraries+=("$name"); fi
done <<EOF
$table
EOF

# One column of the table for a library. Functions instead of associative arrays, which the bash of macOS does not have.
column() { echo "$table" | awk -v name="$1" -v column="$2" '$1 == name { print $column }'; }
cmake_package() { column "$1" 2; }
cmake_target() { column "$1" 3; }
interface() { column "$1" 4; }
needs() { column "$1" 5 | sed 's/^-$//'; }
about() { echo "$table" | sed -n "s/^$1  *[^ ]*  *[^ ]*  *[^ ]*  *[^ ]*  *//p"; }

# The system that the libraries are for: the one of the target in CARGO_BUILD_TARGET, or this one. Sets `system`.
find_system() {
    case ${CARGO_BUILD_TARGET:-$(uname -s)} in
        *-apple-* | Darwin) system=macos ;;
        *windows* | MINGW* | MSYS* | CYGWIN*)
            echo "the C libraries are not for Windows: they work on descriptors and streams of POSIX" >&2
            exit 2
            ;;
        *) system=linux ;;
    esac
}

# The file name of a shared library: shared_file NAME [VERSION]
shared_file() {
    case $system in
        macos) echo "lib$1${2:+.$2}.dylib" ;;
        *) echo "lib$1.so${2:+.$2}" ;;
    esac
}

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
