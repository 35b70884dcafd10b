//! Headers of C made from layouts: what they read is what the engine reads, and what they write the engine reads again.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dudley::{ByteOrder, Data, Dtype, Stream};
use dudley_tests::known;

/// A function of a header that reads an item.
struct Get {
    path: String,
    name: String,
    ty: String,
    indices: usize,
    rank: usize,
    text: bool,
}

/// The functions of a header, by its text.
fn gets(header: &str, prefix: &str) -> Vec<Get> {
    let (mut found, mut path, mut text, mut rank) = (Vec::new(), String::new(), false, 0);
    for line in header.lines() {
        if let Some(comment) = line.strip_prefix("/* /") {
            path = format!("/{}", comment.split(": ").next().unwrap_or_default());
        }
        let Some(function) = line.strip_prefix(&format!("static inline int {prefix}_")) else {
            text |= line.starts_with("/* Ends it with a NUL");
            continue;
        };
        let Some((name, arguments)) = function.split_once('(') else { continue };
        let indices = arguments.matches("int64_t i").count();
        if name.ends_with("_place") {
            let shape = arguments.split("shape[").nth(1);
            rank = shape.and_then(|it| it.split(']').next()?.parse().ok()).unwrap_or(0);
        }
        if let Some(name) = name.strip_suffix("_get") {
            let to = arguments.split(", ").find(|it| it.contains('*') && !it.contains("stream"));
            let ty = to.and_then(|it| it.split(" *").next()).unwrap_or_default().to_owned();
            let (path, name) = (path.clone(), name.to_owned());
            found.push(Get { path, name, ty, indices, rank, text });
            text = false;
        }
    }
    found
}

/// A function for each struct that shows its members, without what lies between them.
fn shows(header: &str) -> String {
    let mut code = String::new();
    let mut members = None;
    for line in header.lines() {
        if let Some(name) = line.strip_prefix("typedef struct ") {
            members = name.strip_suffix(" {").map(|name| (name.to_owned(), String::new()));
        }
        let Some((name, body)) = &mut members else { continue };
        let trimmed = line.trim();
        if let Some(ended) = line.strip_prefix("} ") {
            if !ended.ends_with("_stream;") {
                let _ = writeln!(code, "static void show_{name}(const {name} *r) {{\n{body}}}");
            }
            members = None;
        } else if let Some(member) = trimmed.strip_suffix(';') {
            let (ty, member) = member.split_once(' ').unwrap_or_default();
            let (member, dims) = member.split_once('[').unwrap_or((member, ""));
            let single = if dims.is_empty() { "&" } else { "" };
            let size = format!("(int64_t)(sizeof r->{member} / sizeof({ty}))");
            let _ = writeln!(
                body,
                "  {{ const {ty} *p; int64_t k; memcpy(&p, &(const void *){{{single}r->{member}}}, sizeof p); \
                 for (k = 0; k < {size}; k++) {}; }}",
                show(ty, "p + k")
            );
        }
    }
    code
}

/// What shows one value of a type.
fn show(ty: &str, pointer: &str) -> String {
    if ty.ends_with("_t")
        || ["char", "float", "double", "dudc_c4", "dudc_c8", "dudc_c16"].contains(&ty)
    {
        format!("hex({pointer}, sizeof({ty}))")
    } else {
        format!("show_{ty}({pointer})")
    }
}

