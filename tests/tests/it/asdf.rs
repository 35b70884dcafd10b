//! Are ASDF and FINF files read and written right: those of a corpus, those that Python writes and reads,
//! damaged ones?

mod corpus;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../../dudley/tests/it/append/disk.rs"]
mod disk;
mod kinds;
mod listed;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../../asdf-bridge/tests/it/update/model.rs"]
mod model;
mod python;
mod robust;
mod updated;
mod values;
mod write;
