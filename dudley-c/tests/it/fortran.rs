//! Is `fortran/dudley.f90` what its template and the functions of the crate are? And does it read and write?

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use dudley::create::Create;
use dudley::elements::{Complex, Conversion};
use dudley::{Stream, ndarray};

use super::compile::{compiled, crate_folder, installed, link, success};
use super::sources::{Function, check_fresh, parts};

/// The flags under which Fortran compiles without a word.
const STRICT: [&str; 5] = ["-std=f2018", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Types of Fortran: how procedures are called for them, how they are declared, and what C calls them.
const TYPES: [(&str, &str, &str); 9] = [
    ("i1", "integer(int8)", "dud_int8"),
    ("i2", "integer(int16)", "dud_int16"),
    ("i4", "integer(int32)", "dud_int32"),
    ("i8", "integer(int64)", "dud_int64"),
    ("r4", "real(real32)", "dud_float"),
    ("r8", "real(real64)", "dud_double"),
    ("c4", "complex(real32)", "dud_complex_float"),
    ("c8", "complex(real64)", "dud_complex_double"),
    ("l1", "logical(c_bool)", "dud_bool"),
];

/// What the generic procedures are for, with the names of their specific ones.
const GENERICS: [(&str, &str, &str); 6] = [
    (
        "dud_read",
        "read",
        "call dud_read(file, path, x, ierr, start, stride, scaled): reads elements into x, of rank 0 to 7; for texts call\n  ! \
         dud_read(file, path, x, ierr). Without start all are read, and x has the shape of the array. What is of another type\n  ! \
         is converted if each value stays the same. With scaled=.true. x gets the physical values, as dud_read_scaled of C gives\n  ! \
         them. The file may be a family: the last dimension is the member.",
    ),
    (
        "dud_get",
        "get",
        "call dud_get(file, path, x, ierr, scaled): allocates x in the shape of the array, and reads it.",
    ),
    (
        "dud_write",
        "write",
        "call dud_write(writer, path, x, ierr, start, stride): writes elements from x, of rank 0 to 7; for texts call\n  ! \
         dud_write(writer, path, x, ierr). Without start x has the shape of the item. With an appender elements that are there are\n  ! \
         written over.",
    ),
    (
        "dud_column",
        "column",
        "call dud_column(appender, name, x, ierr): gives a part of the records that dud_push adds; name is empty if a record is\n  ! \
         one item. x is copied.",
    ),
    (
        "dud_attr",
        "attr",
        "call dud_attr(file, path, name, x, ierr): reads an attribute, as one number, a list of numbers that is allocated, a list of\n  ! \
         texts, or as one text. Numbers are converted if each stays the same.",
    ),
    (
        "dud_view_open",
        "view",
        "call dud_view_open(file, path, x, view, ierr): points x, a `pointer, contiguous`, to the elements of an array\n  ! without a copy, until \
         dud_close(view). They must have the type of x, and not be written to, which ends the program.",
    ),
];

fn generics() -> String {
    let mut text = String::new();
    for (generic, name, doc) in GENERICS {
        let ranks = match name {
            "get" | "view" => 1..8,
            "attr" => 0..2,
            _ => 0..8,
        };
        let _ = writeln!(text, "  ! {doc}\n  interface {generic}");
        // Booleans are read, and not looked at.
        for (of, _, _) in TYPES.iter().filter(|it| name != "view" || it.0 != "l1") {
            let names: Vec<String> =
                ranks.clone().map(|rank| format!("{name}_{of}_{rank}")).collect();
            let _ = writeln!(text, "    module procedure {}", names.join(", "));
        }
        let texts = match name {
            "read" | "write" => 0..8,
            "get" | "attr" => 0..2,
            _ => 0..0,
        };
        let names: Vec<String> = texts.map(|rank| format!("{name}_t_{rank}")).collect();
        if !names.is_empty() {
            let _ = writeln!(text, "    module procedure {}", names.join(", "));
        }
        text += "  end interface\n\n";
    }
    text.trim_end().to_owned()
}

/// The dimensions of an argument.
fn dims(rank: usize) -> String {
    if rank == 0 { String::new() } else { format!("({})", vec![":"; rank].join(", ")) }
}

/// The procedures of a type and rank.
fn specifics((of, declared, c): (&str, &str, &str), rank: usize) -> String {
    let (x, contiguous) = (dims(rank), if rank > 0 { ", contiguous" } else { "" });
    let (places, pass) =
        if rank > 0 { (", start, stride", "ierr, start, stride") } else { ("", "ierr") };
    let scaled = "    logical, intent(in), optional :: scaled\n";
    let optional = if rank > 0 {
        "    integer(int64), intent(in), optional :: start(:), stride(:)\n"
    } else {
        ""
    };
    let ierr = "    integer, intent(out), optional :: ierr\n";
    let mut text = format!(
        "  subroutine read_{of}_{rank}(reader, path, x, ierr{places}, scaled)\n    class(dud_reader), intent(in) :: reader\n    \
         character(len=*), intent(in) :: path\n    {declared}, intent(inout), target{contiguous} :: x{x}\n{optional}{ierr}{scaled}    \
         call read_any(reader, path, c_loc(x), {c}, shape(x, int64), {pass}, scaled=scaled)\n  end subroutine\n\n  \
         subroutine write_{of}_{rank}(taker, path, x, ierr{places})\n    class(dud_taker), intent(in) :: taker\n    \
         character(len=*), intent(in) :: path\n    {declared}, intent(in), target{contiguous} :: x{x}\n{optional}{ierr}    \
         call write_any(taker, path, c_loc(x), {c}, shape(x, int64), {pass})\n  end subroutine\n\n  \
         subroutine column_{of}_{rank}(appender, name, x, ierr)\n    type(dud_appender), intent(inout) :: appender\n    \
         character(len=*), intent(in) :: name\n    {declared}, intent(in), target{contiguous} :: x{x}\n{ierr}    \
         call column_any(appender, name, c_loc(x), {c}, shape(x, int64), storage_size(x), ierr)\n  end subroutine\n\n"
    );
    if rank > 0 {
        let each: Vec<String> = (1..=rank).map(|dim| format!("n({dim})")).collect();
        let each = each.join(", ");
        let _ = write!(
            text,
            "  subroutine get_{of}_{rank}(file, path, x, ierr, scaled)\n    type(dud_file), intent(in) :: file\n    \
             character(len=*), intent(in) :: path\n    {declared}, allocatable, intent(out) :: x{x}\n{ierr}{scaled}    \
             integer(int64), allocatable :: n(:)\n    integer :: code, failed\n    call shape_of(file, path, {rank}, n, code)\n    \
             if (code == 0) then\n      allocate (x({each}), stat=failed)\n      \
             if (failed /= 0) code = refused(path, 'there is no memory for the array')\n    end if\n    \
             if (code == 0) call read_{of}_{rank}(file, path, x, code, scaled=scaled)\n    call told(code, ierr)\n  end subroutine\n\n"
        );
    }
    if rank > 0 && of != "l1" {
        let _ = write!(
            text,
            "  subroutine view_{of}_{rank}(file, path, x, view, ierr)\n    type(dud_file), intent(in) :: file\n    \
             character(len=*), intent(in) :: path\n    {declared}, pointer, contiguous, intent(out) :: x{x}\n    \
             type(dud_view), intent(inout) :: view\n{ierr}    integer(int64), allocatable :: n(:)\n    \
             type(c_ptr) :: at\n    integer :: code\n    nullify (x)\n    \
             call view_any(file, path, {c}, {rank}, view, at, n, code)\n    \
             if (code == 0) call c_f_pointer(at, x, n)\n    call told(code, ierr)\n  end subroutine\n\n"
        );
    }
    if rank < 2 {
        let intent =
            if rank == 0 { "intent(inout), target" } else { "allocatable, target, intent(out)" };
        let begin = format!(
            "  subroutine attr_{of}_{rank}(file, path, name, x, ierr)\n    type(dud_file), intent(in) :: file\n    \
             character(len=*), intent(in) :: path, name\n    {declared}, {intent} :: x{x}\n{ierr}"
        );
        let of_any = format!("call attr_any(file, path, name, c_loc(x), {c}, shape(x, int64)");
        text += &begin;
        text += &match rank {
            0 => format!("    {of_any}, ierr)\n"),
            _ => format!(
                "    integer(int64) :: n\n    integer :: code\n    \
                 call attr_count(file, path, name, n, code)\n    allocate (x(n))\n    \
                 if (code == 0) {of_any}, code)\n    call told(code, ierr)\n"
            ),
        };
        text += "  end subroutine\n\n";
    }
    text
}

/// The procedures of texts of a rank.
fn texts(rank: usize) -> String {
    let x = dims(rank);
    let ierr = "    integer, intent(out), optional :: ierr\n";
    format!(
        "  subroutine read_t_{rank}(reader, path, x, ierr)\n    class(dud_reader), intent(in) :: reader\n    \
         character(len=*), intent(in) :: path\n    character(len=*), intent(inout), contiguous :: x{x}\n{ierr}    \
         call read_texts(reader, path, x, size(x), shape(x, int64), ierr)\n  end subroutine\n\n  \
         subroutine write_t_{rank}(taker, path, x, ierr)\n    class(dud_taker), intent(in) :: taker\n    \
         character(len=*), intent(in) :: path\n    character(len=*), intent(in), contiguous :: x{x}\n{ierr}    \
         call write_texts(taker, path, x, size(x), shape(x, int64), ierr)\n  end subroutine\n\n"
    )
}

/// The type of Fortran for one of an argument.
fn argument(ty: &str) -> Option<String> {
    let of = match ty {
        "Text" => "character(kind=c_char), intent(in) :: @(*)",
        "Columns" => "type(c_column), intent(in) :: @(*)",
        "Texts" => "type(c_ptr), intent(in) :: @(*)",
        "TextMut" | "BytesMut" | "NumbersMut" | "Bytes" | "Numbers" => "type(c_ptr), value :: @",
        "usize" => "integer(c_size_t), value :: @",
        "u64" | "i64" => "integer(c_int64_t), value :: @",
        // Fortran has no unsigned integers: the same bits.
        "u32" => "integer(c_int32_t), value :: @",
        "c_int" => "integer(c_int), value :: @",
        "Out<usize>" => "integer(c_size_t), intent(inout) :: @",
        "Out<u64>" | "Out<i64>" => "integer(c_int64_t), intent(inout) :: @",
        "Out<u32>" => "integer(c_int32_t), intent(inout) :: @",
        "Out<f64>" => "real(c_double), intent(inout) :: @",
        "Out<*const c_void>" => "type(c_ptr), intent(inout) :: @",
        "Out<c_int>" => "integer(c_int), intent(inout) :: @",
        ty if ty.starts_with("Out<Handle<") => "type(c_ptr), intent(inout) :: @",
        ty if ty.starts_with("Handle<") => "type(c_ptr), value :: @",
        _ => return None,
    };
    Some(of.to_owned())
}

/// A function of C as Fortran calls it.
fn interface(function: &Function) -> String {
    let name = &function.name;
    let names: Vec<&str> = function.arguments.iter().map(|(name, _)| name.as_str()).collect();
    let result = if function.result == "c_int" { "integer(c_int)" } else { "type(c_ptr)" };
    let mut text = format!("    function c_{name}({}", names.join(", "));
    if text.len() > 90 {
        let at = text[..90].rfind(", ").expect("arguments") + 2;
        text.insert_str(at, "&\n      ");
    }
    let _ = write!(text, ") &\n      bind(c, name='{name}') result(code)\n      import\n");
    for (name, ty) in &function.arguments {
        let of = argument(ty).unwrap_or_else(|| panic!("no type of Fortran for {ty}"));
        let _ = writeln!(text, "      {}", of.replace('@', name));
    }
    text + &format!("      {result} :: code\n    end function\n")
}

fn module() -> String {
    let path = crate_folder().join("fortran/template.f90");
    let template = fs::read_to_string(path).expect("a template");
    let (mut constants, mut interfaces) = (String::new(), String::new());
    for part in parts() {
        for constant in part.constants {
            let name = constant.name.to_lowercase();
            let name = match part.file {
                "error" => name.replace("dud_", "dud_error_"),
                _ => name,
            };
            let docs = constant.docs.join("\n  ! ");
            let _ = writeln!(
                constants,
                "  ! {docs}\n  integer, parameter, public :: {name} = {}",
                constant.value
            );
        }
        let used = |it: &&Function| template.contains(&format!("c_{}", it.name));
        interfaces.extend(part.functions.iter().filter(used).map(interface));
    }
    let mut procedures = String::new();
    for rank in 0..8 {
        procedures.extend(TYPES.iter().map(|of| specifics(*of, rank)));
        if rank > 0 {
            procedures += &texts(rank);
        }
    }
    let template = template.replace("!@constants\n", &constants.replace('`', ""));
    let template = template.replace("!@generics\n", &(generics() + "\n"));
    let template = template.replace("!@interfaces\n", &interfaces);
    let made = "! Made from template.f90 by `DUDLEY_UPDATE=1 cargo test -p dudley-c fresh`: do not edit.\n!\n";
    made.to_owned() + &template.replace("!@specifics\n", &(procedures.trim_end().to_owned() + "\n"))
}

#[test]
fn the_module_is_fresh() {
    let module = module();
    let long = module.lines().find(|line| line.len() > 132);
    assert_eq!(long, None, "more than Fortran reads in a line");
    check_fresh("fortran/dudley.f90", &module);
}

/// Runs the compiler in a folder; whether there is one.
fn fortran(folder: &Path, set: &dyn Fn(&mut Command)) -> bool {
    let mut command = Command::new("gfortran");
    command.current_dir(folder).args(STRICT).args(["-g", "-fcheck=all,no-array-temps"]);
    set(&mut command);
    compiled(&mut command)
}

/// The folder of the module, which is compiled once; `None` if there is no compiler.
fn built_module() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dudley-fortran");
        fs::create_dir_all(&folder).expect("a folder");
        let module = installed().join("share/dudley/fortran/dudley.f90");
        let is_built = fortran(&folder, &|command| {
            command.arg("-c").arg(&module);
        });
        is_built.then_some(folder)
    };
    BUILT.get_or_init(build).as_deref()
}

