//! `dudc import dwarf`: structs of programs that compilers made, and what these programs wrote.

use std::process::Command;

use crate::kit::Folder;

/// Compiles a program and runs it; `None` where there is no such compiler.
fn program(folder: &Folder, compiler: &str, file: &str, text: &str) -> Option<()> {
    folder.write(file, text);
    let inside = folder.path("");
    let arguments = ["-g", file, "-o", "program"];
    let Ok(output) = Command::new(compiler).args(arguments).current_dir(&inside).output() else {
        eprintln!("skipped: no {compiler}");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run = Command::new(folder.path("program")).current_dir(&inside).status().expect("it runs");
    assert!(run.success());
    Some(())
}

/// That paths of what the program wrote have values, or begin with them.
fn have(folder: &Folder, values: &[(&str, &str)]) {
    for (path, wanted) in values {
        let found = value(folder, path);
        assert!(found.contains(wanted), "{path}: {found}");
    }
}

/// The layout that was made.
fn text_of(folder: &Folder) -> String {
    String::from_utf8(folder.bytes("t.dud")).expect("text")
}

/// The values of a path of what the program wrote.
fn value(folder: &Folder, path: &str) -> String {
    let arguments = ["get", "dump.raw", path, "--layout", "t.dud", "--raw", "--format", "json"];
    folder.done(&arguments).split_whitespace().collect()
}

const C: &str = r#"
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum phase { SOLID = 1, LIQUID, GAS = 7 };
typedef float vec3[3];
struct inner { char tag; short n; };
typedef struct {
  char name[6];
  double x;
  struct inner two[2];
  enum phase phase;
  vec3 v[2];
  double complex z;
  unsigned flag : 3;
  unsigned rest : 9;
  void *next;
  union { int i; float f; } u;
  _Bool ok;
  uint16_t last;
  long double wide;
} particle;
int main(void) {
  particle p[2];
  FILE *file = fopen("dump.raw", "wb");
  memset(p, 0, sizeof p);
  for (int at = 0; at < 2; at++) {
    strcpy(p[at].name, at ? "b" : "abc");
    p[at].x = 1.5 + at;
    p[at].two[1].tag = (char)(7 + at);
    p[at].two[1].n = (short)(-2 - at);
    p[at].phase = at ? GAS : LIQUID;
    p[at].v[1][2] = 2.5f + at;
    p[at].z = 3 + 4 * I;
    p[at].flag = 5;
    p[at].ok = at;
    p[at].last = 65535;
  }
  fwrite(p, sizeof p, 1, file);
  return fclose(file);
}
"#;

#[test]
fn structs_of_c() {
    let folder = Folder::empty();
    if program(&folder, "gcc", "t.c", C).is_none() {
        return;
    }
    folder.done(&["import", "dwarf", "program", "--type", "particle", "-o", "t.dud"]);
    let text = text_of(&folder);
    for line in [
        "inner {\n  tag = i1\n  n = i2 @2\n}\n",
        "names = [\"SOLID\", \"LIQUID\", \"GAS\"], values = [1, 2, 7]",
        "`flag` is a field of 3 bits",
        "  name = S1[6]\n",
        "  v = f4[2, 3]\n",
        "next = p8 @80  ## an address of the program",
        "## a union of i, f",
        "## a `long double`",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    folder.done(&["check", "t.dud", "--raw"]);
    have(
        &folder,
        &[
            ("/data.x", "[1.5,2.5]"),
            ("/data.two.n", "[[0,-2],[0,-3]]"),
            ("/data.two.tag", "[[0,7],[0,8]]"),
            ("/data.v[:,1,2]", "[2.5,3.5]"),
            ("/data.ok", "[false,true]"),
            ("/data.last", "[65535,65535]"),
            ("/data.z", "[[3.0,4.0],[3.0,4.0]]"),
        ],
    );
    // Early versions of DWARF say places by operations.
    let early = ["-gdwarf-2", "-gstrict-dwarf", "t.c", "-o", "early"];
    let early = Command::new("gcc").args(early).current_dir(folder.path("")).status();
    assert!(early.expect("gcc").success());
    let same = folder.done(&["import", "dwarf", "early", "--type", "particle"]);
    assert_eq!(same.replace("early", "program"), text);
    assert!(
        text.starts_with("< ## Structs `particle` of the program program: 112 bytes each\n"),
        "{text}"
    );
    // Types may have parts of the information of their own.
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let apart = [version, "-fdebug-types-section", "t.c", "-o", "apart"];
        let apart = Command::new("gcc").args(apart).current_dir(folder.path("")).status();
        assert!(apart.expect("gcc").success());
        let same = folder.done(&["import", "dwarf", "apart", "--type", "particle"]);
        assert_eq!(same.replace("apart", "program"), text, "{version}");
    }
    let split = ["-gsplit-dwarf", "-g", "t.c", "-o", "split"];
    let split = Command::new("gcc").args(split).current_dir(folder.path("")).status();
    assert!(split.expect("gcc").success());
    let split = folder.fails(&["import", "dwarf", "split", "--type", "particle"], 1);
    assert!(split.contains("-gsplit-dwarf"), "{split}");
    // Without gaps nobody knows where what follows a bit field lies.
    let packed = folder.fails(&["import", "dwarf", "program", "--type", "particle", "--packed"], 1);
    assert!(packed.contains("`flag` is a field of 3 bits"), "{packed}");
    // A struct that needs no gaps is as C has it.
    let inner = folder.done(&["import", "dwarf", "program", "--type", "inner"]);
    assert!(inner.contains("data = inner[N]") && !inner.contains('%'), "{inner}");
    let none = folder.fails(&["import", "dwarf", "program", "--type", "partcle"], 1);
    assert!(none.contains("no struct `partcle`; did you mean `particle`?"), "{}", none);
    Command::new("strip").arg(folder.path("program")).status().expect("strip");
    let stripped = folder.fails(&["import", "dwarf", "program", "--type", "particle"], 1);
    assert!(stripped.contains("compile with -g"), "{}", stripped);
    let text = folder.fails(&["import", "dwarf", "t.c", "--type", "particle"], 1);
    assert!(text.contains("no ELF file"), "{}", text);
}

/// Compilers write a number into as few bytes as hold it, and do not say whether it has a sign.
#[test]
fn numbers_of_every_width() {
    let folder = Folder::empty();
    folder.write(
        "t.c",
        "enum plain { A = 200, B = -1, C = 40000, D = 255, E = 128, F = -200 };
         enum whole { G = 200, H = 128, I = 4000000000u, J = 65535, K = 32768 };
         enum __attribute__((packed)) byte { L = 200, M = 1 };
         enum __attribute__((packed)) small { O = 100, P = -100 };
         enum large { Q = 1, R = 0xffffffffffffffffu };
         struct t {
           double a[128], b[129], c[200], d[255], e[256];
           short f[32768], g[32769], h[65536], i[70000];
           int j[129][40000];
           enum plain k; enum whole l; enum byte m; enum small n; enum large o;
         } t;
         int main(void) { return 0; }",
    );
    for compiler in ["gcc", "clang"] {
        for version in 2..=5 {
            let version = format!("-gdwarf-{version}");
            let arguments = ["-g", &version, "t.c", "-o", "program"];
            let compiled =
                Command::new(compiler).args(arguments).current_dir(folder.path("")).status();
            let Ok(status) = compiled else {
                eprintln!("skipped: no {compiler}");
                break;
            };
            assert!(status.success());
            let text = folder.done(&["import", "dwarf", "program", "--type", "t"]);
            for line in [
                "a = f8[128]\n",
                "b = f8[129]\n",
                "c = f8[200]\n",
                "d = f8[255]\n",
                "e = f8[256]\n",
                "f = i2[32768]\n",
                "g = i2[32769]\n",
                "h = i2[65536]\n",
                "i = i2[70000]\n",
                "j = i4[129, 40000] @",
                "values = [200, -1, 40000, 255, 128, -200]\n",
                "values = [200, 128, 4000000000, 65535, 32768]\n",
                "values = [200, 1]\n",
                "values = [100, -100]\n",
                "## Q = 1, R = 18446744073709551615\n",
            ] {
                assert!(text.contains(line), "{compiler} {version}: {line}: {text}");
            }
        }
    }
}

/// Elements whose byte order is another than that of the machine.
#[test]
fn byte_orders_of_members() {
    let folder = Folder::empty();
    let text = r#"
#include <stdio.h>
struct __attribute__((scalar_storage_order("big-endian"))) t {
  int a; double b; short c[3]; char d[4]; struct { unsigned char e; unsigned f; } g;
};
int main(void) {
  struct t t = {-5, 1.5, {1, 2, -3}, "abc", {7, 8}};
  FILE *file = fopen("dump.raw", "wb");
  fwrite(&t, sizeof t, 1, file);
  return fclose(file);
}
"#;
    if program(&folder, "gcc", "t.c", text).is_none() {
        return;
    }
    folder.done(&["import", "dwarf", "program", "--type", "t", "-o", "t.dud"]);
    have(
        &folder,
        &[
            ("/data.a", "[-5]"),
            ("/data.b", "[1.5]"),
            ("/data.c", "[[1,2,-3]]"),
            ("/data.d", "[\"abc\"]"),
            ("/data.g.f", "["),
        ],
    );
}

/// An object file is not linked: where its names are is said by relocations.
#[test]
fn object_files() {
    let folder = Folder::empty();
    if program(&folder, "gcc", "t.c", C).is_none() {
        return;
    }
    let linked = folder.done(&["import", "dwarf", "program", "--type", "particle"]);
    for compiler in ["gcc", "clang"] {
        for version in 2..=5 {
            let version = format!("-gdwarf-{version}");
            let arguments = ["-g", &version, "-c", "t.c", "-o", "t.o"];
            let compiled =
                Command::new(compiler).args(arguments).current_dir(folder.path("")).status();
            let Ok(status) = compiled else {
                eprintln!("skipped: no {compiler}");
                break;
            };
            assert!(status.success());
            let text = folder.done(&["import", "dwarf", "t.o", "--type", "particle"]);
            assert_eq!(text.replace("t.o", "program"), linked, "{compiler} {version}");
        }
    }
    // A header alone, compressed information, and threads' variables, whose places only a linker knows.
    folder.write("h.h", "struct h { char tag; double x[200]; };\nextern _Thread_local int i;");
    let one = "#include \"h.h\"\n_Thread_local int i; int *f(void) { return &i; }";
    folder.write("one.c", one);
    let unused = "-fno-eliminate-unused-debug-types";
    for arguments in [
        &["-x", "c", "-g", "-c", unused, "h.h", "-o", "h.o"][..],
        &["-g", "-gz", "-c", unused, "one.c", "-o", "h.o"],
        &["-g", "-fPIC", "-c", unused, "one.c", "-o", "h.o"],
    ] {
        let compiled = Command::new("gcc").args(arguments).current_dir(folder.path("")).status();
        assert!(compiled.expect("gcc").success(), "{arguments:?}");
        let text = folder.done(&["import", "dwarf", "h.o", "--type", "h"]);
        assert!(text.contains("h {\n  tag = i1\n  x = f8[200] @8\n}\n"), "{text}");
    }
    // Types in sections of their own are put in their places by the linker alone.
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let arguments = ["-g", version, "-fdebug-types-section", "-c", "t.c", "-o", "t.o"];
        let compiled = Command::new("gcc").args(arguments).current_dir(folder.path("")).status();
        assert!(compiled.expect("gcc").success());
        let error = folder.fails(&["import", "dwarf", "t.o", "--type", "particle"], 1);
        assert!(error.contains("-fdebug-types-section"), "{error}");
    }
}

