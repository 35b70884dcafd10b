//! Are files updated as wished, and is there the old file or the new one whatever happens?

#[path = "../../dudley/tests/append/disk.rs"]
mod disk;
#[path = "update/files.rs"]
mod files;
#[path = "update/model.rs"]
mod model;
#[path = "update/torture.rs"]
mod torture;
