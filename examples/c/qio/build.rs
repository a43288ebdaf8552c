//! Compiles the C code that finds the MPI library of a program: once for each family of libraries. Sets the names of
//! the target and the profile.

fn main() {
    // For QIO_library_version.
    for (name, variable) in [("LINKSTREAM_TARGET", "TARGET"), ("LINKSTREAM_PROFILE", "PROFILE")] {
        let value = std::env::var(variable).expect("cargo sets this variable");
        println!("cargo::rustc-env={name}={value}");
    }
    println!("cargo::rerun-if-changed=mpi");
    println!("cargo::rerun-if-changed=../ranks/include");
    let compile = |file: &str, family: Option<&str>| {
        let mut build = cc::Build::new();
        build.file(format!("mpi/{file}.c")).include("mpi").include("../ranks/include");
        build.flag("-fvisibility=hidden").warnings(true).extra_warnings(true);
        if let Some(family) = family {
            build.include(format!("mpi/{family}"));
            build.define("FAMILY", format!("linkstream_program_{family}").as_str());
        }
        build.compile(&format!("{file}_{}", family.unwrap_or("any")));
    };
    compile("program", None);
    compile("world", Some("mpich"));
    compile("world", Some("openmpi"));
}
