//! How are programs built and run? With the library that was built for the tests, and without a word of the compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder of the crate.
pub(crate) fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder that the library was built into.
pub(crate) fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a program");
    test.parent().expect("a folder").to_owned()
}

/// The library as `cargo xtask install-c` installs it.
pub(crate) fn installed() -> &'static Path {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dudley-c");
        xtask::install_c::install(&built(), &prefix).expect("installed");
        prefix
    })
}

/// A compiler of C or C++, and whether programs are built with sanitizers.
#[derive(Clone, Copy)]
pub(crate) struct Compiler {
    pub(crate) name: &'static str,
    pub(crate) sanitized: bool,
}

pub(crate) const GCC: Compiler = Compiler { name: "gcc", sanitized: false };
pub(crate) const CLANG_SANITIZED: Compiler = Compiler { name: "clang", sanitized: true };
pub(crate) const GXX: Compiler = Compiler { name: "g++", sanitized: false };
pub(crate) const CLANGXX_SANITIZED: Compiler = Compiler { name: "clang++", sanitized: true };
/// A compiler of C++ with a library that has `std::mdspan`.
pub(crate) const CLANGXX_LIBCXX: Compiler = Compiler { name: "clang++-19", sanitized: false };

/// Flags under which programs of C and C++ compile without a word.
pub(crate) const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

impl Compiler {
    /// Builds a program; `None` if there is no compiler, which is said.
    pub(crate) fn build(self, standard: &str, source: &Path, folder: &Path) -> Option<PathBuf> {
        let suffix = if self.sanitized { "-sanitized" } else { "" };
        let stem = source.file_stem().expect("a name").to_string_lossy();
        let program = folder.join(format!("{stem}-{}{suffix}", self.name));
        let mut command = Command::new(self.name);
        command.arg(format!("-std={standard}")).args(STRICT).arg("-g");
        command.arg("-I").arg(installed().join("include")).arg(source);
        if self.name == CLANGXX_LIBCXX.name {
            command.arg("-stdlib=libc++");
        }
        if self.sanitized {
            command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
        }
        link(&mut command).arg("-lpthread").arg("-o").arg(&program);
        compiled(&mut command).then_some(program)
    }
}

/// Links with the library, which the program finds where it is.
pub(crate) fn link(command: &mut Command) -> &mut Command {
    let library = installed().join("lib");
    command.arg("-L").arg(&library).arg("-ldudley_c");
    command.arg(format!("-Wl,-rpath,{}", library.display()))
}

/// Runs a compiler, which has nothing to say; whether there is one.
pub(crate) fn compiled(command: &mut Command) -> bool {
    let Ok(output) = command.output() else {
        println!("skipped: no {}", command.get_program().display());
        return false;
    };
    let said = format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && output.stderr.is_empty(), "{said}");
    true
}

/// What a command printed, when it ended with success.
pub(crate) fn success(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", said(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All that a command said.
pub(crate) fn said(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).join("\n")
}
