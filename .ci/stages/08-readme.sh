# shellcheck shell=bash disable=SC2154 # bare_targets is set in lib.sh
# Stage: the commands that the README shows succeed, and print what is shown
# Full: the commands of all READMEs and of the guide
# Share: 240
# Full-packages: ssh-keygen/openssh-client qemu-system-arm qemu-system-misc rustc-web cargo-web rust-web-src lld mtools dosfstools

# Prints what is to be run in a Markdown file, one per line: `$ COMMAND` for each line that begins with "$ " in a
# ```console block, where a backslash at the end of a line continues the command on the next line; `cron COMMAND` for
# each line of a ```crontab block; `text LINE` for each line of a ```text block that follows a console block.
shown_commands() {
    awk '
        { sub(/^[ \t]+/, "") }
        /^```/ {
            block = block == "" ? substr($0, 4) "." : ""
            open = 0
            if (block == "text.") is_output = after_console
            if (block != "") after_console = block == "console."
            next
        }
        block == "" && $0 != "" { after_console = 0 }
        block == "text." && is_output && $0 != "" { print "text " $0 }
        # Without the five fields of the time. Not as {5}: mawk does not know repetition counts.
        block == "crontab." && $0 != "" { for (i = 0; i < 5; i++) sub(/^[^ ]+ +/, ""); print "cron " $0 }
        block != "console." { next }
        open { command = command $0 }
        !open && /^\$ / { command = $0; open = 1 }
        open && sub(/\\$/, "", command) { next }
        open { print command; open = 0 }
    ' "$1"
}

# Prints the reason why a command is not run here, or nothing if it is to be run.
reason_to_leave_out() {
    local target
    case $1 in
        "cargo test -p linkstream-parallel") echo "stage test" ;;
        "cargo test --workspace" | .ci/run* | ./.ci/run*) echo "the gate itself runs it" ;;
        "examples/mpi/"*) echo "stage mpi" ;;
        "examples/c/"*) echo "stage c" ;;
        "examples/python/"* | "pip install"*) echo "stage python" ;;
        "examples/firmware/io-node/"*) echo "stage io-node" ;;
        "examples/firmware/dma-ring/"*) echo "stage dma-ring" ;;
        "sudo apt-get"*) echo "prepares the reader's machine or project" ;;
        "cargo bench"*) echo "stage bench" ;;
        "cargo fuzz"* | "cargo +nightly fuzz"* | "cargo install cargo-fuzz"*) echo "stage fuzz" ;;
        *"-p boards"* | *recorded.lime)
            if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then echo "LINKSTREAM_SKIP_BOARDS=1"; fi
            ;;
        "git clone"* | "cargo add"* | "rustup "*) echo "prepares the reader's machine or project" ;;
        *--target*)
            for target in "${bare_targets[@]}"; do
                if [[ $1 == *"$target"* ]] && ! has_target "$target"; then
                    echo "stage bare-metal: rustup's target is not installed here"
                fi
            done
            ;;
    esac
}

# The commands of READMEs run in the clone, the commands of a page of the guide in an empty directory.
readmes=(README.md examples/firmware/README.md codec/README.md examples/{parallel,mpi,c,python}/README.md)
guide=(codec/src/guide/*.md)
# This page of the guide is for a clone.
readmes+=(codec/src/guide/five_minutes_board.md)
mapfile -t guide < <(printf '%s\n' "${guide[@]}" | grep -v five_minutes_board)
for page in "${readmes[@]:0:2}" codec/src/guide/nightly.md; do
    grep -q '^\$ ' <<<"$(shown_commands "$page")" || fail "$page has no line \"\$ COMMAND\" in any \`\`\`console block"
done

# Each block of the guide is run or compiled by some stage. A block that none can run must not be written.
for page in "${guide[@]}"; do
    while IFS= read -r language; do
        case $(basename "$page" .md):$language in
            *: | *:compile_fail) ;;                             # stage test, as Rust
            *:console | *:crontab | *:text) ;;                  # this stage
            microcontroller:toml | without_allocator:toml) ;;   # this stage
            nightly:python | numpy:*) ;;                        # stage interop
            five_minutes:python) ;;                             # stage python
            five_minutes_c:c | five_minutes_c:sh) ;;            # stage c
            upload:js | upload:html) ;;                         # stage web
            *) fail "no stage runs the \`\`\`$language blocks of $page" ;;
        esac
    done < <(awk '/^```/ { inside = !inside; if (inside) print substr($0, 4) }' "$page")
done

[ "$form" = full ] || readmes=(README.md) guide=()
[ "$form" != full ] || [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ] || need_tool defmt-print "$defmt_print"

root=$PWD
pages=$root/target/readme
rm -rf "$pages"
mkdir -p "$pages"
export CARGO_INSTALL_ROOT=$root/target/readme-installed
export PATH=$CARGO_INSTALL_ROOT/bin:$PATH

# Runs a command as a reader does, and keeps what it prints in `output`.
run_shown() {
    local start=$SECONDS processor
    measure_processor
    local before=$processor
    printf '%s\n' "$2"
    "$@" </dev/null >"$CI_SCRATCH/output" 2>&1 || {
        cat "$CI_SCRATCH/output"
        fail "$page shows a command that fails: $2"
    }
    cat "$CI_SCRATCH/output"
    cat "$CI_SCRATCH/output" >>"$CI_SCRATCH/printed"
    note_duration "$start" "$before" "$2"
}

in_bash() {
    bash -o pipefail -c "$1"
}

# As cron does: in the home directory, with /bin/sh and a short PATH.
in_cron() {
    mkdir -p .cargo
    ln -sfn "$CARGO_INSTALL_ROOT/bin" .cargo/bin
    env --ignore-environment HOME="$PWD" PATH=/usr/bin:/bin /bin/sh -c "$1"
}

# Fails unless the commands of the block before it printed this line. An … matches any text.
must_be_printed() {
    local pattern
    pattern=$(sed 's/[][\.*^$]/\\&/g; s/…/.*/g' <<<"$1")
    grep -q -- "^ *$pattern *$" "$CI_SCRATCH/printed" || fail "$page shows a line that is not printed: $1"
}

# A command that several READMEs show is run once. Each page of the guide runs all of its commands.
declare -A done_before=()
run_page() {
    local line reason='' last=''
    printf '\n-- %s\n' "$page"
    while IFS= read -r line; do
        case $line in
            'text '*)
                last=text
                [ -z "$reason" ] || continue
                must_be_printed "${line#text }"
                continue
                ;;
            'cron '*%*) fail "$page has a crontab line with %, which cron replaces by a line feed: $line" ;;
            'cron '*)
                run_shown in_cron "${line#cron }"
                last=cron
                continue
                ;;
        esac
        [ "$last" != text ] || : >"$CI_SCRATCH/printed"
        last='command'
        line=${line#\$ }
        reason=$(reason_to_leave_out "$line")
        if [ -n "$reason" ]; then
            printf '(left out: %s: %s)\n' "$line" "$reason"
        elif [ -n "$1" ] || [ ! -f "${done_before[$line]:-}" ]; then
            run_shown in_bash "$line"
            done_before[$line]=$CI_SCRATCH/output-${#done_before[@]}
            cp "$CI_SCRATCH/output" "${done_before[$line]}"
        else
            cat "${done_before[$line]}" >>"$CI_SCRATCH/printed"
        fi
    done <<<"$(shown_commands "$root/$page")"
}

for page in "${readmes[@]}"; do
    [ -n "$(shown_commands "$root/$page")" ] || continue
    : >"$CI_SCRATCH/printed"
    run_page ""
done
# Files that the commands have written. Other stages write in other directories.
run git clean -ffdxq --exclude=target --exclude=examples
[ "$form" = full ] || exit 0
for page in "${guide[@]}"; do
    # The stage interop runs this page with its Python blocks, which write files that its commands read.
    [ "$page" != codec/src/guide/numpy.md ] || continue
    [ -n "$(shown_commands "$root/$page")" ] || continue
    mkdir -p "$pages/$(basename "$page" .md)"
    cd "$pages/$(basename "$page" .md)" || exit
    : >"$CI_SCRATCH/printed"
    run_page again
done

# Prints block number $3 among the blocks of a Markdown file with the fence $2, without the lines that rustdoc hides.
block_of() {
    awk -v fence="$2" -v wanted="$3" '
        !inside && /^```/ { inside = 1; shown = ($0 == fence && ++count == wanted); next }
        /^```/ { inside = 0; next }
        inside && shown && !/^#( |$)/
    ' "$1"
}

# Compiles the examples of a page for microcontrollers, with the dependencies that it shows, in a project beside the clone:
# no_std_project PAGE FILE COUNT [FILE COUNT...] for the first COUNT examples of each file. Without rustup's target they
# are compiled for this machine; their first line is `#![no_std]`. The lock file spares a look at the registry. (The stage
# `publish` does the same with the READMEs.)
no_std_project() {
    local page=codec/src/guide/$1.md name=$1 folder=$pages/projects/$1 file number
    shift
    printf '\n-- the project of %s\n' "$page"
    mkdir -p "$folder/src"
    cd "$folder" || exit
    cp "$root/Cargo.lock" .
    printf '[workspace]\n[package]\nname = "%s"\nedition = "2024"\n' "${name//_/-}" >Cargo.toml
    block_of "$root/$page" '```toml' 1 >>Cargo.toml
    grep -q '^linkstream = ' Cargo.toml || fail "$page shows no dependency"
    while [ $# -gt 0 ]; do
        file=codec/src/guide/$1.md
        for number in $(seq "$2"); do
            block_of "$root/$file" '```' "$number" >src/lib.rs
            grep -qx '#!\[no_std\]' src/lib.rs || fail "$file has fewer examples for microcontrollers than expected"
            run "${build[@]}" || fail "example $number of $file does not compile"
        done
        shift 2
    done
    cd "$root" || exit
}
mkdir -p "$pages/projects"
ln -s "$root" "$pages/projects/linkstream"
build=(cargo build --quiet --target-dir "$root/target/project")
! has_target thumbv6m-none-eabi || build+=(--target thumbv6m-none-eabi)
no_std_project microcontroller microcontroller 5 power_loss 1
no_std_project without_allocator without_allocator 2 without_allocator_async 1
