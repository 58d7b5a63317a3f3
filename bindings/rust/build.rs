//! Tells cargo where libeinspul is: the folder that EINSPUL_LIB_DIR names, else what pkg-config says,
//! else the system's folders.

use std::env;
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

fn main() {
    println!("cargo:rerun-if-env-changed=EINSPUL_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let folders = match env::var("EINSPUL_LIB_DIR") {
        Ok(folder) => vec![folder],
        Err(_) => folders_of_pkg_config(),
    };
    for folder in folders {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=einspul");
}
