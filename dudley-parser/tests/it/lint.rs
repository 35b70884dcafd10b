//! What the lints say, and what they leave alone.

use dudley_parser::check;
use dudley_parser::lint::fix::fix;
use dudley_parser::lint::{Settings, lint};
use dudley_parser::render::{Style, render};

fn shown(text: &str) -> String {
    let checked = check(text.as_bytes());
    let layout = checked.layout.expect("no error");
    render(&lint(&layout), &checked.text, "a.dud", Style::Plain)
}

macro_rules! snapshots {
    ($($name:ident $text:expr;)*) => {
        $(#[test] fn $name() {
            insta::assert_snapshot!(shown($text));
        })*
    };
}

snapshots! {
    unused_fixed "N : 3\nx = i4[2]";
    unused_streamed "N : i4\nx = i4";
    unused_in_struct "T {N : i4  M : i4  a = i4[M]}\nx = T\ny = T[2]";
    hidden_param "N : 3\nN : 4\nx = i4[N]";
    literal_dims "x = i4[360]\ny = i4[360, 7]\nT {a = i4[360]}\nz = T\nw = T[7]\nv = i4[7]";
    padding_of_a_struct "T {a = i1  b = i8  c = i1}\nx = T\ny = T[3]";
    padding_of_an_anonymous_struct "x = {a = i2  b = i4  N : i2}";
    padding_in_the_root "a = i1\nb = i8\nc = i1\nd = i8\n";
    padding_in_a_dict "a = i8\nd/\nb = i1\nc = i4\ne = i1\nf = i2\nd/\ng = i4";
    names "\"my data\" = i4\nlambda = i4\n_x = i4\ntype/ ..\n\"if\" [i4]\nN = i4\nT {self = i4}";
    case_of_names "Rho = i4\nrho = i4\nd/\nRHO = i4\nx = {a = i4  A = i4}\nT {b = i4  B = i4}";
    units "x = f8\ny = f8 ## (m) length\nz = f4 #: units = \"s\"\nl [f8, i4]\nT {a = c8}\nu = T\nv = T";
    unit_of_a_list "l [f8] ## (K) temperature\nm [[f8]*3] ## (K)";
    unit_in_typedefs "N : 3\nmesh {\"\" = f8[N]}\nx = mesh ## (m)\ny = mesh";
    undocumented "N : i4\nM : u4\nK : i4  ## zones\nP : i1  #: presence\nx = i4[N, M]\ny = i4[K, P]\nJ : i4\nl [i4]*J\nz = i4[J+0]\nT {L : i2  a = i1[L]}\nw = T\nv = T";
    late_params "N : 3\nd/\nx = i4[N]\nN : 4\ny = i4[N]\n/e/ N : 5  z = i4[N]  f/ w = i4[N]  N : 6";
    colons "N : 3\nM := 4\n\"K\" # why\n:= 5\nx = i4[N, M, K]\nT {L := 2  a = i4[L]}\ny = T\nz = T";
    misspelt_attributes "x = i4  #: cnst = 3, level = 2\ny = f8  #: unti = \"m\", min = 0\nz = i4  #: const = 1, unit = \"m\", Dims = \"z\", state = 1, name = \"q\", valid_ragne = [0, 1]";
    javascript "function = i4\nthis = i4\nNaN = i4";
    idle_alignments "x = i8 %8\ny = i8 %4\nT {a = i4 %0} %4\nz = T %4\nw = T %8\nN : i4 %4\nv = i1[N]";
}

/// Codes with severities.
fn weighed(text: &str) -> String {
    let layout = check(text.as_bytes()).layout.expect("no error");
    let found = lint(&layout)
        .into_iter()
        .map(|found| format!("{} {}", found.severity.as_str(), found.code));
    found.collect::<Vec<_>>().join(", ")
}

