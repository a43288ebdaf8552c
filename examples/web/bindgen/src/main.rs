//! Writes the JavaScript side of a WebAssembly module: `bindgen MODULE.wasm FOLDER`.
//!
//! This is the program `wasm-bindgen`, without the parts that run tests: those take minutes to compile.

use anyhow::Context as _;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let usage = "usage: bindgen MODULE.wasm FOLDER";
    let (module, folder) = (arguments.next().context(usage)?, arguments.next().context(usage)?);
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .out_name("linkstream")
        .generate(folder)
}