/// Debugging information that older tools compressed is not read: the message says what to do.
#[test]
fn sections_in_the_old_compression() {
    let folder = Folder::empty();
    let flags = ["-g", "-gz=zlib-gnu", "-c", "t.c", "-o", "t.o"];
    folder.write("t.c", "struct a { int x; } a;\n");
    let compiled = Command::new("gcc").args(flags).current_dir(folder.path("")).status();
    if !compiled.is_ok_and(|it| it.success()) {
        return;
    }
    let error = folder.fails(&["import", "dwarf", "t.o", "--type", "a"], 1);
    assert!(error.contains("objcopy --decompress-debug-sections"), "{error}");
}

#[test]
fn what_is_no_struct_is_told() {
    let folder = Folder::empty();
    let text = "union either { int i; float f; };
         struct hidden;
         struct flexible { int n; double x[]; };
         struct t { union either e; struct hidden *h; struct flexible f; union { int a; struct { short b; }; } u; } t;
         int main(void) { return 0; }";
    if program(&folder, "gcc", "t.c", text).is_none() {
        return;
    }
    let fails = |name: &str| folder.fails(&["import", "dwarf", "program", "--type", name], 1);
    assert!(fails("either").contains("`either` is a union"), "{}", fails("either"));
    assert!(fails("hidden").contains("`hidden` is only declared"), "{}", fails("hidden"));
    assert!(fails("nowhere").contains("-fno-eliminate-unused-debug-types"), "{}", fails("nowhere"));
    let text = folder.done(&["import", "dwarf", "program", "--type", "t"]);
    assert!(text.contains("`x` is an array without a length: it is left out"), "{text}");
    assert!(text.contains("## a union of a\n"), "{text}");
    // Without a name the structs of the program are listed.
    let all = folder.fails(&["import", "dwarf", "program"], 2);
    assert!(all.contains("--type") && all.contains("`flexible` of 8 bytes"), "{all}");
    let header = folder.fails(&["import", "c", "t.h"], 2);
    assert!(header.contains("cc -g -c") && header.contains("import dwarf"), "{header}");
}

