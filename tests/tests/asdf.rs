//! Are ASDF and FINF files read and written right: those of a corpus, those that Python writes and reads,
//! damaged ones?

#[path = "asdf/corpus.rs"]
mod corpus;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../dudley/tests/append/disk.rs"]
mod disk;
#[path = "asdf/kinds.rs"]
mod kinds;
#[path = "asdf/listed.rs"]
mod listed;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../../asdf-bridge/tests/update/model.rs"]
mod model;
#[path = "asdf/python.rs"]
mod python;
#[path = "asdf/robust.rs"]
mod robust;
#[path = "asdf/updated.rs"]
mod updated;
#[path = "asdf/values.rs"]
mod values;
#[path = "asdf/write.rs"]
mod write;
