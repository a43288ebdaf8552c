# shellcheck shell=bash
# Stage: the I/O node stores files on an emulated board

if [ "${LINKSTREAM_SKIP_BOARDS:-}" = 1 ]; then
    echo "!!! THE I/O NODE WAS LEFT OUT, because LINKSTREAM_SKIP_BOARDS=1 !!!"
    exit 0
fi
need_packages qemu-system-arm mtools dosfstools
has_target thumbv7m-none-eabi || need_packages rustc-web cargo-web rust-web-src lld
run env CARGO_TARGET_DIR="$PWD/target/io-node" examples/firmware/io-node/run-tests
