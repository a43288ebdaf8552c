# shellcheck shell=bash disable=SC2154 # bare_targets is set in lib.sh
# Stage: every command in a console block of the README, or of the firmware's README, succeeds

# Prints the commands in the ```console blocks of a file, one per line: the lines that begin with "$ ". A backslash at
# the end of a line continues the command on the next line.
console_commands() {
    awk '
        { sub(/^[ \t]+/, "") }
        /^```/ { block = block == "" ? substr($0, 4) "." : ""; open = 0; next }
        block != "console." { next }
        open { command = command $0 }
        !open && /^\$ / { command = substr($0, 3); open = 1 }
        open && sub(/\\$/, "", command) { next }
        open { print command; open = 0 }
    ' "$1"
}

# Prints the reason why a command is not run here, or nothing if it is to be run.
reason_to_leave_out() {
    local target
    case $1 in
        "cargo test --workspace" | .ci/run* | ./.ci/run*) echo "the gate itself runs it" ;;
        "cargo bench"*) echo "stage bench-smoke" ;;
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

commands=
for readme in README.md examples/firmware/README.md; do
    shown=$(console_commands "$readme")
    [ -n "$shown" ] || fail "$readme has no line \"\$ COMMAND\" in any \`\`\`console block"
    commands+=$shown$'\n'
done
# A command that both show is run once.
commands=$(awk 'NF && !shown[$0]++' <<<"$commands")

[ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ] || need_board_tools

# The commands run in a copy of the checkout, so that files that they write do not stay in the checkout. The copy shares
# the target folder, and `cargo install` installs into it.
root=$PWD
copy=$root/target/readme
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z --cached --others --exclude-standard |
    tar -c --null --ignore-failed-read --warning=no-failed-read -T - | tar -x -C "$copy"
ln -s "$root/target" "$copy/target"
export CARGO_INSTALL_ROOT=$root/target/readme-installed
export PATH=$CARGO_INSTALL_ROOT/bin:$PATH

cd "$copy" || exit
while IFS= read -r command; do
    reason=$(reason_to_leave_out "$command")
    if [ -n "$reason" ]; then
        printf '(left out: %s: %s)\n' "$command" "$reason"
        continue
    fi
    printf '$ %s\n' "$command"
    bash -o pipefail -c "$command" </dev/null || fail "a README shows a command that fails: $command"
done <<<"$commands"

# Otherwise, Debian's cargo would take the firmware that was built from the copy for that of the checkout, even if the
# source in the checkout has changed since.
rm -rf "$root/target/firmware"
