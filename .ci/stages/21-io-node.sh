# shellcheck shell=bash
# Stage: the I/O node stores files on an emulated board: a sample of its tests
# Full: all tests, with lost packets and power cuts; flash, memory, stack and instructions
# Share: 200
# Packages: qemu-system-arm mtools dosfstools rustc-web cargo-web rust-web-src lld
# Full-packages: rust-web-clippy

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE I/O NODE WAS LEFT OUT, because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
if [ "$form" != full ]; then
    run examples/firmware/io-node/run-tests --exact \
        connections::an_interrupted_file_continues_at_the_byte connections::wrong_commands_are_named \
        connections::two_clients_store_their_files contents::a_damaged_file_is_refused_and_its_name_is_free \
        claims::the_list_has_one_file_and_not_parts_of_two \
        attacks::a_file_with_a_forged_crc_is_another_file attacks::dropped_names_take_no_room_on_fat16 \
        attacks::a_refused_file_leaves_no_record attacks::a_client_that_trickles_does_not_keep_the_others_out \
        attacks::foreign_bytes_at_the_front_are_not_continued attacks::sequence_numbers_of_tcp_differ_at_each_start \
        wires::a_card_is_identified_slowly_and_used_fast_in_streams wires::a_slow_card_is_waited_for \
        fuzz::malformed_commands_are_answered_and_cost_no_file wires::a_file_whose_entry_cannot_be_read_is_not_missing \
        figures::the_program_fits_in_its_flash_and_panics_in_other_crates_only cards::a_removed_card_is_reported_and_can_be_inserted_again
    exit 0
fi
manifest=examples/firmware/io-node/Cargo.toml
lint_firmware "$manifest" thumbv7m-none-eabi -p io-node --features board
run cargo clippy --manifest-path "$manifest" --locked --workspace --all-targets -- -D warnings
build_tested
run target/debug/boards io-node --figures
# The tests use the program that has just been measured.
run env LINKSTREAM_LONG_TESTS=1 IO_NODE="$PWD/target/firmware/programs/thumbv7m-none-eabi/release/board/io-node" examples/firmware/io-node/run-tests
