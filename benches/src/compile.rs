//! How long a program with many records takes to compile: expanded from a layout, and by others from
//! structs.
//!
//! Each is a crate of its own, built as `cargo build` builds it; then its source is touched, and what
//! counts is the time of the next build, Cargo's own included (which an empty crate shows).

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::Outcome;
use crate::report::{Report, Target};
use crate::timing::seconds;

const STRUCTS: usize = 200;
const FIELDS: usize = 11;

/// Builds of which the fastest counts.
const RUNS: usize = 5;

/// The same type for a layout, in Rust, and for zerocopy.
const TYPES: [(&str, &str, &str); FIELDS] = [
    ("u2", "u16", "U16"),
    ("u4", "u32", "U32"),
    ("u8", "u64", "U64"),
    ("i2", "i16", "I16"),
    ("i4", "i32", "I32"),
    ("i8", "i64", "I64"),
    ("f4", "f32", "F32"),
    ("f8", "f64", "F64"),
    ("u1", "u8", "u8"),
    ("f8[3]", "[f64; 3]", "[F64; 3]"),
    ("u4[4]", "[u32; 4]", "[U32; 4]"),
];

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let ours = Package::new("ours", "dudley", &ours()?)?;
    let what = "compile 200 records of 11 fields with `layout!`";
    report.add(what, ours.rebuild(true)?, "s", Target::AtMost(1.0))?;
    let what = "the same, not incremental";
    report.add(what, ours.rebuild(false)?, "s", Target::None)?;
    for (name, dependency, source) in [
        ("an empty crate", "", String::new()),
        ("the structs with `Clone, Copy, Debug, PartialEq`", "", structs("", "", |it| it.1)?),
        (
            "the structs with binrw",
            "binrw",
            structs("", "#[binrw::binrw] #[brw(little)]", |it| it.1)?,
        ),
        (
            "the structs with zerocopy",
            "zerocopy",
            structs(
                "use zerocopy::little_endian::*; use zerocopy::*;",
                "#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)] #[repr(C)]",
                |it| it.2,
            )?,
        ),
    ] {
        let folder: String = name.chars().filter(char::is_ascii_lowercase).collect();
        let package = Package::new(&folder, dependency, &source)?;
        report.add(&format!("compile {name}"), package.rebuild(true)?, "s", Target::None)?;
        report.add("the same, not incremental", package.rebuild(false)?, "s", Target::None)?;
    }
    Ok(())
}

/// One call of the macro, with a documented field on each line.
fn ours() -> Outcome<String> {
    let mut text = String::from("dudley::layout!(pub mod many = r\"\nN : i8\n");
    for number in 0..STRUCTS {
        writeln!(text, "rec_{number} {{  ## one of the kinds of records")?;
        for field in 0..FIELDS {
            let dtype = TYPES[(number + field) % FIELDS].0;
            writeln!(text, "  field_{field} = {dtype} %1  ## (cm) what it is")?;
        }
        writeln!(text, "}}")?;
    }
    for number in 0..STRUCTS {
        writeln!(text, "item_{number} = rec_{number}[N]")?;
    }
    Ok(text + "\");\n")
}

/// The same structs in Rust.
fn structs(
    head: &str,
    attributes: &str,
    of: impl Fn(&(&'static str, &'static str, &'static str)) -> &'static str,
) -> Outcome<String> {
    let mut text = format!("{head}\n");
    for number in 0..STRUCTS {
        writeln!(text, "/// One of the kinds of records\n{attributes}")?;
        writeln!(text, "#[derive(Clone, Copy, Debug, PartialEq)]\npub struct Rec{number} {{")?;
        for field in 0..FIELDS {
            let ty = of(&TYPES[(number + field) % FIELDS]);
            writeln!(text, "/// (cm) what it is\npub field_{field}: {ty},")?;
        }
        writeln!(text, "}}")?;
    }
    Ok(text)
}

/// A crate with one dependency.
struct Package {
    folder: PathBuf,
}

impl Package {
    fn new(name: &str, dependency: &str, source: &str) -> Outcome<Package> {
        let folder = work().join(name);
        fs::create_dir_all(folder.join("src"))?;
        let dependency = match dependency {
            "" => String::new(),
            "dudley" => {
                let path = dudley_tests::root().join("dudley");
                format!("dudley = {{ path = {:?} }}", path.display().to_string())
            }
            peer => line_of(peer)?,
        };
        let manifest = format!(
            "[package]\nname = \"compiled-{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependency}\n\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        // The versions that this workspace has, so that none need be requested.
        fs::copy(dudley_tests::root().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        fs::write(folder.join("src/lib.rs"), source)?;
        Ok(Package { folder })
    }

    /// Seconds of the fastest build after a touch of the source.
    fn rebuild(&self, incremental: bool) -> Outcome<f64> {
        self.build(incremental)?;
        (0..RUNS).try_fold(f64::INFINITY, |least, _| {
            let source = File::options().append(true).open(self.folder.join("src/lib.rs"))?;
            source.set_modified(SystemTime::now())?;
            drop(source);
            Ok(least.min(seconds(|| self.build(incremental))?))
        })
    }

    fn build(&self, incremental: bool) -> Outcome<()> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--quiet", "--offline"]).current_dir(&self.folder);
        let each = if incremental { "incremental" } else { "whole" };
        command.env("CARGO_TARGET_DIR", work().join(each));
        command.env("CARGO_INCREMENTAL", if incremental { "1" } else { "0" });
        let output = command.output()?;
        if output.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into())
        }
    }
}

fn work() -> PathBuf {
    dudley_tests::target().join("compile-bench")
}

/// The dependency as the manifest of this package has it.
fn line_of(name: &str) -> Outcome<String> {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))?;
    let line = manifest.lines().find(|line| line.starts_with(&format!("{name} = ")));
    Ok(line.ok_or("not a peer")?.to_owned())
}
