//! Does C see what the engine does, in all streams of the corpus and in files of other formats? And does it write, and
//! stand what is wrong?

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use dudley::model::{Dataset, Kind, Node};
use dudley::{Dtype, Open, Primitive, Value};
use dudley_tests::known;

use super::compile::{
    CLANG_SANITIZED, CLANGXX_LIBCXX, CLANGXX_SANITIZED, GCC, GXX, crate_folder, success,
};

/// All that is in a file, as `walk.c` prints it.
fn expected(dataset: &Dataset, node: &Node, to: &mut String) {
    let path = node.path();
    let _ = match node.kind() {
        Kind::Array => {
            let (unit, doc) = (node.unit().unwrap_or_default(), node.doc().join("\n"));
            // Texts of a heap have room for the longest of them.
            let picked = dataset.select(&path).and_then(|picked| {
                Ok(picked.resolved()?.expect("texts, or sequences of one length"))
            });
            let name = picked.as_ref().ok().and_then(|it| it.dtype_name()).unwrap_or_default();
            let _ = write!(to, "{path} array {name} ({unit}) \"{doc}\"");
            let picked = match picked {
                Ok(picked) => picked,
                Err(error) => {
                    let _ = writeln!(to, " !{error}");
                    return;
                }
            };
            let data = picked.data().expect("an array");
            let _ = write!(to, " {:?}", data.shape());
            let native = match data.dtype() {
                Dtype::Primitive(Primitive::B1, _) => data
                    .read::<bool>()
                    .map(|elements| elements.iter().map(|element| u8::from(*element)).collect()),
                Dtype::Variable(_) => {
                    let _ = writeln!(to, " of several sizes");
                    return;
                }
                _ => data.native(),
            };
            match native {
                Ok(bytes) if bytes.len() > 1_000_000 => writeln!(to, " large"),
                Ok(bytes) => {
                    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    writeln!(to, " {hex}")
                }
                Err(error) => writeln!(to, " !{error}"),
            }
        }
        Kind::List => {
            let length = node.len().unwrap_or(0);
            let _ = writeln!(to, "{path} list {length}");
            for at in 0..length.min(3) {
                let path = format!("{path}/{at}");
                match dataset.get(&path) {
                    Ok(item) => expected(dataset, &item, to),
                    Err(error) => {
                        let _ = writeln!(to, "{path} !{error}");
                    }
                }
            }
            Ok(())
        }
        Kind::Dict => {
            let _ = writeln!(to, "{path} dict");
            for param in node.params() {
                let path = param.path();
                let _ = match param.value() {
                    Ok(Value::Int(value)) => writeln!(to, "{path} = {value}"),
                    _ => writeln!(to, "{path} !"),
                };
            }
            let children = node.children().and_then(|it| it.collect::<Result<Vec<_>, _>>());
            for child in children.unwrap_or_default() {
                expected(dataset, &child, to);
            }
            Ok(())
        }
        Kind::Value => writeln!(to, "{path} value"),
    };
}

/// Files in a list for `walk.c`, and what is in them.
#[derive(Default)]
struct Files {
    list: String,
    expected: String,
}

impl Files {
    fn add(&mut self, path: &Path, open: &Open, arguments: &str) {
        let _ = writeln!(self.list, "{}{arguments}", path.display());
        let _ = writeln!(self.expected, "== {}", path.display());
        match dudley_formats::all().file(path, open) {
            Ok(dataset) => match dataset.root() {
                Ok(root) => expected(&dataset, &root, &mut self.expected),
                Err(error) => {
                    let _ = writeln!(self.expected, "/ !{error}");
                }
            },
            Err(error) => {
                let _ = writeln!(self.expected, "!{error}");
            }
        }
    }
}

/// Streams and files, and the first half of each in a folder.
fn files(halves: &Path) -> Files {
    let mut files = Files::default();
    let mut count = 0;
    let mut half = |path: &Path| {
        count += 1;
        let bytes = fs::read(path).expect("a file");
        let half = halves.join(format!("half-{count}"));
        fs::write(&half, &bytes[..bytes.len() / 2]).expect("written");
        half
    };
    for folder in known::folders() {
        for case in known::streams(&folder) {
            let json = known::json(&case.join("expected.json"));
            let Ok(open) = known::opener(&case, &json) else { continue };
            let raw = if json["kind"] == "raw" { "raw" } else { "native" };
            let order = json["caller_order"].as_str().unwrap_or("-");
            let mut arguments = format!("\t{}\t{raw}\t{order}", case.join("layout.dud").display());
            for (name, value) in json["supplied"].as_object().into_iter().flatten() {
                let _ = write!(arguments, "\t{name}={value}");
            }
            let stream = known::stream(&case, &json);
            files.add(&stream, &open, &arguments);
            files.add(&half(&stream), &open, &arguments);
        }
    }
    let open = Open::new().filters(dudley_formats::registry());
    let folder = dudley_tests::root().join("tests/corpus/hdf5");
    for name in ["earliest.h5", "latest.h5", "user.h5"] {
        files.add(&folder.join(name), &open, "");
        files.add(&half(&folder.join(name)), &open, "");
    }
    files
}

fn is_valgrind_there() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok()
}

#[test]
fn c_sees_what_the_engine_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    let list = folder.path().join("list");
    fs::write(&list, &files.list).expect("written");
    for compiler in [GCC, CLANG_SANITIZED] {
        let source = crate_folder().join("tests/c/walk.c");
        let Some(program) = compiler.build("c11", &source, folder.path()) else { continue };
        let found = success(Command::new(&program).arg(&list));
        for (found, expected) in found.lines().zip(files.expected.lines()) {
            assert_eq!(found, expected);
        }
        assert_eq!(found.len(), files.expected.len());
        if !compiler.sanitized && is_valgrind_there() {
            let mut valgrind = Command::new("valgrind");
            valgrind.args(["--quiet", "--error-exitcode=9"]).arg(&program).arg(&list);
            assert_eq!(success(&mut valgrind).len(), files.expected.len());
        }
    }
    assert!(files.expected.lines().count() > 1000, "the corpus was read");
}

#[test]
fn c_writes_and_its_mistakes_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in [GCC, CLANG_SANITIZED] {
        let source = crate_folder().join("tests/c/use.c");
        let Some(program) = compiler.build("c11", &source, folder.path()) else { continue };
        let here = folder.path().join(if compiler.sanitized { "sanitized" } else { "plain" });
        fs::create_dir(&here).expect("a folder");
        success(Command::new(&program).arg(&here));
        if compiler.sanitized || !is_valgrind_there() {
            continue;
        }
        let here = folder.path().join("valgrind");
        fs::create_dir(&here).expect("a folder");
        let mut valgrind = Command::new("valgrind");
        valgrind.args([
            "--quiet",
            "--error-exitcode=9",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite",
        ]);
        success(valgrind.arg(&program).arg(&here));
    }
}

#[test]
fn cpp_reads_and_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = crate_folder().join("tests/c/use.cpp");
    // The newest standard, and its library, are tried where there are such.
    for (compiler, standard) in
        [(GXX, "c++20"), (GXX, "c++17"), (CLANGXX_SANITIZED, "c++17"), (CLANGXX_LIBCXX, "c++23")]
    {
        let Some(program) = compiler.build(standard, &source, folder.path()) else { continue };
        let here = tempfile::tempdir().expect("a folder");
        success(Command::new(&program).arg(here.path()));
    }
}