#[test]
fn structs_of_cpp() {
    let folder = Folder::empty();
    let text = r#"
#include <array>
#include <cstdio>
namespace sim {
struct base { int id; };
struct nothing {};
enum class kind : unsigned char { a, b };
struct cell : nothing, base { std::array<double, 2> x; kind k; static int count; };
int cell::count = 0;
}
namespace other { struct cell { char c; }; }
int main() {
  sim::cell c[1] = {};
  other::cell o = {'o'};
  c[0].id = 42;
  c[0].x[1] = 0.5;
  c[0].k = sim::kind::b;
  std::FILE *file = std::fopen("dump.raw", "wb");
  std::fwrite(c, sizeof c, 1, file);
  return std::fclose(file) + (o.c == 'x');
}
"#;
    if program(&folder, "g++", "t.cpp", text).is_none() {
        return;
    }
    let several = folder.fails(&["import", "dwarf", "program", "--type", "cell"], 1);
    assert!(several.contains("`sim::cell` of") && several.contains("`other::cell`"), "{}", several);
    folder.done(&["import", "dwarf", "program", "--type", "sim::cell", "-o", "t.dud"]);
    assert!(value(&folder, "/data.base.id").contains("[42]"));
    assert!(value(&folder, "/data.k").contains("[1]"));
    assert!(text_of(&folder).contains("names = [\"a\", \"b\"]"), "{}", text_of(&folder));
    let dump = folder.done(&["dump", "dump.raw", "--layout", "t.dud", "--raw"]);
    assert!(dump.contains("0.5"), "{dump}");
}

