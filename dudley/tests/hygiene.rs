//! Is what the derive expands to at home anywhere: without a prelude, under another name of the
//! crate, beside names that mean something else, and without a warning of clippy?

#![no_implicit_prelude]
#![deny(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

extern crate dudley as engine;
extern crate std;

/// Everything that the expansion could take for something else.
#[allow(non_camel_case_types, dead_code)]
mod clash {
    pub(super) struct Result;
    pub(super) struct Option;
    pub(super) struct Vec;
    pub(super) struct String;
    pub(super) struct str;
    pub(super) struct u8;
    pub(super) struct usize;
    pub(super) mod core {}
    pub(super) trait Clone {}
}

#[allow(unused_imports)]
use clash::*;

/// A kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, engine::Dudley)]
#[dudley(crate = "engine")]
#[repr(i16)]
pub enum Kind {
    /// One.
    One = -1,
    /// Another.
    Other,
}

/// A record.
#[derive(Clone, Copy, Debug, PartialEq, engine::Dudley)]
#[dudley(record, crate = "engine", align = 16)]
pub struct Point {
    /// Where.
    pub to: [f32; 2],
    /// What.
    pub kind: Kind,
    /// Not stored.
    #[dudley(skip)]
    pub skipped: i32,
}

/// A dict.
#[derive(Clone, Debug, PartialEq, engine::Dudley)]
#[dudley(crate = "engine", parts = "Lazy")]
pub struct State {
    /// A field named as a variable of the expansion.
    pub dict: f64,
    /// As another.
    pub item: std::vec::Vec<Point>,
    /// As a third.
    #[dudley(shape = "HAS, N")]
    pub to: std::option::Option<std::vec::Vec<i32>>,
    /// As a method.
    pub of: std::vec::Vec<Inner>,
}

/// What is repeated.
#[derive(Clone, Debug, Default, PartialEq, engine::Dudley)]
#[dudley(crate = "::engine")]
pub struct Inner {
    name: std::string::String,
}

/// Nothing at all.
#[derive(Debug, engine::Dudley)]
#[dudley(crate = "engine")]
struct Nothing {}

/// With params of its type.
#[derive(Debug, PartialEq, engine::Dudley)]
#[dudley(crate = "engine")]
pub struct Generic<T: std::cmp::PartialEq, const N: std::primitive::usize> {
    /// Where.
    pub to: [T; N],
}

#[test]
fn it_runs() {
    use engine::Dudley;
    use std::assert_eq;

    let point = Point { to: [1.0, 2.0], kind: Kind::Other, skipped: 0 };
    let state = State {
        dict: 1.0,
        item: std::vec![point, point],
        to: std::option::Option::None,
        of: std::vec![Inner { name: std::borrow::ToOwned::to_owned("a") }],
    };
    let bytes = state.to_bytes().expect("written");
    assert_eq!(State::from_bytes(bytes).expect("read"), state);
    let bytes = Nothing {}.to_bytes().expect("written");
    assert_eq!(std::format!("{:?}", Nothing::from_bytes(bytes).expect("read")), "Nothing");
    let generic = Generic { to: [1_u8, 2] };
    let bytes = generic.to_bytes().expect("written");
    assert_eq!(Generic::from_bytes(bytes).expect("read"), generic);
}
