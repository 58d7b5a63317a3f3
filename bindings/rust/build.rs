//! Compiles libeinspul from its one file (feature `bundled`), or tells cargo where the library is: the
//! folder that EINSPUL_LIB_DIR names, else what pkg-config says, else the system's folders.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders from `pkg-config --libs-only-L einspul`; none without pkg-config, or where it finds nothing.
fn folders_of_pkg_config() -> Vec<String> {
    let output = match Command::new("pkg-config").args(["--libs-only-L", "einspul"]).output() {
        Ok(output) if output.status.success() => output.stdout,
        _ => return Vec::new(),
    };
    String::from_utf8_lossy(&output)
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("-L").map(str::to_owned))
        .collect()
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// The folder with einspul.c: the one that EINSPUL_SOURCE names, or one made from the repository that the
/// crate stands in.
fn one_file(out: &Path) -> PathBuf {
    if let Some(folder) = env::var_os("EINSPUL_SOURCE") {
        return PathBuf::from(folder);
    }
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap());
    run(Command::new(here.join("../../scripts/amalgamate")).arg(out));
    out.to_path_buf()
}

/// Compiled by the C compiler that CC names, else `cc`; needs zstd's header and library.
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
    run(Command::new("ar").arg("crs").arg(out.join("libeinspul.a")).arg(&object));
    println!("cargo:rerun-if-changed={}", folder.join("einspul.c").display());
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=einspul");
    println!("cargo:rustc-link-lib=dylib=zstd");
}

fn main() {
    for name in ["CC", "EINSPUL_SOURCE", "EINSPUL_LIB_DIR", "PKG_CONFIG_PATH"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return compile();
    }
    let folders = match env::var("EINSPUL_LIB_DIR") {
        Ok(folder) => vec![folder],
        Err(_) => folders_of_pkg_config(),
    };
    for folder in folders {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=einspul");
}
