//! Builds the single-file libeinspul (feature `bundled`), or emits the link search path: the folder that
//! EINSPUL_LIB_DIR names, else the system's.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// Returns the folder with einspul.c: the one that EINSPUL_SOURCE names, or one written by the repository
/// that contains the crate.
fn one_file(out: &Path) -> PathBuf {
    if let Some(folder) = env::var_os("EINSPUL_SOURCE") {
        return PathBuf::from(folder);
    }
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    run(Command::new(here.join("../../scripts/amalgamate")).arg(out));
    out.to_path_buf()
}

/// Compiles it with the C compiler that CC names, else `cc`; needs zstd's header and library.
fn compile() {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap());
    let folder = one_file(&out);
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let object = out.join("einspul.o");
    run(Command::new(compiler)
        .args(["-O2", "-fPIC", "-c"])
        .arg(folder.join("einspul.c"))
        .arg("-o")
        .arg(&object));
    run(Command::new("ar")
        .arg("crs")
        .arg(out.join("libeinspul.a"))
        .arg(&object));
    println!(
        "cargo:rerun-if-changed={}",
        folder.join("einspul.c").display()
    );
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=einspul");
    println!("cargo:rustc-link-lib=dylib=zstd");
}

fn main() {
    for name in ["CC", "EINSPUL_SOURCE", "EINSPUL_LIB_DIR"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return compile();
    }
    if let Ok(folder) = env::var("EINSPUL_LIB_DIR") {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=einspul");
}