#[test]
fn attributes_say_how_bad_findings_are() {
    for (text, expected) in [
        ("x = f8", "note lint-unit"),
        ("#: lint_allow = \"unit\"\nx = f8\nN : 3", "note lint-unused-param"),
        ("#: lint_allow\nx = f8\nN : 3", ""),
        ("#: lint_allow, lint_warn = \"unit\"\nx = f8\nN : 3", "warning lint-unit"),
        ("x = f8 #: lint_allow = [\"lint-unit\"]\ny = f8", "note lint-unit"),
        (
            "#: lint_deny = \"unit\"\nx = f8\ny = f8 #: lint_note = \"unit\"",
            "error lint-unit, note lint-unit",
        ),
        ("d/ #: lint_allow = \"unit\"\nx = f8\ne/ y = f8\n/z = f8", "note lint-unit"),
        ("T { #: lint_allow = \"unit\"\n a = f8 }\nx = T\nb = f8", "note lint-unit"),
        ("l [f8] #: lint_allow = \"unit\"", ""),
        ("l [f8, f8] #: lint_allow = \"unit\"", ""),
        (
            "l [f8, [c8]*2, [/ x = f8  d/ y = f4]] #: lint_allow = \"unit\"\nz = f8",
            "note lint-unit",
        ),
        ("c = {p = f8} #: lint_allow\nd = {p = f8}", "note lint-unit"),
        (
            "c = {p = f8  q = {r = f8}  s = f8 #: lint_warn\n} #: lint_allow = \"unit\"",
            "warning lint-unit",
        ),
        ("g/ #: lint_allow = \"unit\"\nc = {p = f8}\n/d = {p = f8}", "note lint-unit"),
        ("l = [i4, {a = i1 b = f8 c = i1}]*3\n#: lint_allow", ""),
        ("T {q = {p = f8}}  #: lint_allow = \"unit\"\nx = T\nl [T]", ""),
        ("l [{N : i4  p = f8}]*2  #: lint_allow = \"unit\"", "note lint-unused-param"),
        ("x = i8 %8 #: lint_warn = \"align\"", "warning lint-align"),
        ("x = i8 #: lint_warn = \"alin\"", "note lint-rule"),
        ("x = i8 #: lint_foo = \"align\"", "note lint-rule"),
        ("#: lint_warn = \"alin\", lint_allow = \"rule\"\nx = i8", ""),
    ] {
        assert_eq!(weighed(text), expected, "{text}");
    }
}

#[test]
fn fixes_keep_the_meaning() {
    let fixed = |text: &str| {
        let fixed = fix(text, &check, &Settings::new()).expect("no error");
        let again = fix(&fixed.text, &check, &Settings::new()).expect("no error");
        assert_eq!(again.text, fixed.text, "a fix is made once");
        (fixed.text, fixed.fixed.iter().map(|it| it.code).collect::<Vec<_>>().join(" "))
    };
    for (text, expected, codes) in [
        ("x = i8 %8  # kept\ny = i4 % 4", "x = i8 # kept\ny = i4", "lint-align lint-align"),
        ("T {a = i4 %0} %4\nx = T %8", "T {a = i4 }\nx = T %8", "lint-align lint-align"),
        ("< %1 T {a = i8} %1\nx = u1  y = T", "< %1 T {a = i8}\nx = u1  y = T", "lint-align"),
        ("T {a = i8} %8\nx = {%1 y = T}", "T {a = i8} %8\nx = {%1 y = T}", ""),
        ("a/ x = i4\n../b = i4", "a/ x = i4\n/b = i4", "dotdot-slash"),
        ("..\nx = i4\n.. y = i4", "\nx = i4\ny = i4", "dotdot-root dotdot-root"),
        ("{ time : f8  n := f4[3] }", "{ time = f8  n = f4[3] }", "colon-item colon-item"),
        ("x = i4 #: a = 1, b = 2, a = 3", "x = i4 #: b = 2, a = 3", "attr-twice"),
        ("x = i4\nN : 3", "x = i4\nN : 3", ""),
        ("A := 3\nB : 4  C:5", "A := 3\nB := 4  C:=5", "lint-colon lint-colon"),
        ("A : 3\nB := i4", "A : 3\nB : i4", "lint-colon"),
        ("x = i8 %8\n---\ny = i8 %8", "x = i8\n---\ny = i8 %8", "lint-align"),
        ("\u{feff}x = i8 %8\n-\n", "\u{feff}x = i8\n-\n", "lint-align"),
    ] {
        assert_eq!(fixed(text), (expected.to_owned(), codes.to_owned()), "{text}");
    }
    assert!(fix("x = f9", &check, &Settings::new()).is_none(), "errors are not fixed");
}

