//! Do streams grow in place, and is everything that was committed there whatever happens?

mod crash;
#[expect(dead_code, reason = "other tests use the rest")]
mod disk;
mod extension;
mod files;
mod full;
mod history;
mod indexed;
mod model;
mod over;
mod rows;
mod torture;