/// A function that reads a stream, says what is in it, and writes it again.
fn run(header: &str, prefix: &str, raw: bool, big: bool) -> String {
    let mut code = shows(header);
    let more = if raw { format!(", {}", i32::from(big)) } else { String::new() };
    let writes = header.contains(&format!("int {prefix}_create("));
    let _ = writeln!(
        code,
        "static void run_{prefix}(const char *in, const char *out, const void *bytes, int64_t length) {{\n  \
         {prefix}_stream s, w;\n  \
         const int loaded = bytes ? {prefix}_open(&s, bytes, length{more}) : {prefix}_load(&s, in{more});\n  \
         (void)out;\n  {prefix}_init(&w);\n  if (loaded) {{ printf(\"{prefix}\\t!\\t\\t%s\\n\", s.error); return; }}"
    );
    if writes {
        if header.contains("  } param;") {
            code += "  w.param = s.param;\n";
        }
        let _ = writeln!(
            code,
            "  if (bytes) w.error[0] = 1; else if ({prefix}_create(&w, s.big)) printf(\"{prefix}\\t!\\t\\t%s\\n\", w.error);"
        );
    }
    for get in gets(header, prefix) {
        let Get { path, name, ty, indices, rank, text } = get;
        let at: String = (0..indices).map(|depth| format!(", i{depth}")).collect();
        for depth in 0..indices {
            let _ = writeln!(
                code,
                "  {{ int64_t i{depth}; for (i{depth} = 0; i{depth} < 12; i{depth}++)"
            );
        }
        let (shape, dims, room, count) = match rank {
            0 => ("", "int64_t n = 1", "", ""),
            _ => (", shape", "int64_t n = 0", if text { ", n + 1" } else { ", n" }, ", n"),
        };
        let declared = if rank > 0 { format!("int64_t shape[{rank}]; ") } else { String::new() };
        let counted =
            if rank > 0 { format!("n = dudc_count(shape, {rank}); ") } else { String::new() };
        let quoted = path.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
        let shown = "%lld,".repeat(indices);
        let given: String = (0..indices).map(|depth| format!(", (long long)i{depth}")).collect();
        let put = if writes {
            format!(
                "if (!w.error[0] && {prefix}_{name}_put(&w{at}, to{count})) printf(\"{prefix}\\t!\\t\\t%s\\n\", w.error); "
            )
        } else {
            String::new()
        };
        let _ = writeln!(
            code,
            "  {{ {dims}, address, k; {ty} *to; int e; {declared}e = {prefix}_{name}_place(&s{at}, &address{shape});\n\
             \x20   if (e == DUDC_INDEX) continue;\n    printf(\"{prefix}\\t{quoted}\\t{shown}\\t\"{given});\n\
             \x20   if (e) {{ printf(\"!%s\\n\", s.error); }} else {{ {counted}to = ({ty} *)calloc((size_t)n + 1, sizeof *to);\n\
             \x20   e = {prefix}_{name}_get(&s{at}, to{room});\n    if (e) printf(\"!%s\", s.error); else for (k = 0; k < n; k++) {};\n\
             \x20   printf(\"\\n\"); {put}free(to); }} }}",
            show(&ty, "to + k")
        );
        // Without a list around there is nothing that could be gone on with.
        if indices == 0 {
            let from = code.rfind("    if (e == DUDC_INDEX) continue;\n").unwrap_or(code.len());
            code = code[..from].to_owned()
                + &code[from..].replacen("    if (e == DUDC_INDEX) continue;\n", "", 1);
        }
        code += &"  }\n".repeat(indices);
    }
    if writes {
        let _ = writeln!(
            code,
            "  if (!w.error[0] && {prefix}_save(&w, out)) printf(\"{prefix}\\t!\\t\\t%s\\n\", w.error);\n  {prefix}_free(&w);"
        );
    }
    let _ = writeln!(code, "  {prefix}_free(&s);\n}}");
    code
}

/// A stream whose layout code is made of.
pub(crate) struct Case {
    /// What its names begin with.
    pub(crate) prefix: String,
    pub(crate) folder: PathBuf,
    pub(crate) file: PathBuf,
    pub(crate) stream: Stream,
    pub(crate) raw: bool,
}

impl Case {
    pub(crate) fn is_big(&self) -> bool {
        self.stream.order() == ByteOrder::Big
    }

    /// A stream that was written by code from its layout.
    pub(crate) fn opened(&self, file: &Path) -> dudley::Result<Stream> {
        let open = dudley::Open::new();
        if !self.raw {
            return open.file(file);
        }
        open.layout(self.stream.layout().clone()).raw().order(self.stream.order()).file(file)
    }
}

/// Every n-th of the known streams that need nothing from the caller.
pub(crate) fn cases(step: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let all = known::folders();
    for folder in all.iter().flat_map(|folder| known::streams(folder)).step_by(step) {
        let expected = known::json(&folder.join("expected.json"));
        if expected["supplied"].as_object().is_some_and(|it| !it.is_empty()) {
            continue;
        }
        let Ok(stream) = super::corpus::streams::open(&folder, &expected) else { continue };
        let (prefix, raw) = (format!("s{}", cases.len()), expected["kind"] == "raw");
        let file = known::stream(&folder, &expected);
        cases.push(Case { prefix, folder, file, stream, raw });
    }
    cases
}

