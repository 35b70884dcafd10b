//! What the tests across the crates share: peers, the known layouts, the functions that are fuzzed.

pub mod command;
pub mod expressions;
pub mod fuzzed;
pub mod known;
pub mod markdown;
pub mod node;
pub mod presented;
pub mod python;
pub mod random;

// What tests of appending are made of is fuzzed too; it has more than that needs.
#[allow(dead_code)]
#[path = "../../dudley/tests/it/append/crash.rs"]
mod crash;
#[allow(dead_code)]
#[path = "../../dudley/tests/it/append/disk.rs"]
mod disk;
#[allow(dead_code)]
#[path = "../../dudley/tests/it/append/model.rs"]
mod model;

use std::path::{Path, PathBuf};

/// The Rust code that the README shows runs.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The Rust code that the first page for simulation codes shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/start/rust.md")]
pub struct StartPage;

/// The Rust code that the page on many ranks shows runs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/how-to/many-ranks.md")]
pub struct RanksPage;

/// The Rust code that the page on ASDF shows runs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/asdf.md")]
pub struct AsdfPage;

/// The Rust code that the page on HDF5 shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/hdf5.md")]
pub struct Hdf5Page;

/// The Rust code that the page on Blosc2 shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/blosc2.md")]
pub struct Blosc2Page;

/// The Rust code that the page on indices shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/index.md")]
pub struct IndexPage;

/// The Rust code that the guide shows runs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/api.md")]
pub struct ApiPage;

/// The Rust code that the page on checkpoints shows runs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/checkpoints.md")]
pub struct CheckpointsPage;

/// The Rust code that the page on layouts over the years shows runs.
#[cfg(doctest)]
#[doc = include_str!("../../docs/evolution.md")]
pub struct EvolutionPage;

/// The Rust code that the page on families shows compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/families.md")]
pub struct FamiliesPage;

/// The folder that the whole repository lies in.
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_path_buf()
}

/// Where builds go.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// Whether nothing may be skipped.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// A test that cannot run says why; under `CI=true` that is a failure.
///
/// # Panics
/// Under `CI=true`.
pub fn skip(why: &str) {
    assert!(!in_ci(), "must not be skipped under CI=true: {why}");
    eprintln!("skipped: {why}");
}
