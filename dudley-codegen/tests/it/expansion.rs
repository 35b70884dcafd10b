//! What the code of some layouts is; and that all who make it make the same.

use dudley_codegen::{CallSite, Options, expand, generate, source};
use dudley_parser::{Layout, check};
use quote::quote;
use std::path::PathBuf;

fn layout(text: &str) -> Layout {
    check(text.as_bytes()).layout.expect("no errors")
}

/// The code of a layout, except for its text and hash, which are not what is looked at.
fn code(text: &str, options: &Options) -> String {
    let code = source(&layout(text), options).expect("code of Rust");
    let begin = code.find("/// A stream of this layout, to be read").expect("a header");
    code[begin..].to_owned()
}

#[test]
fn dicts_params_and_constants() {
    let text = "N : i8  ## zones\nM : 3\nB : i4  #: presence\n\
                rho = f8[N, M+]  ## (g/cc) density\n  #: cmap = \"jet\", range = [0.5, 2]\n\
                head/ id = u4  title = S1[N]  \"odd name\" = b1[2]\n../ bc = f4[B, N]\n";
    insta::assert_snapshot!(code(text, &Options::default()));
}

#[test]
fn the_header_holds_the_text() {
    let code = source(&layout("x = f8"), &Options::default()).expect("code of Rust");
    let end = code.find("/// A stream of this layout, to be read").expect("a header");
    insta::assert_snapshot!(code[..end].to_owned());
}

#[test]
fn nothing_hidden_stands_in_documentation() {
    let odd = "\u{1b}]0;m\u{7} \u{85}\u{9b}\u{202e}";
    let text = format!(
        "## {odd}\n\"k\u{202e}\" {{\"m\u{202e}\" = i4  w = f8}}  ## {odd}\n\
         s = \"k\u{202e}\"[2]  ## ({odd}) {odd}\n\"d\u{202e}\"/  N : i4  ## {odd}\n\
         \"x\u{202e}\" = f8[N]  #: range = 1\n"
    );
    let code = source(&layout(&text), &Options::default()).expect("code of Rust");
    let hidden = |c: char| dudley_parser::names::is_hidden(c) && c != '\n';
    let line = code.lines().find(|line| line.contains(hidden));
    assert_eq!(line, None);
    assert!(code.contains(r"/// \\u{1b}\]0;m\\u{7} \\u{85}\\u{9b}\\u{202e}"), "{code}");
}

#[test]
fn records() {
    let text = "rec {tag = >u2  magic = u1 #: const = 7\n  pos = f4[3]  name = U1[4]  N : i2}\n\
                one = rec  all = rec[2]  other = {inner = rec  t = c8[2, 2]}\n";
    insta::assert_snapshot!(code(text, &Options::default()));
}

#[test]
fn lists_and_structs_of_variable_size() {
    let text = "K : i4\ntime = [f8]*K\nmixed [i4, f4[2], i4]\n\
                log [/ n : u2  v = f4[n]  sub/ w = i1\n]*2\n\
                part {n : i4  x = f8[n]  s = {a = i2}[2]}\nstr {len : u4  \"\" = U1[len]}\n\
                parts = part[K]  names = str[3]  after = f8\n";
    insta::assert_snapshot!(code(text, &Options::default()));
}

#[test]
fn another_crate_and_items_as_a_whole() {
    let options = Options::new(Some("crate::engine"), true).expect("a path");
    insta::assert_snapshot!(code("N : i4  x = f8[N]  l [i4, f4]*N\n", &options));
    assert!(Options::new(Some("no path"), false).is_err());
}

/// No file is known.
struct Nowhere;

impl CallSite for Nowhere {
    fn file(&self) -> Option<PathBuf> {
        None
    }

    fn line(&self) -> usize {
        1
    }

    fn package(&self) -> Option<PathBuf> {
        None
    }
}

#[test]
fn macro_tool_and_build_script_make_the_same_code() {
    for text in [
        "x = f8",
        "N : i8  rho = f8[N]  rec {a = u2  b = f4[3]}  r = rec[N]  l [/ k : i1  v = f4[k]]*2",
    ] {
        let made = generate(&layout(text), &Options::default()).to_string();
        let of_macro = expand(quote!(#text), |_| Box::new(Nowhere)).to_string();
        assert_eq!(of_macro, made);
        // Formatting moves blanks and adds commas, and changes nothing else.
        let formatted = source(&layout(text), &Options::default()).expect("code of Rust");
        let again = syn::parse_file(&formatted).expect("code of Rust");
        let unformatted: syn::File = syn::parse_str(&made).expect("code of Rust");
        assert_eq!(prettyplease::unparse(&again), prettyplease::unparse(&unformatted));
    }
}
