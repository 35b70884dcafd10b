//! Which structs have padding, how much and where? The numbers are from the rules by hand, as C has them.

use dudley_parser::padding::padded;
use dudley_parser::{check, check_raw};

fn found(text: &str) -> Vec<String> {
    let layout = check(text.as_bytes()).layout.expect(text);
    padded(&layout).iter().map(ToString::to_string).collect()
}

#[test]
fn gaps_are_named_with_their_lengths() {
    for (text, expected) in [
        ("t = {v = f4[9]  attr = u2}[3]", "`t` (1:5) has 2 bytes of padding at its end"),
        (
            "t = {a = u1  b = f8  c = u1}[3]",
            "`t` (1:5) has 7 bytes of padding before `b`, 7 bytes of padding at its end",
        ),
        ("t = {a = u1  e = f8[0]  b = u1}", "`t` (1:5) has 6 bytes of padding at its end"),
        ("N : 3\nt = {a = u1[N]  b = u4}", "`t` (2:5) has 1 byte of padding before `b`"),
        // Where a length is known to the stream only.
        ("N : u4\nt = {a = u1[N]  b = f8}", "`t` (2:5) has up to 7 bytes of padding before `b`"),
        ("N : u4\nt = {a = u4[N]  b = f8}", "`t` (2:5) has up to 4 bytes of padding before `b`"),
        (
            "t = {n : u1  x = f8[n]  z = u2}[3]",
            "`t` (1:5) has up to 7 bytes of padding before `x`, up to 1 byte of padding before `z`, up to 6 \
             bytes of padding at its end",
        ),
    ] {
        assert_eq!(found(text), [expected], "{text}");
    }
}

#[test]
fn each_struct_is_named_once() {
    let types =
        found("inner {p = u1  q = u4}\na = inner[2]  b = inner[3]\nc = {x = u2  y = inner}");
    assert_eq!(
        types,
        [
            "`inner` (1:7) has 3 bytes of padding before `q`",
            "`c` (3:5) has 2 bytes of padding before `y`"
        ]
    );
}

#[test]
fn what_is_packed_or_placed_has_none() {
    for text in [
        "t = {v = f4[9] %1  attr = u2 %1}[3]",
        "t = {a = u1  b = u1[7]  c = f8}[3]",
        "t = {a = u1 @0  b = f8 @1}[3]",
        "t = {a = u1  b = u1 %16}[3]",
        "a = u1  b = f8",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
    }
}

#[test]
fn check_warns_of_raw_streams_alone() {
    let text = b"t = {v = f4[9]  attr = u2}[3]";
    let codes =
        |found: Vec<dudley_parser::Diagnostic>| found.iter().map(|it| it.code).collect::<Vec<_>>();
    assert_eq!(codes(check_raw(text).diagnostics), ["raw-padding"]);
    assert!(codes(check(text).diagnostics).is_empty());
}

#[test]
fn what_is_asked_for_is_meant() {
    for text in [
        "t = {a = u4  b = u1} %4",
        "TEXT {n : u4  \"\" = U1[n]} %4\nt = TEXT[2]",
        "t = {a = u1  b = u4 %4  c = u4}",
    ] {
        assert_eq!(found(text), [""; 0], "{text}");
        // And it is not idle, as who leaves it out is warned.
        let layout = check(text.as_bytes()).layout.expect(text);
        let lints = dudley_parser::lint::lint(&layout);
        assert!(lints.iter().all(|lint| lint.code != "lint-align"), "{text}: {lints:?}");
    }
    // `%0` asks for nothing.
    assert_eq!(found("t = {a = u4  b = u1} %0"), ["`t` (1:5) has 3 bytes of padding at its end"]);
}
