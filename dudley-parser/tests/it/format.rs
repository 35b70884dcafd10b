//! Formatted layouts mean what they meant, and are formatted.

use dudley_parser::ast::{Ast, CommentKind};
use dudley_parser::format::format;
use dudley_parser::parse::parse;
use proptest::prelude::*;
use std::path::PathBuf;

/// What a text says, without where it says it and how it is written.
fn meaning(text: &str) -> String {
    let parsed = parse(text.as_bytes());
    let Ast { order, summary, items, terminator, names, .. } = &parsed.ast;
    let order = order.map(|(order, _)| order);
    let tree = format!("{order:?} {summary:#?} {items:#?} {}", terminator.is_some());
    let mut said = without_spans(&tree).replace("walrus: true", "walrus: false");
    for n in 0..names.len() {
        said += &format!("{:?}\n", names.get(symbol(names, n)));
    }
    said
}

fn symbol(names: &dudley_parser::names::Names, n: usize) -> dudley_parser::names::Symbol {
    names.symbols().nth(n).expect("a symbol of each number")
}

fn without_spans(tree: &str) -> String {
    let number = |line: &&str| !line.starts_with("start: ") && !line.starts_with("end: ");
    tree.lines().map(str::trim).filter(number).collect::<Vec<_>>().join("\n")
}

/// The comments, each with the number of tokens before it: that decides what it belongs to.
fn comments(text: &str) -> Vec<(usize, CommentKind, String)> {
    let parsed = parse(text.as_bytes());
    let text = &*parsed.text;
    let mut said = Vec::new();
    let (mut from, mut tokens) = (parsed.text.starts_with('\u{feff}') as usize * 3, 0);
    for comment in &parsed.ast.comments {
        tokens += count(&text[from..comment.span.start as usize]);
        from = comment.span.end as usize;
        said.push((tokens, comment.kind, text[comment.span.range()].trim_end().to_string()));
    }
    said
}

/// The number of tokens of a text without comments; a quoted name is one.
fn count(text: &str) -> usize {
    let mut number = 0;
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = match first {
            '"' | '\'' => {
                let mut escaped = false;
                let close = rest.char_indices().skip(1).find(|&(_, c)| {
                    let closes = c == first && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                });
                close.map_or(rest.len(), |(at, _)| at + 1)
            }
            _ if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            _ if rest.starts_with(":=") => 2,
            _ => first.len_utf8(),
        };
        number += 1;
        rest = rest[end..].trim_start();
    }
    number
}

fn check(name: &str, text: &str) {
    let Ok(formatted) = format(text) else { return };
    assert_eq!(meaning(text), meaning(&formatted), "{name}\n{text}\n-----\n{formatted}");
    assert_eq!(comments(text), comments(&formatted), "{name}\n{text}\n-----\n{formatted}");
    let again = format(&formatted).expect("what is formatted parses");
    assert_eq!(formatted, again, "{name} twice, from\n{text}");
    let layout = &formatted[..parse(formatted.as_bytes())
        .ast
        .terminator
        .map_or(formatted.len(), |end| end.start as usize)];
    assert!(
        !layout.contains('\r') && !layout.contains(" \n") && !layout.contains("\n\n\n"),
        "{name}\n{formatted}"
    );
}

fn corpus_texts() -> Vec<(String, String)> {
    let Some(folder) = std::env::var_os("DUDLEY_CORPUS") else { return Vec::new() };
    let folder = PathBuf::from(folder).join("layouts");
    let mut texts = Vec::new();
    for file in ["resolved.json", "diagnosed.json"] {
        let rows = std::fs::read_to_string(folder.join(file)).expect("corpus file");
        let rows: Vec<serde_json::Value> = serde_json::from_str(&rows).expect("rows");
        let named = |row: &serde_json::Value| {
            Some((
                row.get("name").or(row.get("id"))?.to_string(),
                row["text"].as_str()?.to_string(),
            ))
        };
        texts.extend(rows.iter().filter_map(named));
    }
    for folder in std::fs::read_dir(folder.join("streams")).expect("streams") {
        let file = folder.expect("entry").path().join("layout.dud");
        texts.push((file.display().to_string(), std::fs::read_to_string(&file).expect("layout")));
    }
    texts
}

#[test]
fn corpus() {
    for (name, text) in corpus_texts() {
        check(&name, &text);
    }
}

#[test]
fn canonical() {
    let given = include_str!("format/given.dud");
    let expected = include_str!("format/expected.dud");
    let formatted = format(given).expect("a sound layout");
    assert_eq!(formatted, expected, "{formatted}");
    check("given", given);
}

