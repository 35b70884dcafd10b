//! What the lints say, and what they leave alone.

use dudley_parser::check;
use dudley_parser::lint::lint;
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
    idle_alignments "x = i8 %8\ny = i8 %4\nT {a = i4 %0} %4\nz = T %4\nw = T %8\nN : i4 %4\nv = i1[N]";
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
        "N : i8\nx = i1[N]\ny = i8\nz = i1[N]",
        // Nothing is gained: what follows is aligned.
        "a = i4\nb = i8\nc/ d = i8",
        // A param stands before its use, and dicts and addresses apart.
        "a = i1\nN : i8\nx = i1[N]",
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
