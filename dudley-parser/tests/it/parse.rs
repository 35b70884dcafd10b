//! The parser against texts with known results, and against noise.

use dudley_parser::ast::ItemKind;
use dudley_parser::diagnostic::{Diagnostic, Severity};
use dudley_parser::parse::parse;
use dudley_parser::span::LineIndex;
use serde_json::Value;
use std::path::PathBuf;

/// The codes that the parser alone gives.
const SYNTACTIC: &[&str] = &[
    "bad-utf8",
    "unterminated-name",
    "bad-escape",
    "bad-char",
    "bad-number",
    "int-range",
    "syntax",
    "unclosed",
    "nesting",
    "late-order",
    "late-summary",
    "prim-as-name",
    "member-dict",
    "member-list",
    "member-type",
    "empty-shape",
    "bad-suffix",
    "two-places",
];

fn corpus() -> Option<PathBuf> {
    std::env::var_os("DUDLEY_CORPUS").map(|folder| PathBuf::from(folder).join("layouts"))
}

fn rows(file: &str) -> Vec<Value> {
    let Some(folder) = corpus() else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join(file)).expect("corpus file");
    serde_json::from_str(&text).expect("corpus rows")
}

fn text_of(row: &Value) -> Vec<u8> {
    match row["text_hex"].as_str() {
        Some(hex) => (0..hex.len() / 2)
            .map(|n| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16).expect("hex"))
            .collect(),
        None => row["text"].as_str().expect("text").into(),
    }
}

fn errors(found: &[Diagnostic]) -> Vec<&Diagnostic> {
    found.iter().filter(|found| found.severity == Severity::Error).collect()
}

fn show(text: &str, found: &[Diagnostic]) -> String {
    let lines = LineIndex::new(text);
    let shown = found.iter().map(|found| {
        let at = lines.line_column(found.primary.span.start);
        format!("  {}:{} {} {}\n", at.line, at.column, found.code, found.message)
    });
    shown.collect()
}

#[test]
fn sound_texts_parse() {
    let mut failed = String::new();
    let mut check = |name: &str, text: &[u8]| {
        let parsed = parse(text);
        if !errors(&parsed.diagnostics).is_empty() {
            failed += &format!("{name}\n{}", show(&parsed.text, &parsed.diagnostics));
        }
    };
    for row in rows("resolved.json") {
        check(row["name"].as_str().expect("name"), &text_of(&row));
    }
    for row in rows("diagnosed.json").iter().filter(|row| row["severity"] != "error") {
        check(row["id"].as_str().expect("id"), &text_of(row));
    }
    for folder in corpus()
        .iter()
        .flat_map(|corpus| std::fs::read_dir(corpus.join("streams")).expect("streams"))
    {
        let file = folder.expect("entry").path().join("layout.dud");
        check(&file.display().to_string(), &std::fs::read(&file).expect("layout"));
    }
    assert!(failed.is_empty(), "{failed}");
}

#[test]
fn faults_are_found_where_they_are() {
    let mut failed = String::new();
    for row in rows("diagnosed.json") {
        let code = row["code"].as_str().unwrap_or_default();
        let text = text_of(&row);
        let parsed = parse(&text);
        let found = show(&parsed.text, &parsed.diagnostics);
        let number = errors(&parsed.diagnostics).len();
        let mut wanted: Vec<Vec<(String, u64, u64)>> = Vec::new();
        let place = |code: &str, at: &Value| {
            (code.to_string(), at[0].as_u64().unwrap_or(0), at[1].as_u64().unwrap_or(0))
        };
        let own =
            SYNTACTIC.contains(&code) || row["id"] == "filter-args" || row["id"] == "list-name";
        let code = if row["id"] == "list-name" { "syntax" } else { code };
        if row["severity"] == "error" && own {
            let alternatives = row["alt"].as_array().expect("alt").iter();
            wanted.push(
                std::iter::once(&row["at"]).chain(alternatives).map(|at| place(code, at)).collect(),
            );
        }
        for also in row["also"].as_array().into_iter().flatten() {
            let code = also[0].as_str().expect("code");
            if SYNTACTIC.contains(&code) {
                let (line, column) =
                    (also[1].as_u64().expect("line"), also[2].as_u64().expect("column"));
                wanted.push(vec![(code.into(), line, column)]);
            }
        }
        let hit = |(code, line, column): &(String, u64, u64)| {
            found.contains(&format!("  {line}:{column} {code} "))
        };
        if number != wanted.len() || !wanted.iter().all(|places| places.iter().any(hit)) {
            failed += &format!(
                "{}: {:?}\n  wanted {wanted:?}\n{found}",
                row["id"],
                String::from_utf8_lossy(&text)
            );
        }
    }
    assert!(failed.is_empty(), "{failed}");
}

