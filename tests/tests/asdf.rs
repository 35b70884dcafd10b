//! Are ASDF and FINF files read and written right: those of a corpus, those that Python writes and reads,
//! damaged ones?

#[path = "asdf/corpus.rs"]
mod corpus;
#[path = "asdf/kinds.rs"]
mod kinds;
#[path = "asdf/python.rs"]
mod python;
#[path = "asdf/robust.rs"]
mod robust;
#[path = "asdf/values.rs"]
mod values;
#[path = "asdf/write.rs"]
mod write;