#[test]
fn a_fix_that_is_refused_keeps_no_other_from_being_made() {
    let text: String = (0..11).map(|at| format!("x{at} = i8 %8\n")).collect();
    // One of the edits changes something, as far as this tells.
    let strict = |bytes: &[u8]| {
        if bytes.windows(10).any(|part| part == b"x3 = i8 %8") {
            check(bytes)
        } else {
            check(b"an error")
        }
    };
    let fixed = fix(&text, &strict, &Settings::new()).expect("no error");
    assert_eq!(fixed.text, text.replace(" %8", "").replace("x3 = i8", "x3 = i8 %8"));
    assert_eq!(fixed.fixed.len(), 10);
    let lines: Vec<u32> = fixed.fixed.iter().map(|it| it.primary.span.start).collect();
    assert!(lines.is_sorted(), "{lines:?}");
}

fn codes(text: &str) -> Vec<&'static str> {
    let layout = check(text.as_bytes()).layout.expect("no error");
    lint(&layout).iter().map(|found| found.code).collect()
}

#[test]
fn fine() {
    for text in [
        "",
        // Sizes are not known.
        "N : i8  ## zones\nx = i1[N]\ny = i8\nz = i1[N]",
        // Nothing is gained: what follows is aligned.
        "a = i4\nb = i8\nc/ d = i8",
        // A param stands before its use, and dicts and addresses apart.
        "a = i1\nN : u8\nx = i1[N]",
        "a = i1\nd/ b = i8\n/ c = i1\ne/ f = i8",
        "a = i1\nb = i8 @64\nc = i1\nd = i8 @128",
        "x = {a = i1 @0  b = i8 @8  c = i1 @16}",
        // One use needs the param, another alignment is less.
        "T {\"\" = i4[N]}\nd/ N : 3 x = T\n/e/ N : 4 x = T",
        "N : 3\nn = i4[N]\n/d/ m = i4",
    ] {
        let found = codes(text);
        assert!(found.is_empty() || found == ["lint-case"], "{text}: {found:?}");
    }
}

#[test]
fn large_layouts() {
    let mut text = String::new();
    for at in 0..100_000 {
        text.push_str(&format!("a{at} = i1  b{at} = f8 %8  N{at} : 3\n"));
    }
    let layout = check(text.as_bytes()).layout.expect("no error");
    assert!(lint(&layout).len() > 200_000);
}

#[test]
fn packing_is_suggested_where_all_members_are_packed() {
    for (text, expected) in [
        ("x = {a = i4 %1  b = f8 %1}", "x = {%1 a = i4 b = f8 }"),
        (
            "T {\n  n : i4 %1\n  k = u1\n  b = f8[n] %1\n}\nx = T",
            "T {%1\n  n : i4\n  k = u1\n  b = f8[n]\n}\nx = T",
        ),
        // What is inside is packed already.
        (
            "x = {a = i4 %1  b = f8 %1  c = {d = i2 %1  e = f4 %1}}",
            "x = {%1 a = i4 b = f8 c = {%1 d = i2 e = f4 }}",
        ),
    ] {
        let layout = check(text.as_bytes()).layout.expect(text);
        assert!(lint(&layout).iter().any(|lint| lint.code == "lint-pack"), "{text}");
        let fixed = fix(text, &check, &Settings::new()).expect(text);
        assert_eq!(fixed.text, expected, "{text}");
    }
    for text in [
        "x = {a = i4  b = f8 %1}",
        "x = {a = i4 %1}",
        "x = {a = u1 %1  b = i1 %1}",
        "x = {%1 a = i4  b = f8}",
        "x = {a = i4 %1  b = f8 %1  c = {d = i1  e = f4} %1}",
        "x = {a = i4 %1  b = f8 %1  c = f8 @40}",
        "{a = i4 %1  b = f8 %1}",
        "< %1  x = {a = i4 %1  b = f8 %1}",
    ] {
        let layout = check(text.as_bytes()).layout.expect(text);
        assert!(lint(&layout).iter().all(|lint| lint.code != "lint-pack"), "{text}");
    }
}