#[test]
fn signs_stay_with_their_numbers() {
    for sign in ["-", "+"] {
        let opening = format!("%{sign}8\n");
        assert_eq!(
            format(&format!("% {sign}8 x=i1")).as_deref(),
            Ok(&*format!("{opening}x = i1\n"))
        );
        assert_eq!(format(&format!("%{sign}8")).as_deref(), Ok(&*opening));
        let within = format!("x = {{%{sign}8  a = i1}} %{sign}4\n");
        assert_eq!(format(&within).as_deref(), Ok(&*within));
    }
}

#[test]
fn broken_texts_are_refused() {
    let found = format("x = f8[\ny = f8").expect_err("an error");
    assert_eq!(found[0].code, "unclosed");
}

#[test]
fn long_lines_take_a_moment() {
    // With time that grows as the square of the length, this would not end today.
    for item in ["x={a=f8} ", "l [{a = {b = f8}}, [f8]] ", "x = {a = f8 # c\n} ", "x=f8 # c\n"] {
        format(&item.repeat(20_000)).expect("sound");
    }
    let found = format(&"a/".repeat(20_000)).expect_err("dicts that nest too deep");
    assert_eq!(found[0].code, "nesting");
}

fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x",
        "N",
        "f8",
        "i4",
        "\"a b\"",
        "'x'",
        "''",
        "=",
        ":",
        ":=",
        "/",
        "..",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        ",",
        "*",
        "@",
        "%",
        "->",
        "<",
        ">",
        "+",
        "-",
        "\n---\n",
        "0",
        "3",
        "0x1f",
        " ",
        "\n",
        "\r\n",
        "\n\n\n",
        "# c \n",
        "## doc\n",
        "#: a = 3\n",
        " x = f8[N]\n",
        " N : i4",
        "\ny = {a = f8 b = i4}",
        " T {\na = f8}\n",
        " l [f8]*N- ",
        " l [1] ",
        " d/",
        " z = [f8 @8, / a = f8, [i4 ]*2,\n] ",
        " s = f8 -> zlib(6, 'q')[N+3]",
        " long = {aaaaaaaaaaaaaaaaaaaaaaaaaaa = f8 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb = f8 ccccccccccccccccccccccc = f8}[2]",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn noise(tokens in prop::collection::vec(token(), 0..14)) {
        check("noise", &tokens.concat());
    }
}

/// Sound items, as tokens that may stand apart.
const ITEMS: &[&str] = &[
    "x = f8",
    "\"a\\tb\" = <i4 [ N , 3 , -1 ] @8",
    "x = f8 [ N + + ] % 16",
    "x = f8 [ N - 1 + 'M' , 20 - N ]",
    "x = { a = i1 b : i4 c = { } [ 2 ] %4 } %8 [ 3 ] %0x10",
    "x = u1 [ 9 ] -> zlib ( 6 , -1.5e-3 , 'q' ) [ N + 3 ] @ N-3+M",
    "x = u1 -> f ( )",
    "N : -3",
    "N := 0x1F",
    "N : >u4 @16",
    "d /",
    "..",
    "/",
    "l [ ]",
    "l [ f8 , [ i4 ] * N- , / a = f8 d / b = i4 .. , / , ] * 3",
    "l = [ { a = f8 } [ 2 ] @8 , |i4 ]",
    "l [ 1 ]",
    "l [ N + + ]",
    "T { a = f8 \"\" = f4 [ N ] } % 4",
    "T { }",
];

/// Items with all kinds of things between their tokens.
fn sound() -> impl Strategy<Value = String> {
    let gap = prop::sample::select(vec![
        " ",
        " ",
        " ",
        "  ",
        "\n",
        "\n\n\n",
        "\t",
        "\r\n",
        " # c [ \n",
        "\n## d\n",
        " #: a = [\r",
        "\n  # e\n  # f\n\n\n",
    ]);
    let gaps = prop::collection::vec(gap, 1..40);
    let item = prop::sample::select(ITEMS);
    (
        prop::collection::vec(item, 0..8),
        gaps,
        prop::sample::select(vec!["", "<", ">", "\u{feff}<"]),
        any::<bool>(),
    )
        .prop_map(|(items, gaps, order, ends)| {
            let mut gaps = gaps.into_iter().cycle();
            let mut text = String::from(order);
            for token in items.iter().flat_map(|item| item.split(' ')) {
                text += gaps.next().unwrap_or(" ");
                text += token;
            }
            if ends { text + "\n--\t\n\"[" } else { text }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn sound_items(text in sound()) {
        let mut found = parse(text.as_bytes()).diagnostics;
        found.retain(|diagnostic| diagnostic.severity.is_error());
        prop_assert!(found.is_empty(), "{:?}\n{}", found, text);
        check("sound", &text);
    }
}
