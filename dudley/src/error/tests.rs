//! What errors say, and what they know.

use super::*;

#[test]
fn the_innermost_item_and_the_outermost_address_win() {
    let error = Error::truncated(100, 8, 0).of_item("/a/b").of_item("/a");
    assert_eq!(error.item(), Some("/a/b"));
    assert_eq!(error.map_address(|a| a - 64).address(), Some(36));
    let io = Error::io("cannot open `x`", io::Error::from(io::ErrorKind::NotFound));
    assert_eq!((io.item(), io.address()), (None, None));
    assert!(io.of_item("/a").to_string().starts_with("cannot open `x`: "));
}

#[test]
fn checksums_and_indices_say_where_and_what() {
    let item = Item::new("/rho");
    let error = Error::Checksum { item, address: 16, length: 1, expected: 0x1f, found: 2 };
    assert_eq!(
        error.to_string(),
        "`/rho`: 1 byte at address 16: expected checksum 0000001f, found 00000002"
    );
    let fault = crate::index::Fault::Stale;
    let (expected, found) = ("a layout of 9 bytes".into(), "one of 8".into());
    let error = Error::Index { fault, address: 64, expected, found };
    assert_eq!(
        error.to_string(),
        "the index at address 64: expected a layout of 9 bytes, found one of 8"
    );
    assert_eq!(error.map_address(|a| a + 1).address(), Some(65));
}

#[test]
fn stores_are_quoted() {
    let fault = || StoreFault::Short { found: 1 };
    let error = Error::Store { object: "a/b.bd".into(), range: 16..24, fault: fault() };
    let text = "cannot read bytes 16 to 23 of `a/b.bd`: the store gave 1 byte";
    assert_eq!(error.to_string(), text);
    let fault = StoreFault::Changed { what: "7 bytes, not 8".into() };
    let error = Error::Store { object: "a/b.bd".into(), range: 0..0, fault };
    let text = "cannot read `a/b.bd`: the object has changed since it was opened: it has 7 \
        bytes, not 8";
    assert_eq!(error.to_string(), text);
    let (address, why) = ("x:".into(), "it is empty".into());
    let error = Error::StoreAddress { address, why };
    assert_eq!(error.to_string(), "`x:` cannot be opened: it is empty");
    assert_eq!(Error::Cancelled.to_string(), "the read was cancelled");
}

#[test]
fn files_among_many_are_named() {
    let bad = |name: &str| (std::path::PathBuf::from(name), Error::NoLayout);
    let one = Error::Files { failed: vec![bad("a.bd")] }.to_string();
    assert!(one.starts_with("a.bd: no layout"), "{one}");
    let many = (0..20).map(|at| bad(&format!("{at}.bd"))).collect();
    let many = Error::Files { failed: many }.to_string();
    assert!(many.starts_with("20 files: 0.bd: no layout"), "{many}");
    assert!(many.ends_with("and 12 more"), "{many}");
    let unlike = Error::Unlike {
        item: Item::UNKNOWN,
        first: 0,
        expected: "<f8[3]".into(),
        other: 7,
        found: "<f8[4]".into(),
    };
    assert_eq!(
        unlike.of_item("/x").to_string(),
        "`/x`: members differ: member 0 has <f8[3], member 7 has <f8[4]"
    );
    let stale = Error::Stale { expected: "40 bytes".into(), found: "32 bytes".into() };
    assert_eq!(
        stale.to_string(),
        "it changed since the catalog was made: expected 40 bytes, found 32 bytes"
    );
    let why = "expected a value".into();
    let bad = Error::BadCondition { text: "time >".into(), column: 7, why, is_text: true };
    assert_eq!(bad.to_string(), "bad condition, at character 7: expected a value");
    let none = Error::NoSuchMember { member: 9, count: 3 };
    assert_eq!(none.to_string(), "there is no member 9: the catalog has 3");
    let start = Error::BadStart { start: 8 }.to_string();
    assert_eq!(
        start,
        "a member cannot begin at byte 8: members begin at multiples of 16, the next of which is 16, 8 \
         bytes on"
    );
    let step = Error::BadStep { step: 0 }.to_string();
    assert!(step.starts_with("members cannot begin 0 bytes apart"), "{step}");
    let no = Error::NotCatalog { why: "it has no `/kind`".into() }.to_string();
    assert_eq!(no, "no catalog of a family: it has no `/kind`");
}

#[test]
fn results_carry_errors_cheaply() {
    assert!(size_of::<Error>() <= 96, "{}", size_of::<Error>());
}