/// Builds a program of one file with the module, in a folder; whether there is a compiler.
pub(crate) fn build(program: &Path, folder: &Path) -> bool {
    let Some(module) = built_module() else { return false };
    fortran(folder, &|command| {
        // GCC 12 says that of texts that are allocated in a call.
        command.arg("-Wno-maybe-uninitialized").arg("-I").arg(module).arg(program);
        command.arg(module.join("dudley.o"));
        link(command).arg("-o").arg(program.file_stem().expect("a name"));
    })
}

/// A family of two streams for the program to read.
fn family(folder: &Path) {
    let files = ["a.bd", "b.bd"].map(|name| folder.join(name));
    for (file, x) in files.iter().zip([[1.0, 2.0], [3.0, 4.0]]) {
        let writer =
            Create::text("{N : i8}  x = f8[N]").expect("a layout").param("N", 2).file(file);
        let writer = writer.expect("begun");
        writer.write("/x", &x).expect("written");
        writer.finish().expect("finished");
    }
    dudley::family::Build::new().create(folder.join("all.bd"), &files, false).expect("a catalog");
}

#[test]
fn fortran_reads_and_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = crate_folder().join("tests/fortran/use.f90");
    if !build(&program, folder.path()) {
        return;
    }
    family(folder.path());
    success(Command::new(folder.path().join("use")).arg(folder.path()));
    // The dimensions are turned round.
    let stream = Stream::open(folder.path().join("run.bd")).expect("a stream");
    let expected = ndarray::array![[11.0, 21.0], [12.0, 22.0], [13.0, 23.0]].into_dyn();
    for path in ["/i1s", "/i2s", "/i4s", "/i8s", "/f4s", "/f8s"] {
        let picked = stream.select(path).expect("an item");
        assert_eq!(picked.read_as::<f64>(Conversion::Lossy).expect("elements"), expected, "{path}");
    }
    let complex =
        stream.get("/c16s").and_then(|item| item.read::<Complex<f64>>()).expect("elements");
    assert_eq!(complex[[2, 1]], Complex::new(23.0, -23.0));
    assert_eq!(stream.get("/title").and_then(|item| item.read_text()).expect("a text"), "blast");
    let shared = Stream::open(folder.path().join("shared.bd")).expect("a stream");
    let x = shared.get("/x").and_then(|item| item.read::<f64>()).expect("elements");
    assert_eq!(x.into_raw_vec_and_offset().0, [1., 2., 3., 4., 5., 6., 1., 2., 3., 4., 5., 6.]);
}

#[test]
fn fortran_sees_what_python_wrote() {
    let Some(python) = dudley_tests::python::Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = crate_folder().join("tests/fortran/beside.f90");
    if !build(&program, folder.path()) {
        return;
    }
    let arrays = folder.path().to_str().expect("a name");
    python.run("fortran.py", folder.path(), &["write", arrays]);
    success(Command::new(folder.path().join("beside")).arg(arrays));
    assert_eq!(python.run("fortran.py", folder.path(), &["compare", arrays]).trim(), "5 arrays");
}