/// C++ puts members into the padding at the end of a base class, if it is no plain struct.
#[test]
fn members_in_the_padding_of_bases() {
    let folder = Folder::empty();
    let text = r#"
#include <cstdio>
class one { public: one() : d(1.5), c(2) {} double d; signed char c; };
class two : public one { public: signed char e = 3; };
class three : public two { public: signed char f = 4; short g = 5; };
class between : public two {};
class four : public between { public: signed char c = 6; };
struct holder { three t; four q; one plain; };
template <class T> struct pair { T a, b; };
struct flags { unsigned a : 3, b : 5; };
int main() {
  static holder h[2];
  static pair<double> p;
  static flags s;
  std::FILE *file = std::fopen("dump.raw", "wb");
  std::fwrite(h, sizeof h[0], 2, file);
  return std::fclose(file) + (p.a > 0) + (s.a > 0);
}
"#;
    for compiler in ["g++", "clang++"] {
        if program(&folder, compiler, "t.cpp", text).is_none() {
            return;
        }
        let text = ["import", "dwarf", "program", "--type", "holder", "-o", "t.dud", "--force"];
        folder.done(&text);
        let have = [
            ("t.d", "1.5"),
            ("t.c", "2"),
            ("t.e", "3"),
            ("t.f", "4"),
            ("t.g", "5"),
            ("q.d", "1.5"),
            ("q.c", "2"),
            ("q.e", "3"),
            ("q.c_", "6"),
            ("plain.d", "1.5"),
            ("plain.c", "2"),
        ];
        for (path, expected) in have {
            let found = value(&folder, &format!("/data.{path}"));
            assert!(found.contains(&format!("[{expected},{expected}]")), "{path}: {found}");
        }
        let fails = |name: &str| folder.fails(&["import", "dwarf", "program", "--type", name], 1);
        assert!(fails("pair").contains("did you mean `pair<double>`?"), "{}", fails("pair"));
        // All of it is gaps.
        let flags = folder.done(&["import", "dwarf", "program", "--type", "flags"]);
        assert!(flags.contains("`a` is a field of 3 bits") && flags.contains("u1[4]"), "{flags}");
        let all = folder.fails(&["import", "dwarf", "program"], 2);
        let (own, library) = (all.find("`holder`"), all.find("`std::"));
        assert!(own.is_some() && library.is_none_or(|at| own < Some(at)), "{all}");
    }
}

