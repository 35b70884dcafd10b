//! Checks the crates for other machines, and tests them on a big-endian one, and vectors on one of ARM:
//! `cargo xtask targets [triple…] [--check] [--strict]`.
//!
//! A check compiles Rust alone and links nothing. So the C of dependencies is not compiled, and no
//! compiler of C for another machine is needed. Tests do need one, and qemu to run what it links.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xtask::{Outcome, cargo, install, succeed, target};

/// A machine that the crates are for.
struct Target {
    triple: &'static str,
    checks: &'static [&'static str],
    /// What runs the tests, where the byte order is another, or the vectors are.
    tests: Option<Emulated>,
}

/// What builds and runs programs of another machine.
struct Emulated {
    linker: &'static str,
    runner: &'static str,
    /// The packages of Debian that have both.
    packages: &'static str,
    /// Arguments of `cargo test`, and of the tests.
    tests: &'static [(&'static str, &'static str)],
    /// Whether tests run `dudc`.
    dudc: bool,
}

/// Arguments of `cargo check`.
const ALL: &str =
    "-p dudley-parser -p dudley -p dudley-codegen -p dudley-derive -p asdf-bridge -p dudc";

/// What needs no C library and no files, for browsers.
const BARE: [&str; 4] = [
    "-p dudley-parser -p dudley-codegen",
    "-p dudley -p asdf-bridge --no-default-features",
    "-p asdf-bridge --no-default-features --features pure-rust",
    "-p dudley-web",
];

const TARGETS: [Target; 5] = [
    Target { triple: "wasm32-unknown-unknown", checks: &BARE, tests: None },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        checks: &[ALL],
        tests: Some(Emulated {
            linker: "aarch64-linux-gnu-gcc",
            runner: "qemu-aarch64",
            packages: "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
            tests: &[("-p asdf-bridge --lib", "blosc2::kernels")],
            dudc: false,
        }),
    },
    Target { triple: "aarch64-apple-darwin", checks: &[ALL], tests: None },
    Target { triple: "x86_64-pc-windows-gnu", checks: &[ALL], tests: None },
    Target {
        triple: "s390x-unknown-linux-gnu",
        checks: &[ALL],
        tests: Some(Emulated {
            linker: "s390x-linux-gnu-gcc",
            runner: "qemu-s390x",
            packages: "qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross",
            tests: &TESTS,
            dudc: true,
        }),
    },
];

/// The tests that run on another machine. Not those that run programs of this one: the tests of
/// `dudc` as a binary, of what the compiler says, and of files that other programs write.
const TESTS: [(&str, &str); 3] = [
    ("-p dudley-parser -p dudley -p dudley-codegen -p asdf-bridge --lib --tests", ""),
    ("-p dudc --bins", ""),
    ("-p dudley-tests --test it", "corpus:: roundtrip::"),
];

/// Bytes of stack of a test. Unoptimised code for s390x takes 4 MiB where layouts nest as deep as
/// they may.
const STACK: &str = "16777216";

/// What the command line asks for.
struct Wish {
    targets: Vec<&'static Target>,
    /// No tests.
    check: bool,
    /// What cannot be done is a failure.
    strict: bool,
}

/// Checks one target after the other, then runs the tests. What failed first ends it.
pub(crate) fn run(words: &[&str]) -> Outcome<()> {
    let wish = wish(words)?;
    let mut skipped = Vec::new();
    for target in &wish.targets {
        if let Err(why) = install(target.triple) {
            skipped.push(format!("{}: {why}", target.triple));
            continue;
        }
        let emulated = target.tests.as_ref().filter(|_| !wish.check);
        match emulated.map(|emulated| (emulated, emulated.lacks())) {
            Some((emulated, None)) => {
                // Where all is tested, the tests compile all that is checked.
                if !emulated.dudc {
                    check(target)?;
                }
                emulated.test(target.triple)?;
            }
            Some((_, Some(why))) => {
                check(target)?;
                skipped.push(format!("tests on {}: {why}", target.triple));
            }
            None => check(target)?,
        }
    }
    for line in &skipped {
        eprintln!("skipped: {line}");
    }
    if wish.strict && !skipped.is_empty() {
        Err("with --strict nothing may be skipped".into())
    } else {
        Ok(())
    }
}

