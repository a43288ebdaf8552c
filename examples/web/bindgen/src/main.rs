//! Writes the JavaScript side of a WebAssembly module: `bindgen MODULE.wasm DIRECTORY NAME`.
//!
//! It is the program `wasm-bindgen` without the parts that run tests, since these take minutes to compile.

use anyhow::Context as _;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let mut next = || arguments.next().context("usage: bindgen MODULE.wasm DIRECTORY NAME");
    let (module, directory, name) = (next()?, next()?, next()?);
    let name = name.to_str().context("the name is not UTF-8")?;
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .out_name(name)
        .generate(directory)
}