/// What is found in small texts, as `line:column code` each.
#[test]
fn small_faults() {
    for (text, expected) in [
        ("x = [f8\n---\n\u{1}[", "1:5 unclosed"),
        ("x = [f8\ny = f8[\nz = f8]", "1:5 unclosed|3:3 syntax"),
        ("T {\n  a = f8[3\n}\ny = f8", "2:9 unclosed"),
        ("x = \n  # c\n", "1:4 syntax"),
        ("N : 3\nx = f8[N N]\ny = f8[]\nz = ;", "2:10 syntax|3:7 empty-shape|4:5 bad-char"),
        ("l [f8]*N -\nx = (", "1:10 dashes-late"),
        ("l [f8]*N-\n", ""),
        ("x = f8 @N-\n{", "1:10 dashes-late"),
        ("x = f8[N*]", "1:9 bad-suffix"),
        ("x = f8[3*]", "1:9 bad-suffix"),
        ("x = f8[1.2+N]", "1:8 bad-number"),
        ("x = f8[N/*2]", "1:10 bad-suffix"),
        ("x = f8[N*-2]", "1:10 bad-suffix"),
        ("x = f8[(N+)]", "1:10 bad-suffix"),
        ("x = f8[()]", "1:9 syntax"),
        ("x = f8[(N M)]", "1:11 syntax"),
        ("x = f8[(N]", "1:8 unclosed"),
        ("x = f8[+3/(N+-1)]", "1:14 bad-suffix"),
        (
            "x = f8[(N+2)*M/4, -1+N] y = f8 @(N/2)+4 l [f8]*(N/2) l [(N*2)] l = [f8, (N)]",
            "1:73 syntax",
        ),
        ("x = f8 @N/2 y = f8 @N*2+1 z = f8 @N/\n..", ""),
        ("x = f8[3-]", "1:9 bad-suffix"),
        ("x = f8[N+M-]", "1:11 bad-suffix"),
        ("x = f8[N+-3]", "1:10 bad-suffix"),
        ("x = f8 @N+ y = f8", "1:10 bad-suffix"),
        ("l [f8]*3+", "1:9 bad-suffix"),
        ("l [f8]*N+-", "1:10 bad-suffix"),
        ("x = f8 @ 400 y = f8 %+2 z = f8[+3]", ""),
        ("N : --3", "1:5 syntax"),
        ("'a\0b' = f8", "1:1 unterminated-name"),
        ("\"a\\u{0}\" = f8", "1:3 bad-escape"),
        ("x = f8 -> zlib(1.2.3)", "1:16 bad-number"),
        ("x = f8\n<\n>i4 = f8", "2:1 late-order|3:1 prim-as-name"),
        ("l [N+]*2", "1:7 syntax"),
        ("l = [N+]", "1:7 syntax"),
        ("l [2,]", "1:5 syntax"),
        ("l [/ x = f8[3,], f8]\ny = f8[,]", "1:15 syntax|2:8 syntax"),
    ] {
        let parsed = parse(text.as_bytes());
        let lines = LineIndex::new(&parsed.text);
        let found = parsed.diagnostics.iter().map(|found| {
            let at = lines.line_column(found.primary.span.start);
            format!("{}:{} {}", at.line, at.column, found.code)
        });
        assert_eq!(found.collect::<Vec<_>>().join("|"), expected, "{text:?}");
    }
}

