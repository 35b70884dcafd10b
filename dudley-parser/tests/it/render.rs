//! How diagnostics look: typical ones, and texts that try to break the terminal.

use dudley_parser::render::{Style, render};
use dudley_parser::{Severity, check};

fn shown(text: impl AsRef<[u8]>) -> String {
    let checked = check(text.as_ref());
    let found: Vec<_> =
        checked.diagnostics.iter().filter(|d| d.severity > Severity::Note).cloned().collect();
    render(&found, &checked.text, "a.dud", Style::Plain)
}

macro_rules! snapshots {
    ($($name:ident $text:expr;)*) => {
        $(#[test] fn $name() {
            insta::assert_snapshot!(shown($text));
        })*
    };
}

snapshots! {
    unknown_type "x = f9";
    unknown_type_is_param "N : 3\nx = N";
    unknown_param "IMAX : i8\nx = f8[IMAXX]";
    unknown_param_of_type "T {a = f8[N]}\n\n\nx = T";
    data_item_as_param "N = i4\nx = f8[N]";
    data_item_as_param_below "M : i4\nN0 = i4\nl [/ x = f8[N0]]*2\ng/ T {x = f8[N0]}  t = T\n";
    data_item_as_param_in_struct "s = {N = i4  x = {y = f8[N]}}";
    declared_twice "x = f8\ny = i4\nx = i4";
    declared_twice_far_apart format!("x = f8\n{}x = i4", "# line\n".repeat(60));
    kind_clash "x = f8  x/ y = f8";
    type_twice "T {a = f8}\nT {b = f8}";
    group_without_beginning ": a = 1\n{\n  N : i8\n}\nx = f8[N]\n";
    unclosed_bracket "x = [f8\ny = f8\n";
    unterminated_name "x = f8 \"abc";
    missing_at_end "x =";
    data_with_colon "x : f8";
    text_without_shape "title = S1";
    empty_shape "x = f8[]";
    bad_suffix "N : 3 x = f8[N+-]";
    bad_align "x = f8 %12";
    bad_escape r#""a\qb" = f8"#;
    number_too_large "N : 9223372036854775808";
    below_zero "N : 3\nx = f8[N-4]";
    path_goes_on "a/b/x = f8\ny = f8";
    dotdot_slash "a/b/x = f8\n../y = f8";
    overlap "x = f8 @32\ny = f8 @36";
    summary "{ time : f8 }\nx = f8 @64";
    several_errors "x = f9\ny = f8[Q]\nz = f8 %3\nN : -2\nw = S1\n";
    bad_attribute "x = f8  #: = 3";
    attribute_without_equals "x = i4  #: const 3";
    constant_without_equals "x = S1[4]  #: const \"SCAN\"";
    foreign_comment "x = f8  // the wind speed, in m/s\n//y\ny = f8 /* (K) */\nz = f9  ! (K)";
    foreign_ends "N : i8;\nx = f8[N];\ny = f8;";
    foreign_shape "x = f8(3)\nT {a = f8(3)}\nl [f8(3)]";
    foreign_struct "struct pair {\n  a = f8\n}\nT {f8 a  double b}\nint n\nx = pair";
    unknown_sizes "a = i3\nb = u3[4]\nc = f16x\nd = S8\ne = b2\nN : i3\nl [c3]\ni9 {a = f8}\ng = i10";
    invalid_utf8 b"x = f8\ny \xff= f8";
    byte_order_mark "\u{feff}x = f9";
    carriage_returns "x = f8\ry = f9\rz = f8";
    crlf "x = f8\r\ny = f9\r\nz = f8";
    tabs "x\t=\tf9\t# comment";
    wide_characters "\"日本\" = f9 \"é\" = f9";
    long_line format!("x = f8 y = f9 {}", "# long ".repeat(60));
    marker_far_in_a_long_line (format!("{}y = f9 #{}", "..  ".repeat(100), "-".repeat(500)))
        .replace("..", "\"\" : 1");
    two_places_in_a_long_line format!("x = f8 {} x = f8", "N : 1 ".repeat(100));
    control_characters "\"a\u{1b}[31mb\u{7}\u{9b}\u{202e}c\" = f9 \u{0}";
}

#[test]
fn nothing_escapes() {
    let text = "\"\u{1b}]0;t\u{7}\u{202e}\u{9b}\" = f8[\"\u{1b}[2J\"]\n\"\u{1b}[2J\" = \u{1b}";
    let checked = check(text.as_bytes());
    assert!(!checked.diagnostics.is_empty());
    let plain = render(&checked.diagnostics, &checked.text, "\u{1b}[2J\n", Style::Plain);
    let bad = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!plain.contains(bad), "{plain:?}");
    let colored = render(&checked.diagnostics, &checked.text, "a.dud", Style::Colored);
    assert!(colored.contains("\u{1b}["));
    assert!(!colored.contains("\u{1b}[2J") && !colored.contains("\u{1b}]"));
}

#[test]
fn many_diagnostics_in_one_long_line() {
    let text = "x = f9 ".repeat(20_000);
    let checked = check(text.as_bytes());
    assert!(checked.diagnostics.len() >= 10_000);
    let shown = render(&checked.diagnostics, &checked.text, "a.dud", Style::Plain);
    assert!(shown.contains("a.dud:1:5\n"));
}
