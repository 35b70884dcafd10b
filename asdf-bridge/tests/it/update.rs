//! Are files updated as wished, and is there the old file or the new one whatever happens?

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../../dudley/tests/it/append/disk.rs"]
mod disk;
mod files;
mod gaps;
#[expect(dead_code, reason = "other tests use the rest")]
mod model;
mod torture;
