//! Builds `dudley-web` for browsers, and puts it into `dudley-doc/assets/reader.js`.
//!
//! The file is committed, so that nobody who only builds `dudc` needs the standard library of
//! WebAssembly. It is a script, since a page that was opened from a disk may load nothing else: the
//! program as text, compressed.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::{Outcome, cargo, install, root, succeed, target};
use flate2::Compression;
use flate2::write::GzEncoder;

const TRIPLE: &str = "wasm32-unknown-unknown";

const HEADER: &str = "\
// Reads streams in the pages of `dudc doc`: the crate `dudley-web` for WebAssembly, compressed. Do not edit:
// run `cargo xtask reader`.
";

/// Bytes of stack. Layouts nest as deep as the parser allows.
const STACK: usize = 4 << 20;

/// Builds the program and writes the script.
///
/// # Errors
///
/// If it does not build, or the file cannot be written.
pub fn update() -> Outcome<()> {
    install(TRIPLE)?;
    let mut build = cargo();
    build.args(["build", "--quiet", "--package", "dudley-web", "--lib", "--profile", "reader"]);
    build.args(["--target", TRIPLE]).env("CARGO_ENCODED_RUSTFLAGS", flags()?);
    succeed(&mut build)?;
    let built = target().join(TRIPLE).join("reader/dudley_web.wasm");
    let program = fs::read(built)?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&program)?;
    let packed = packed.finish()?;
    let text = format!("{HEADER}window.DUDLEY_READER = \"{}\";\n", base64(&packed));
    println!("{} bytes of WebAssembly, {} of text", program.len(), text.len());
    Ok(fs::write(root().join("dudley-doc/assets/reader.js"), text)?)
}

/// Flags for rustc. No path of this machine gets into the program.
fn flags() -> Outcome<OsString> {
    let mut flags = vec![OsString::from(format!("-Clink-arg=-zstack-size={STACK}"))];
    let mut remap = |from: PathBuf, to: &str| {
        let mut flag = OsString::from("--remap-path-prefix=");
        flag.push(from);
        flag.push("=");
        flag.push(to);
        flags.push(flag);
    };
    remap(root(), "");
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    if let Some(home) = home {
        remap(home.clone(), "cargo");
        for entry in fs::read_dir(home.join("registry/src")).into_iter().flatten() {
            remap(entry?.path(), "crates");
        }
    }
    Ok(flags.join(std::ffi::OsStr::new("\u{1f}")))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().enumerate();
        let bits = bits.fold(0_u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_rfc_4648() {
        let of = |text: &str| base64(text.as_bytes());
        assert_eq!(
            [of(""), of("f"), of("fo"), of("foo"), of("foob")],
            ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]
        );
    }
}
