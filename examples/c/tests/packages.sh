#!/usr/bin/env bash
# Installs the libraries into a new directory, and uses the packages: packages.sh DIRECTORY-OF-LIBRARIES SCRATCH. The
# list of files must be complete, the packages of pkg-config and CMake must link programs, shared and static, also after
# the directory was moved, and nothing may be left after uninstalling. Prints what is wrong.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=examples/c/libraries.sh
source "$here/libraries.sh"
for tool in cmake make pkg-config; do
    command -v "$tool" >/dev/null || {
        echo "$tool is missing; apt-get install cmake make pkg-config"
        exit 1
    }
done

stage=$2/stage project=$2/project prefix=$2/moved
rm -rf "$stage" "$project" "$prefix"
mkdir -p "$project"
DESTDIR=$stage "$here/install" /opt/name >/dev/null
diff <(cd "$stage/opt/name" && find . ! -type d | cut -c3- | sort) \
    <(sort "$stage/opt/name/share/linkstream/c-files.txt")
# A second time, over the first one.
DESTDIR=$stage "$here/install" /opt/name >/dev/null
mv "$stage/opt/name" "$prefix"

cat >"$project/main.c" <<'EOF'
#include <linkstream_error.h>
int main(void) { return linkstream_last_error()->message[0]; }
EOF
{
    echo 'cmake_minimum_required(VERSION 3.18)'
    echo 'project(packages C)'
    for name in "${libraries[@]}"; do
        echo "find_package($(cmake_package "$name") $(interface "$name") REQUIRED)"
        for kind in shared static; do
            echo "add_executable($name-$kind main.c)"
            suffix=
            [ $kind = shared ] || suffix=_static
            echo "target_link_libraries($name-$kind $(cmake_target "$name")$suffix)"
        done
        echo "find_package($(cmake_package "$name") 77 QUIET CONFIG)"
        echo "if($(cmake_package "$name")_FOUND)"
        echo "  message(FATAL_ERROR \"$(cmake_package "$name") claims to have version 77\")"
        echo "endif()"
    done
} >"$project/CMakeLists.txt"
cmake -S "$project" -B "$project/build" -DCMAKE_PREFIX_PATH="$prefix" >"$project/log" 2>&1 &&
    cmake --build "$project/build" >>"$project/log" 2>&1 || {
    cat "$project/log"
    exit 1
}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
cd "$project"
for name in "${libraries[@]}"; do
    need=$(needs "$name")
    build/"$name-shared"
    build/"$name-static"
    readelf -d build/"$name-shared" | grep -q "NEEDED.*lib$name.so.$soversion"
    ! readelf -d build/"$name-static" | grep -q "NEEDED.*lib$name" || exit
    [ "$(pkg-config --modversion "$name")" = "$version" ]
    # shellcheck disable=SC2046 # several options
    gcc main.c $(pkg-config --cflags --libs "$name") -o by-pkg-config
    LD_LIBRARY_PATH=$prefix/lib ./by-pkg-config
    # shellcheck disable=SC2046 # several options
    gcc main.c $(pkg-config --cflags --libs "$name") -Wl,-rpath,"$(pkg-config --variable=libdir "$name")" -o by-rpath
    ./by-rpath
    # All of the library, not only what this program calls.
    mapfile -t calls < <(exported_by "$name")
    # shellcheck disable=SC2046 # several options
    gcc main.c "${calls[@]/#/-Wl,--require-defined=}" \
        $(PKG_CONFIG_PATH=$prefix/static/lib/pkgconfig pkg-config --static --cflags --libs "$name") -o by-static
    ./by-static
    ! readelf -d by-static | grep -E "NEEDED.*lib(${name}|${need:-$name})\." || exit
    if [ -x "$prefix/bin/$name-config" ]; then
        # shellcheck disable=SC2046 # several options
        gcc main.c $("$prefix/bin/$name-config" --cflags --ldflags --libs) -o by-script
        LD_LIBRARY_PATH=$prefix/lib ./by-script
        # shellcheck disable=SC2046 # several options
        gcc main.c "${calls[@]/#/-Wl,--require-defined=}" \
            $("$prefix/static/bin/$name-config" --cflags --ldflags --libs) -o by-script
        ./by-script
        ! readelf -d by-script | grep -E "NEEDED.*lib(${name}|${need:-$name})\." || exit
    fi
done

# As the README says for a program that bundles QIO: the target is in another directory than the program that uses it.
mkdir -p bundling/other_libs/qio bundling/lib
sed -n '/^find_package(QIO/,/^set_target/p' "$here/README.md" >bundling/other_libs/qio/CMakeLists.txt
[ "$(wc -l <bundling/other_libs/qio/CMakeLists.txt)" = 2 ]
printf '%s\n' 'cmake_minimum_required(VERSION 3.18)' 'project(bundling C)' 'add_subdirectory(other_libs/qio)' \
    'add_subdirectory(lib)' >bundling/CMakeLists.txt
printf '%s\n' 'add_executable(program ../../main.c)' 'target_link_libraries(program QIO::qio)' >bundling/lib/CMakeLists.txt
cmake -S bundling -B bundling/build -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 && cmake --build bundling/build >>log 2>&1 || {
    cat log
    exit 1
}
bundling/build/lib/program

# The interface of libsc, serially and static.
cat >libsc.c <<'EOF'
#include <sc_scda.h>
int main(int count, char **names)
{
    sc_scda_ferror_t errcode;
    sc_scda_fcontext_t *fc = sc_scda_fopen_write(sc_MPI_COMM_WORLD, names[count - 1], "", NULL, NULL, &errcode);
    return fc == NULL || sc_scda_fclose(fc, &errcode) != 0;
}
EOF
# shellcheck disable=SC2046 # several options
gcc libsc.c $(PKG_CONFIG_PATH=$prefix/static/lib/pkgconfig pkg-config --static --cflags --libs sc_scda) -o libsc
./libsc "$2/libsc.scda"

"$here/install" --uninstall "$prefix" >/dev/null
[ ! -e "$prefix" ] || [ -z "$(find "$prefix" ! -type d)" ] || {
    echo "left after uninstalling:"
    find "$prefix" ! -type d
    exit 1
}
! "$here/install" --uninstall "$prefix" 2>/dev/null
