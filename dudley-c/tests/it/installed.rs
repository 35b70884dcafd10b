//! Do projects outside of the repository find the library, by pkg-config and by CMake?

use std::fs;
use std::process::Command;

use super::compile::{CLANG_SANITIZED, GCC, GXX, compiled, installed, success};
use super::fortran;

const C: &str = "\
#include <dudley.h>
#include <stdio.h>
int main(void) { return puts(dud_version()) < 0; }
";

const CPP: &str = "\
#include <dudley.hpp>
#include <iostream>
int main() {
  dudley::options().raw();
  std::cout << dud_version() << '\\n';
}
";

const FORTRAN: &str = "\
program main
  use dudley
  print '(a)', dud_version()
end program
";

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.16)
project(outside C CXX)
find_package(dudley 0.1 REQUIRED)
add_executable(c main.c)
target_link_libraries(c dudley::dudley)
add_executable(static main.c)
target_link_libraries(static dudley::static)
add_executable(cpp main.cpp)
target_compile_features(cpp PRIVATE cxx_std_17)
target_link_libraries(cpp dudley::dudley)
if(FORTRAN)
  enable_language(Fortran)
  add_executable(fortran main.f90 ${dudley_FORTRAN_MODULE})
  target_link_libraries(fortran dudley::dudley)
endif()
";

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let files =
        [("main.c", C), ("main.cpp", CPP), ("main.f90", FORTRAN), ("CMakeLists.txt", CMAKE)];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

/// A program may use the library, and generated code for one layout.
#[test]
fn generated_code_stands_beside_the_library() {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = dudley_parser::check(b"N : i8\nx = f8[N]").layout.expect("a layout");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("run.h", &dudley_codegen::c(&layout, "run", false));
    let main = "int main(void) { run_stream s; run_init(&s); run_free(&s); return dud_version() == NULL; }";
    let headers = ["#include <dudley.h>\n", "#include \"run.h\"\n"];
    for (at, first) in headers.iter().enumerate() {
        let text = format!("{first}{}{main}\n", headers[1 - at]);
        for (file, compiler, standard) in
            [("both.c", GCC, "c11"), ("both.cpp", GXX, "c++17"), ("both.c", CLANG_SANITIZED, "c11")]
        {
            write(file, &text);
            let Some(program) = compiler.build(standard, &folder.path().join(file), folder.path())
            else {
                continue;
            };
            success(&mut Command::new(program));
        }
    }
    write("run.f90", &dudley_codegen::fortran(&layout, "run", false));
    write(
        "both.f90",
        "program both\n  use dudley\n  use run\n  type(run_stream) :: s\n  s%n = 1\n  print '(a)', dud_version()\nend program\n",
    );
    if is_there("gfortran") {
        let mut module = Command::new("gfortran");
        assert!(compiled(module.current_dir(folder.path()).args(["-c", "run.f90"])));
        assert!(fortran::build(&folder.path().join("both.f90"), folder.path()));
    }
}

fn is_there(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        println!("skipped: no {program}");
    }
    there
}

#[test]
fn pkg_config_finds_it() {
    if !is_there("pkg-config") || !is_there("gcc") {
        return;
    }
    let folder = project();
    let path = installed().join("lib/pkgconfig");
    let mut asked = Command::new("pkg-config");
    let flags = success(asked.env("PKG_CONFIG_PATH", path).args(["--cflags", "--libs", "dudley"]));
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder.path()).args(["main.c", "-o", "main"]).args(flags.split_whitespace());
    assert!(compiled(&mut gcc));
    let mut main = Command::new(folder.path().join("main"));
    let found = success(main.env("LD_LIBRARY_PATH", installed().join("lib")));
    assert_eq!(found.trim(), env!("CARGO_PKG_VERSION"));
}

#[test]
fn cmake_finds_it() {
    if !is_there("cmake") || !is_there("g++") {
        return;
    }
    let (folder, fortran) = (project(), is_there("gfortran"));
    let cmake = || {
        let mut command = Command::new("cmake");
        command.current_dir(folder.path());
        command
    };
    let mut configure = cmake();
    configure.args([".", "-DCMAKE_BUILD_TYPE=Debug"]);
    configure.arg(format!("-DFORTRAN={}", u8::from(fortran)));
    success(configure.arg(format!("-DCMAKE_PREFIX_PATH={}", installed().display())));
    success(cmake().args(["--build", "."]));
    let fortran = if fortran { &["fortran"][..] } else { &[] };
    for program in ["c", "static", "cpp"].iter().chain(fortran) {
        let found = success(&mut Command::new(folder.path().join(program)));
        assert_eq!(found.trim(), env!("CARGO_PKG_VERSION"), "{program}");
    }
}
