//! Are ASDF and FINF files read right: those of a corpus, those that Python writes, damaged ones?

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