fn wish(words: &[&str]) -> Outcome<Wish> {
    let mut wish = Wish { targets: Vec::new(), check: false, strict: false };
    for word in words {
        match *word {
            "--check" => wish.check = true,
            "--strict" => wish.strict = true,
            word => match TARGETS.iter().find(|target| target.triple == word) {
                Some(target) => wish.targets.push(target),
                None => {
                    let known = TARGETS.map(|target| target.triple);
                    return Err(format!("there is no target `{word}` among {known:?}").into());
                }
            },
        }
    }
    if wish.targets.is_empty() {
        wish.targets = TARGETS.iter().collect();
    }
    Ok(wish)
}

fn check(target: &Target) -> Outcome<()> {
    let triple = target.triple;
    println!("-- {triple}: check");
    let name = triple.replace('-', "_");
    for words in target.checks {
        let mut cargo = cargo();
        cargo.args(["check", "--quiet", "--target", triple]).args(words.split(' '));
        cargo.env(rustflags(triple), "-Dwarnings");
        // Compilers and archivers of C which do nothing, with success.
        cargo.env(format!("CC_{name}"), "true").env(format!("AR_{name}"), "true");
        succeed(&mut cargo)?;
    }
    Ok(())
}

/// A target's name as environment variables of cargo spell it.
fn capital(triple: &str) -> String {
    triple.replace('-', "_").to_uppercase()
}

/// The environment variable that has arguments for rustc.
fn rustflags(triple: &str) -> String {
    format!("CARGO_TARGET_{}_RUSTFLAGS", capital(triple))
}

impl Emulated {
    /// Which program is not there.
    fn lacks(&self) -> Option<String> {
        let lacks = |program: &&str| {
            let mut command = Command::new(program);
            command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            !command.status().is_ok_and(|status| status.success())
        };
        let program = [self.linker, self.runner].into_iter().find(lacks)?;
        Some(format!("no `{program}`; Debian has it in the packages {}", self.packages))
    }

    fn test(&self, triple: &str) -> Outcome<()> {
        println!("-- {triple}: tests");
        let folder = target().join(triple);
        let mut dudc = None;
        if self.dudc {
            succeed(self.cargo(triple, "build").args(["-p", "dudc", "--bin", "dudc"]))?;
            dudc = Some(self.script(&folder, "dudc")?);
        }
        for (words, tests) in self.tests {
            let mut cargo = self.cargo(triple, "test");
            cargo.args(words.split(' ')).arg("--").args(tests.split_whitespace());
            cargo.envs(dudc.iter().map(|dudc| ("DUDLEY_DUDC", dudc)));
            succeed(&mut cargo)?;
        }
        Ok(())
    }

    fn cargo(&self, triple: &str, command: &str) -> Command {
        let name = capital(triple);
        let mut cargo = cargo();
        cargo.args([command, "--quiet", "--target", triple]);
        cargo.env(format!("CARGO_TARGET_{name}_LINKER"), self.linker);
        cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), self.runner);
        // Linked statically, a program needs no libraries at run time, whose folder each
        // distribution has elsewhere.
        cargo.env(rustflags(triple), "-Ctarget-feature=+crt-static");
        cargo.env("RUST_MIN_STACK", STACK);
        cargo
    }

    /// A script that runs a program, for tests that know nothing of emulators.
    fn script(&self, folder: &Path, program: &str) -> Outcome<PathBuf> {
        let script = folder.join(format!("{program}.sh"));
        let program = folder.join("debug").join(program);
        fs::write(
            &script,
            format!("#!/bin/sh\nexec {} '{}' \"$@\"\n", self.runner, program.display()),
        )?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        Ok(script)
    }
}