/// The bytes of values without what lies between members, in the order of this machine.
pub(crate) fn packed(data: &Data) -> dudley::Result<String> {
    fn add(dtype: &Dtype, bytes: &[u8], text: &mut String) {
        match dtype {
            Dtype::Primitive(..) => bytes.iter().for_each(|byte| {
                let _ = write!(text, "{byte:02x}");
            }),
            Dtype::Record(record) => {
                for one in bytes.chunks(record.size.max(1) as usize) {
                    for field in record.fields.iter().filter(|field| field.bytes > 0) {
                        let start = field.offset as usize;
                        add(&field.dtype, &one[start..start + field.bytes as usize], text);
                    }
                }
            }
            Dtype::Variable(_) => {}
        }
    }
    let mut text = String::new();
    add(data.dtype(), &data.native()?, &mut text);
    Ok(text)
}

/// The path that a line is about; `None` where the number of an item depends on params.
pub(crate) fn path_of(path: &str, indices: &str) -> Option<String> {
    let mut parts = path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let mut numbers = indices.split(',');
    for part in parts.iter_mut().filter(|part| part.starts_with('[')) {
        // A formula of the index, such as `[1 + 2*i]`, counts the items of the list.
        let number: u64 = numbers.next()?.parse().ok()?;
        let mut sum = 0;
        for term in part.trim_matches(['[', ']']).split(" + ") {
            let (times, last) = term.split_once('*').unwrap_or(("1", term));
            sum += match last.parse::<u64>() {
                Ok(more) => more,
                Err(_) if last.len() == 1 && "ijklmn".contains(last) => {
                    times.parse::<u64>().ok()? * number
                }
                Err(_) => return None,
            };
        }
        *part = sum.to_string();
    }
    Some(parts.join("/"))
}

/// Says what is in whole streams.
const SAY: &str = "#include <stdarg.h>\nstatic int quiet;\nstatic void say(const char *format, ...) {\n\
    va_list more;\n  if (quiet) return;\n  va_start(more, format);\n  vprintf(format, more);\n  va_end(more);\n}\n";

/// Reads streams that are cut off anywhere: a sanitizer sees what is read behind the end.
const CUT: &str = "static void cut(void (*run)(const char *, const char *, const void *, int64_t), const char *path) {\n\
    static unsigned char all[1 << 20];\n  FILE *file = fopen(path, \"rb\");\n\
    const int64_t length = file ? (int64_t)fread(all, 1, sizeof all, file) : 0;\n\
    const int64_t step = length / 150 + 1;\n  int64_t at;\n  if (file) fclose(file);\n  quiet = 1;\n\
    for (at = 0; at < length; at += step) {\n    unsigned char *part = (unsigned char *)malloc((size_t)at + 1);\n\
    unsigned char *end = (unsigned char *)realloc(part, at > 0 ? (size_t)at : 1);\n\
    memcpy(end, all, (size_t)at);\n    run(path, \"\", end, at);\n    free(end);\n  }\n  quiet = 0;\n}\n";

fn compiled(folder: &Path, compiler: &str, flags: &[&str]) -> Option<std::path::PathBuf> {
    let program = folder.join(compiler);
    let output = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O0", "-std=c11"])
        .args(flags)
        .args(["main.c", "-lm", "-o"])
        .arg(&program)
        .current_dir(folder)
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: no {compiler}");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(program)
}