#[test]
fn types_of_fortran_as_write_packs_them() {
    let folder = Folder::empty();
    let text = "module states
  type :: state
    integer(4) :: step
    real(8) :: time
    real(8) :: rho(3, 2)
    character(len=5) :: name
    complex(4) :: c
    logical(4) :: ok
  end type
end module
program main
  use states
  type(state) :: s
  s%step = 3
  s%time = 0.25d0
  s%rho = 0
  s%rho(3, 1) = 7
  s%name = 'abc'
  s%c = (1.0, 2.0)
  s%ok = .true.
  open (10, file='dump.raw', access='stream', form='unformatted')
  write (10) s
end program
";
    if program(&folder, "gfortran", "t.f90", text).is_none() {
        return;
    }
    folder.done(&["import", "dwarf", "program", "--type", "state", "--packed", "-o", "t.dud"]);
    assert!(text_of(&folder).contains("rho = f8[2, 3]"), "{}", text_of(&folder));
    have(
        &folder,
        &[
            ("/data.time", "[0.25]"),
            ("/data.rho[0,0,2]", "7.0"),
            ("/data.ok", "[1]"),
            ("/data.step", "[3]"),
        ],
    );
}

/// A restart of a code as there are many: one record for each write, with its bytes before and behind it.
#[test]
fn records_of_fortran() {
    let folder = Folder::empty();
    let text = "module states
  type :: place
    integer(2) :: region
    real(8) :: x(3)
  end type
  type, extends(place) :: data
    integer(8) :: id
    character(len=3) :: name
    real(4) :: rho(2, 2)
    logical(1) :: ok
  end type
end module
program main
  use states
  type(data) :: s(5)
  integer :: i
  do i = 1, 5
    s(i)%region = int(i, 2)
    s(i)%x = 0.5d0 * i
    s(i)%id = 2_8**40 + i
    s(i)%name = 'abc'
    s(i)%rho = i
    s(i)%rho(2, 1) = -i
    s(i)%ok = .true.
  end do
  open (10, file='dump.raw', form='unformatted')
  write (10) s(1)
  write (10) s(2:4)
  write (10) s(5)
  close (10)
end program
";
    if program(&folder, "gfortran", "t.f90", text).is_none() {
        return;
    }
    folder.done(&["import", "dwarf", "program", "--type", "data", "--records", "-o", "t.dud"]);
    folder.done(&["check", "t.dud", "--raw"]);
    let text = text_of(&folder);
    assert!(text.starts_with("< %1 ##") && text.contains("values = data[BYTES/54]"), "{text}");
    have(
        &folder,
        &[
            ("/records/0/values.id", "[1099511627777]"),
            ("/records/1/values.id", "[1099511627778,1099511627779,1099511627780]"),
            ("/records/2/values.place.region", "[5]"),
            ("/records/2/values.place.x", "[[2.5,2.5,2.5]]"),
            ("/records/1/values.rho[0]", "[[2.0,-2.0],[2.0,2.0]]"),
            ("/records/1/values.name", "[\"abc\",\"abc\",\"abc\"]"),
        ],
    );
    let get = |path: &str| {
        let arguments = ["get", "damaged.raw", path, "--layout", "t.dud", "--raw"];
        folder.fails(&arguments, 1)
    };
    // A file that ends early, one whose marks differ, and one of another type are errors.
    let bytes = folder.bytes("dump.raw");
    folder.write("damaged.raw", &bytes[..bytes.len() - 3]);
    let all = folder.run(&["verify", "damaged.raw", "--layout", "t.dud", "--raw"]);
    assert!((all.out + &all.err).contains("59 bytes left"), "what is cut off is told");
    assert!(get("/records/2/values.id").contains("/records"));
    let mut differ = bytes.clone();
    differ[58] = 55;
    folder.write("damaged.raw", differ);
    assert!(get("/records/0/equal").contains("END"), "{}", get("/records/0/equal"));
    let mut other = bytes;
    other[0] = 53;
    folder.write("damaged.raw", other);
    assert!(get("/records/0/values.id").contains("54"), "{}", get("/records/0/values.id"));
}

#[test]
fn damaged_programs_are_refused() {
    let folder = Folder::empty();
    if program(&folder, "gcc", "t.c", C).is_none() {
        return;
    }
    let bytes = folder.bytes("program");
    for at in 0..60 {
        let mut damaged = bytes.clone();
        let cut = bytes.len() * (at + 1) / 61;
        if at % 2 == 0 {
            damaged.truncate(cut);
        } else {
            // Noise in what is most likely debugging information.
            for byte in &mut damaged[cut..(cut + 64).min(bytes.len())] {
                *byte = byte.wrapping_mul(31).wrapping_add(at as u8);
            }
        }
        folder.write("damaged", damaged);
        let found = folder.run(&["import", "dwarf", "damaged", "--type", "particle"]);
        assert!(found.status <= 1 && !found.err.contains("panicked"), "{}", found.err);
    }
}