/// What was not parsed is declared all the same.
#[test]
fn broken_items_keep_their_names() {
    let parsed = parse(b"x y ; z = f8[3,]\nT {\n a = f8,\n}\nN : 3");
    let names = parsed.ast.items.iter().map(|item| match item.kind {
        ItemKind::Broken { name: Some(name) } => format!("{}?", parsed.ast.names.get(name.symbol)),
        ItemKind::Param { name, .. } => parsed.ast.names.get(name.symbol).to_string(),
        _ => "other".into(),
    });
    assert_eq!(names.collect::<Vec<_>>(), ["x?", "z?", "T?", "N"]);
}

#[test]
fn a_repeat_that_is_computed_takes_parentheses() {
    for (list, repeat) in [
        ("m [f4]*B/4", "B/4"),
        ("m [f4]*4/B\n", "4/B"),
        ("m [f4] *B*2", "B*2"),
        ("m = [f4]*B+4", "B+4"),
        ("m [f4]*B/4\nx = f8", "B/4"),
        ("m [f4]*B + 4  x = f8", "B + 4"),
    ] {
        let found = dudley_parser::check(format!("B : 8\n{list}").as_bytes()).diagnostics;
        let help: Vec<_> = found.iter().filter_map(|it| it.help.as_deref()).collect();
        assert!(help.concat().contains(&format!("`*({repeat})`")), "{list}: {found:?}");
    }
    for other in ["l [f8]*N /4", "x = f8 4", "m [f4]*B 4", "m [f4]*"] {
        let found = dudley_parser::check(format!("B : 8  N : 8\n{other}").as_bytes()).diagnostics;
        assert!(
            !found.iter().any(|it| it.help.as_deref().is_some_and(|it| it.contains("*("))),
            "{other}"
        );
    }
}

#[test]
fn addresses_and_extensions_that_are_computed_take_parentheses() {
    for (item, help) in [
        ("x = u1 @B *2", "`@(B *2)`"),
        ("x = u1 @B * 2 y = f8", "`@(B * 2)`"),
        ("x = u1 @B + 4", "`@(B + 4)`"),
        ("x = u1 @3/y=u1", "`@3/y` is one address"),
        ("x = u1 @B/d/y = u1", "`@B/d/y` is one address"),
        ("x = u1 @3/d/ y=u1", "a `/` that touches an address divides it"),
        ("m [f4]*0  m[B/4]", "`[(B/4)]`"),
        ("m [f4]*0  m[ B * 4 ]", "`[(B * 4)]`"),
        ("m [f4]*0  m[B+4]", "`[(B+4)]`"),
    ] {
        let found = dudley_parser::check(format!("B : 8\n{item}").as_bytes()).diagnostics;
        let helps: Vec<_> = found.iter().filter_map(|it| it.help.as_deref()).collect();
        assert!(helps.concat().contains(help), "{item}: {found:?}");
    }
    for other in ["x = u1 @8 /y=u1", "m [f4, / x=f8 4]", "x = f8[B] 4", "x = u1 @B y 4"] {
        let found = dudley_parser::check(format!("B : 8\n{other}").as_bytes()).diagnostics;
        let said = |it: &dudley_parser::Diagnostic| {
            it.help
                .as_deref()
                .is_some_and(|it| it.contains("parentheses") || it.contains("one address"))
        };
        assert!(!found.iter().any(said), "{other}: {found:?}");
    }
}

#[test]
fn the_kind_of_stream_is_said_of_the_layout() {
    for (text, code) in [
        ("#: stream = \"raw\"\nx = f8", ""),
        ("x = f8  #: stream = \"raw\"", "bad-stream"),
        ("d/  #: stream = \"native\"\n x = f8", "bad-stream"),
        // That of someone else.
        ("x = f8  #: stream = \"Rhine\"", ""),
    ] {
        let found = dudley_parser::check(text.as_bytes()).diagnostics;
        let codes: Vec<_> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes.concat(), code, "{text}");
    }
}