#[test]
fn headers_read_and_write_what_the_engine_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut main, mut calls, mut cuts) = (String::new(), String::new(), String::new());
    let cases = cases(1);
    assert!(cases.len() > 20, "{} cases", cases.len());
    let to = |case: &Case| folder.path().join(format!("{}.out", case.prefix));
    for case in &cases {
        let (prefix, from) = (&case.prefix, &case.file);
        let header = dudley_codegen::c(case.stream.layout(), prefix, case.raw);
        fs::write(folder.path().join(format!("{prefix}.h")), &header).expect("space");
        let _ = writeln!(
            main,
            "#include \"{prefix}.h\"\n{}",
            run(&header, prefix, case.raw, case.is_big())
        );
        let _ = writeln!(calls, "  run_{prefix}({from:?}, {:?}, NULL, 0);", to(case));
        let _ = writeln!(cuts, "  cut(run_{prefix}, {from:?});");
    }
    let start = "#include <inttypes.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
                 static void hex(const void *p, size_t n) { const unsigned char *b = (const unsigned char *)p; \
                 while (n-- > 0) printf(\"%02x\", *b++); }\n";
    let main = format!(
        "{start}{main}{CUT}int main(void) {{\n{calls}  fflush(stdout);\n{cuts}  return 0;\n}}\n"
    );
    // What is said of streams that are cut off is not looked at.
    let main = main
        .replace("printf(", "say(")
        .replace("static void hex", &format!("{SAY}static void hex"));
    fs::write(folder.path().join("main.c"), main).expect("space");
    for (compiler, flags) in [("gcc", &["-fsanitize=address,undefined"][..]), ("clang", &[])] {
        let Some(program) = compiled(folder.path(), compiler, flags) else { continue };
        let output = Command::new(program).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (mut wrong, mut right, mut written) = (Vec::new(), 0, 0);
        let lines: Vec<[&str; 4]> = said
            .lines()
            .map(|line| line.splitn(4, '\t').collect::<Vec<_>>().try_into().expect(line))
            .collect();
        for case in &cases {
            let to = to(case);
            let again = to.exists().then(|| case.opened(&to).expect("what was written"));
            written += usize::from(again.is_some());
            for [_, path, indices, found] in lines.iter().filter(|line| line[0] == case.prefix) {
                let Some(path) = path_of(path, indices) else { continue };
                for stream in std::iter::once(&case.stream).chain(&again) {
                    match stream.get(&path).and_then(|item| packed(&item.data()?)) {
                        Ok(wanted) if wanted == *found => right += 1,
                        Err(_) if found.starts_with('!') => right += 1,
                        other => {
                            let case = case.folder.display();
                            wrong.push(format!("{case}: {path}: {found}, not {other:?}"));
                        }
                    }
                }
            }
            let _ = fs::remove_file(to);
        }
        assert!(
            wrong.is_empty(),
            "{} of {}:\n{}",
            wrong.len(),
            right + wrong.len(),
            wrong.join("\n")
        );
        assert!(right > 500 && written > 10, "{right} items, {written} streams");
    }
}

/// What a program in C prints that reads a raw stream; `None` without a compiler.
fn printed(layout: &str, stream: &[u8], body: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = dudley::parse_layout(layout.as_bytes()).expect("a layout");
    fs::write(folder.path().join("t.h"), dudley_codegen::c(&layout, "t", true)).expect("space");
    fs::write(folder.path().join("stream"), stream).expect("space");
    let main = format!(
        "#include \"t.h\"\nint main(void) {{\n  t_stream s;\n  int e = t_load(&s, \"stream\", 0);\n{body}\n  \
         t_free(&s);\n  return 0;\n}}\n"
    );
    fs::write(folder.path().join("main.c"), main).expect("space");
    let program = compiled(folder.path(), "gcc", &[])?;
    let output = Command::new(program).current_dir(folder.path()).output().expect("it runs");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn wrong_constants_are_errors() {
    let layout = "magic : i4  #: const = 7\nword = S1[2]  #: const = \"ab\"\nx = i2";
    let show = "  char w[3] = \"\"; int16_t x = 0;\n  int f = e ? e : t_word_get(&s, w, 3);\n  \
                if (!f) t_x_get(&s, &x);\n  printf(\"%d %d %s %d %s\", e, f, w, (int)x, s.error);";
    let Some(fine) = printed(layout, b"\x07\0\0\0ab\x05\0", show) else { return };
    assert_eq!(fine, "0 0 ab 5 ");
    let magic = printed(layout, b"\x08\0\0\0ab\x05\0", show).expect("gcc");
    assert!(magic.starts_with("6 6 ") && magic.contains("legal value"), "{magic}");
    let word = printed(layout, b"\x07\0\0\0ac\x05\0", show).expect("gcc");
    assert!(word.starts_with("0 6 ") && word.contains("legal value"), "{word}");
}

#[test]
fn what_goes_to_the_end_is_counted_or_left_out() {
    let layout = "N : 0  #: to_end\nh = i2\nx = i4[N, 2]";
    let show = "  (void)e; printf(\"%d\", (int)s.param.N);";
    let Some(found) = printed(layout, &[0; 4 + 8 * 3 + 5], show) else { return };
    assert_eq!(found, "3");
    // How often a list fits, this code does not know: it must not say 0.
    let list = dudley::parse_layout(b"N : 0  #: to_end\nl [ / x = i4 ]*N").expect("a layout");
    let header = dudley_codegen::c(&list, "t", true);
    assert!(header.contains("/l/[i]/x: its place depends"), "{header}");
    assert!(!header.contains("t_l_x_get(") && !header.contains("int t_create("), "{header}");
}

/// NULL, what is not open, and what is closed are errors: no call crashes.
#[test]
fn wrong_calls_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = dudley::parse_layout(
        b"N : i4  n = i4  x = f8[N]  w = S1[4]  R {a=i1 b=f8}  r = R[2]  one = R  l [ / y = i2[2] ]*N\n",
    );
    let lists = dudley::parse_layout(b"N : i4  l [ / y = i2[2] ]*N\n").expect("a layout");
    let header = dudley_codegen::c(&layout.expect("a layout"), "t", false);
    fs::write(folder.path().join("t.h"), header).expect("space");
    fs::write(folder.path().join("u.h"), dudley_codegen::c(&lists, "u", false)).expect("space");
    fs::write(folder.path().join("main.c"), include_str!("gen_c/wrong.c")).expect("space");
    for compiler in ["gcc", "clang"] {
        let flags = ["-Wno-unused-function", "-fsanitize=address,undefined"];
        let Some(program) = compiled(folder.path(), compiler, &flags) else { continue };
        let output = Command::new(program).current_dir(folder.path()).output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler}: {} {said}", output.status);
    }
}

