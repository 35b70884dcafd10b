//! Modules of Fortran made from layouts: what they read is what the engine reads, and what they write the engine reads again.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use dudley_tests::known;

use super::gen_c::{Case, cases, packed, path_of};

/// The flags under which modules compile without a word.
const STRICT: [&str; 5] = ["-std=f2018", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// A subroutine that reads a stream, says what is in it, and writes it again.
fn run(module: &str, prefix: &str, raw: bool, big: bool) -> String {
    let mut code = format!(
        "subroutine run_{prefix}(from, to)\n  use, intrinsic :: iso_fortran_env\n  use {prefix}\n  implicit none\n  \
         character(len=*), intent(in) :: from, to\n  type({prefix}_stream) :: s, w\n  integer :: e\n"
    );
    let order = if raw { format!(", .{big}.") } else { String::new() };
    let writes = module.contains(&format!("subroutine {prefix}_create("));
    let _ = writeln!(
        code,
        "  call {prefix}_open(s, from{order}, e)\n  if (e /= 0) then\n    print '(a)', '!' // trim(s%error)\n    return\n  end if"
    );
    let mut params = false;
    for line in module.lines() {
        let line = line.trim();
        params =
            (params || line.starts_with("logical :: writes")) && !line.contains("private :: v(");
        let param = line.strip_prefix("integer(int64) :: ").and_then(|it| it.split(' ').next());
        if let Some(param) = param.filter(|_| params) {
            let _ = writeln!(code, "  w%{param} = s%{param}");
        }
    }
    if writes {
        let _ = writeln!(
            code,
            "  call {prefix}_create(w, to, s%big, e)\n  if (e /= 0) print '(a)', '!' // trim(w%error)"
        );
    }
    let (mut path, mut indices, mut name) = (String::new(), 0, String::new());
    for line in module.lines().map(str::trim) {
        if let Some(comment) = line.strip_prefix("! /") {
            path = format!("/{}", comment.split(": ").next().unwrap_or_default());
        }
        if let Some(got) = line.strip_prefix(&format!("subroutine {prefix}_"))
            && let Some((got, arguments)) = got.split_once("_get(")
        {
            name = got.to_owned();
            indices = arguments.matches(", i").count() - 1;
        }
        let Some(declared) =
            line.strip_suffix(":: x").or_else(|| line.contains(":: x(").then_some(line))
        else {
            continue;
        };
        if name.is_empty() || !declared.contains("intent(out)") {
            continue;
        }
        let declared = line.replace(", intent(out)", "");
        code += "  block\n";
        let _ = writeln!(code, "    {declared}");
        let at: String = (1..=indices).map(|depth| format!(", i{depth}")).collect();
        for depth in 1..=indices {
            let _ = writeln!(code, "    integer(int64) :: i{depth}");
        }
        for depth in 1..=indices {
            let _ = writeln!(code, "    do i{depth} = 1, 40");
        }
        let _ = writeln!(code, "    call {prefix}_{name}_get(s{at}, x, e)");
        let quoted = path.replace('\'', "''");
        let numbers: String = (1..=indices).map(|depth| format!("i{depth} - 1, ',', ")).collect();
        let format = "i0, a, ".repeat(indices);
        let begin = format!("'{prefix}' // char(9) // '{quoted}' // char(9), {numbers}char(9)");
        let shown = if declared.starts_with("type(") {
            // Structs have gaps here; they are looked at when they were written.
            String::new()
        } else {
            format!("write(*, '(a, {format}a, *(z2.2))') {begin}, transfer(x, [0_int8])\n      ")
        };
        let put = if writes {
            format!(
                "call {prefix}_{name}_put(w{at}, x, e)\n      if (e /= 0) print '(a)', '!' // trim(w%error)"
            )
        } else {
            String::new()
        };
        let _ = writeln!(
            code,
            "    if (e == 0) then\n      {shown}{put}\n    else if (index(s%error, 'no such repetition') == 0) then\n      \
             write(*, '(a, {format}a, a)') {begin}, '!' // trim(s%error)\n    end if"
        );
        code += &"    end do\n".repeat(indices);
        code += "  end block\n";
        name.clear();
    }
    if writes {
        let _ = writeln!(
            code,
            "  call {prefix}_finish(w, e)\n  if (e /= 0) print '(a)', '!' // trim(w%error)"
        );
    }
    let _ = writeln!(code, "  call {prefix}_close(s)\nend subroutine\n");
    code
}

#[test]
fn modules_read_and_write_what_the_engine_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let fortran = |arguments: &[&str]| {
        Command::new("gfortran").args(arguments).current_dir(folder.path()).output()
    };
    if fortran(&["--version"]).is_err() {
        eprintln!("skipped: no gfortran");
        return;
    }
    let (mut main, mut calls, mut modules) = (String::new(), String::new(), String::new());
    let cases = cases(6);
    let to = |case: &Case| folder.path().join(format!("{}.out", case.prefix));
    for case in &cases {
        let module = dudley_codegen::fortran(case.stream.layout(), &case.prefix, case.raw);
        main += &run(&module, &case.prefix, case.raw, case.is_big());
        modules += &module;
        let (from, to) = (case.file.display(), to(case));
        let _ = writeln!(calls, "  call run_{}('{from}', '{}')", case.prefix, to.display());
    }
    fs::write(folder.path().join("modules.f90"), modules).expect("space");
    fs::write(folder.path().join("main.f90"), format!("{main}program main\n{calls}end program\n"))
        .expect("space");
    let strict = [&STRICT[..], &["-fcheck=all", "-c", "modules.f90"]].concat();
    for arguments in
        [&strict[..], &["-ffree-line-length-none", "main.f90", "modules.o", "-o", "main"]]
    {
        let output = fortran(arguments).expect("gfortran");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output = Command::new(folder.path().join("main")).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout).to_ascii_lowercase();
    assert!(output.status.success(), "{}\n{said}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout);
    let (mut wrong, mut right, mut written) = (Vec::new(), 0, 0);
    wrong.extend(said.lines().filter(|line| line.starts_with('!')).map(str::to_owned));
    for case in &cases {
        let (folder, stream, to) = (case.folder.display(), &case.stream, to(case));
        for line in said.lines() {
            let parts: Vec<&str> = line.splitn(4, '\t').collect();
            let [prefix, path, indices, found] = parts[..] else { continue };
            let Some(path) = path_of(path, indices).filter(|_| prefix == case.prefix) else {
                continue;
            };
            match stream.get(&path).and_then(|item| packed(&item.data()?)) {
                Ok(wanted) if wanted == found.to_ascii_lowercase() => right += 1,
                Err(_) if found.starts_with('!') => right += 1,
                other => wrong.push(format!("{folder}: {path}: {found}, not {other:?}")),
            }
        }
        if to.exists() {
            let again = match case.opened(&to) {
                Ok(again) => again,
                Err(error) => {
                    wrong.push(format!("{folder}: {error}"));
                    continue;
                }
            };
            written += 1;
            for row in known::json(&case.folder.join("expected.json"))["items"]
                .as_array()
                .into_iter()
                .flatten()
            {
                let path = row["path"].as_str().unwrap_or_default();
                let of = |stream: &dudley::Stream| {
                    stream.get(path).and_then(|item| packed(&item.data()?)).ok()
                };
                if of(stream) != of(&again) {
                    wrong.push(format!(
                        "{folder}: {path}: written as {:?}, not {:?}",
                        of(&again),
                        of(stream)
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), right + wrong.len(), wrong.join("\n"));
    assert!(right > 50 && written > 3, "{right} items, {written} streams");
}

/// Programs get no wrong numbers from a stream of another layout.
#[test]
fn streams_of_other_layouts_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
        let values = dudley::Value::Array(vec![1_i64.into(), 2_i64.into()]);
        let writer = dudley::Writer::new(layout).param("/N", 2).put("/x", values);
        writer.attach(true).write_file(folder.path().join(name), false).expect("written");
    };
    let text = "N : i8\nx = f8[N]\n";
    write("same.bd", text);
    write("other.bd", "N : i8\nx = i8[N]\n");
    write("more.bd", "N : i8\nx = f8[N] @32\n");
    write("next.bd", "N : i8\nx = f8[N]\n  @32\n");
    write("view.bd", "N : i8\nx = f8[N]\n# of theirs\n#: view_shape = [2]\n");
    write("told.bd", "N : i8\nx = f8[N]\n# of theirs\n\ny = u1[0]\n");
    let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
    let main = "program main\n  use run\n  implicit none\n  type(run_stream) :: stream\n  integer :: ierr, at\n\
                character(len=8), parameter :: names(6) = &\n    ['same.bd ', 'other.bd', 'more.bd ', 'next.bd ', 'view.bd ', 'told.bd ']\n\
                do at = 1, 6\n    call run_open(stream, trim(names(at)), ierr)\n    print '(i0)', merge(1, 0, ierr /= 0)\n\
                if (ierr == 0) call run_close(stream)\n    call run_open(stream, trim(names(at)), ierr, any_layout=.true.)\n\
                print '(i0)', ierr\n    call run_close(stream)\n  end do\nend program\n";
    let source = dudley_codegen::fortran(&layout, "run", false) + main;
    fs::write(folder.path().join("main.f90"), source).expect("space");
    let compile = Command::new("gfortran")
        .args(["-std=f2018", "-Wall", "-Wextra", "-Werror", "main.f90", "-o", "main"])
        .current_dir(folder.path())
        .output();
    let Ok(compiled) = compile else {
        eprintln!("skipped: no gfortran");
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(folder.path().join("main")).current_dir(folder.path()).output();
    let output = output.expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n0\n1\n0\n1\n0\n1\n0\n1\n0\n0\n0\n");
}

/// What is closed, or not open, is an error with a text: no call crashes.
#[test]
fn wrong_calls_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "N : i8\nn = i4\nx = f8[N]\nCELL {a=i1 b=f8}\nr = CELL[2]\n";
    let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
    let raw = dudley::parse_layout(b"k = i4\n").expect("a layout");
    let source = dudley_codegen::fortran(&layout, "t", false)
        + &dudley_codegen::fortran(&raw, "u", true)
        + include_str!("gen_fortran/wrong.f90");
    fs::write(folder.path().join("main.f90"), source).expect("space");
    let compile = Command::new("gfortran")
        .args(STRICT)
        .args(["-g", "-fcheck=all", "-fsanitize=address,undefined", "main.f90", "-o", "main"])
        .current_dir(folder.path())
        .output();
    let Ok(compiled) = compile else {
        eprintln!("skipped: no gfortran");
        return;
    };
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(folder.path().join("main"))
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .current_dir(folder.path())
        .output();
    let output = output.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}{said}", String::from_utf8_lossy(&output.stdout));
}
