//! Whatever the bytes: the parser ends, does not panic, and its spans lie within the text.

use dudley_parser::parse::{Parsed, parse};
use dudley_parser::span::Span;
use proptest::prelude::*;

fn check(bytes: &[u8]) -> Parsed<'_> {
    let parsed = parse(bytes);
    let fits = |span: Span| span.start <= span.end && parsed.text.get(span.range()).is_some();
    for found in &parsed.diagnostics {
        assert!(fits(found.primary.span), "{found:?}");
        assert!(found.secondary.iter().all(|label| fits(label.span)), "{found:?}");
    }
    assert!(parsed.ast.items.iter().all(|item| fits(item.span)), "{:?}", parsed.ast.items);
    assert!(parsed.ast.comments.iter().all(|comment| fits(comment.span)));
    assert!(parsed.ast.items.is_sorted_by_key(|item| item.span.start));
    assert!(bytes.starts_with(parsed.text.as_bytes()) || parsed.text.contains('?'));
    parsed
}

fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x",
        "N",
        "f8",
        "i4",
        "\"a b\"",
        "''",
        "\"",
        "'",
        "\\",
        "=",
        ":",
        ":=",
        "/",
        "..",
        ".",
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
        "|",
        "+",
        "-",
        "---\n",
        "-\n",
        "0",
        "3",
        "0x1f",
        "12ab",
        "1.5",
        "9999999999999999999",
        " ",
        "\n",
        "\r\n",
        "\t",
        "# c\n",
        "## doc\n",
        "#: a = 3\n",
        "é",
        "\0",
        ";",
        "\u{feff}",
        "x = f8[N]\n",
        "T {a = f8}\n",
        "l [f8]*",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn tokens(tokens in prop::collection::vec(token(), 0..40)) {
        check(tokens.concat().as_bytes());
    }

    #[test]
    fn spaced_tokens(tokens in prop::collection::vec(token(), 0..40)) {
        check(tokens.join(" ").as_bytes());
    }
}

/// A million of anything takes a moment, not a stack overflow and not the square of a million.
#[test]
fn masses() {
    const MANY: usize = if cfg!(debug_assertions) { 50_000 } else { 1_000_000 };
    let many = |text: &str| text.repeat(MANY);
    let texts = [
        many("["),
        many("]"),
        many("{"),
        many("x={"),
        many("x=[\n"),
        many("x = [\n"),
        many("[]"),
        many("\""),
        many("\"\n"),
        many("'\\"),
        many("-"),
        many("-\n;"),
        many("#"),
        many("#\n"),
        many("a/"),
        many(".."),
        many("x"),
        many("1"),
        many("<"),
        many("x y\n"),
        many("x = f8[3,]\n"),
        many("}\n"),
        many("[}"),
        many("({["),
        many("x=u1 "),
        many("\u{e9}"),
        many("@"),
        many("*"),
        format!("x = f8[N{}]", many("+1")),
        format!("x = f8[N{}]", many("+")),
        format!("x = f8[N{}]", many("+ ")),
        format!("l [{}]", many("f8,")),
        format!("l [{}", many("f8,")),
        format!("x = {{{}}}", many("a=f8 ")),
        format!("l [/{}]", many("a=f8 ")),
        format!("N : {}", many("0")),
        format!("N : {}", many("9")),
        format!("x = f8 -> f({})", many("1,")),
        format!("{}{}", many("["), many("]")),
        format!("x = {}", many("[\n]")),
        format!("x =\n{}", many("[#\n")),
        format!("\"{}\" = f8", many("\\q")),
        format!("x = f8 {}", many("@8 ")),
        many("\u{ff}\n"),
    ];
    for text in &texts {
        check(text.as_bytes());
    }
}

#[test]
fn nested_repeats_do_not_multiply() {
    for body in ["i1", "", "/ x = i1"] {
        let depth = 24;
        let text = format!(
            "x = i1 @999999999999999999\nl {}{body}{}",
            "[".repeat(depth),
            "]*5".repeat(depth)
        );
        // 5^24 repetitions one by one would never end.
        dudley_parser::check(text.as_bytes());
    }
}
