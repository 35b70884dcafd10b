//! Are files updated as wished, and is there the old file or the new one whatever happens?

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../dudley/tests/append/disk.rs"]
mod disk;
#[path = "update/files.rs"]
mod files;
#[path = "update/gaps.rs"]
mod gaps;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "update/model.rs"]
mod model;
#[path = "update/torture.rs"]
mod torture;
