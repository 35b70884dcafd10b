//! Are members found, picked, placed and read through a catalog, whatever became of their files?

mod conditions;
mod make;
mod many;
mod members;
mod reading;
mod updates;
