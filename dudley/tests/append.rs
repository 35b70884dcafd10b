//! Do streams grow in place, and is everything that was committed there whatever happens?

#[path = "append/crash.rs"]
mod crash;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "append/disk.rs"]
mod disk;
#[path = "append/extension.rs"]
mod extension;
#[path = "append/files.rs"]
mod files;
#[path = "append/full.rs"]
mod full;
#[path = "append/history.rs"]
mod history;
#[path = "append/indexed.rs"]
mod indexed;
#[path = "append/model.rs"]
mod model;
#[path = "append/over.rs"]
mod over;
#[path = "append/torture.rs"]
mod torture;