/// Programs get no wrong numbers from a stream of another layout.
#[test]
fn streams_of_other_layouts_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "N : i8\nx = f8[N]  ## numbers\n";
    let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
    let write = |name: &str, text: &str, attach: bool| {
        let layout = dudley::parse_layout(text.as_bytes()).expect("a layout");
        let values = dudley::Value::Array(vec![1_i64.into(), 2_i64.into()]);
        let writer = dudley::Writer::new(layout).param("/N", 2).put("/x", values);
        writer.attach(attach).write_file(folder.path().join(name), false).expect("written");
    };
    write("same.bd", text, true);
    write("without.bd", "N : i8\nx = i8[N]\n", false);
    write("grown.bd", text, true);
    let mut append = dudley::append::Append::open(folder.path().join("grown.bd")).expect("open");
    let extension = append.extend("y = u1\n").expect("text");
    extension.put("/y", 7_u8).commit().expect("written");
    append.close().expect("closed");
    let others = [
        "N : i8\nx = i8[N]\n",
        "N : i8\nx = f8[N]  ## numbers, too\n",
        "N : i8  x = f8[N]\n",
        "N : i8\nx = f8[N] @32\n",
        "N : i8\nx = f8[N]  ## numbers\n  @32\n",
        "N : i8\nx = f8[N]  ## numbers\n# of theirs\n#: view_shape = [2]\n",
    ];
    for (at, other) in others.iter().enumerate() {
        write(&format!("other{at}.bd"), other, true);
    }
    write("told.bd", &format!("{text}# of theirs\n\n"), true);
    let same = ["same", "without", "grown", "told"].map(|name| (name.to_owned(), 0));
    let other = (0..others.len()).map(|at| (format!("other{at}"), 9));
    let expected: Vec<(String, i32)> = same.into_iter().chain(other).collect();
    fs::write(folder.path().join("s.h"), dudley_codegen::c(&layout, "s", false)).expect("space");
    let main = "#include \"s.h\"\nint main(int count, char **files) {\n  s_stream s;\n  int at;\n\
                for (at = 1; at < count; at++) {\n    const int status = s_load(&s, files[at]);\n\
                double x[2] = {0, 0};\n    printf(\"%d %d\\n\", status, s_x_get(&s, x, 2));\n\
                s_free(&s);\n  }\n  return 0;\n}\n";
    fs::write(folder.path().join("main.c"), main).expect("space");
    for compiler in ["gcc", "clang"] {
        let Some(program) = compiled(folder.path(), compiler, &["-Wno-unused-function"]) else {
            continue;
        };
        let files = expected.iter().map(|(name, _)| folder.path().join(format!("{name}.bd")));
        let output = Command::new(program).args(files).output().expect("it runs");
        let wanted: String = expected.iter().map(|(_, status)| format!("{status} 0\n")).collect();
        assert_eq!(String::from_utf8_lossy(&output.stdout), wanted);
    }
}
