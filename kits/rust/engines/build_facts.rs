// For the build scripts of engines: what `describe` tells of the library and the compiler.

use std::process::Command;

/// The version of the library in Cargo.lock, and the compiler's own words.
pub fn tell(library: &str) {
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock");
    let text = std::fs::read_to_string(lock).expect("Cargo.lock");
    let package = format!("name = \"{library}\"\nversion = \"");
    let version = text.split(&package).nth(1).and_then(|rest| rest.split('"').next());
    println!("cargo:rustc-env=LEVELFIELD_LIBRARY_VERSION={}", version.expect("in Cargo.lock"));
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let words = Command::new(rustc).arg("--version").output().expect("rustc").stdout;
    println!("cargo:rustc-env=LEVELFIELD_RUSTC={}", String::from_utf8_lossy(&words).trim());
    println!("cargo:rerun-if-changed={lock}");
}
