//! What a stream should hold while it is extended again and again, and how that is checked.

use std::sync::Arc;

use dudley::append::Append;
use dudley::{Error, Open, Result, Stream, Writer, parse_layout};

use super::disk::{Disk, Random};

/// Elements of `r` in each record.
const WIDTH: usize = 24;

/// What was committed: some arrays, each followed by a list of records.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Model {
    /// Of each array its length, and how many records its list has.
    parts: Vec<(u64, u64)>,
}

/// Something that a writer does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// Adds an array of that length, and an empty list.
    Extend(u64),
    /// Adds this many records to the last list.
    Push(u64),
    /// Cuts the last list back to this many records, if it has more.
    Truncate(u64),
    /// Keeps this many bytes free.
    Reserve(u64),
    /// Opens the stream again.
    Reopen,
    /// Ends with a layout right behind the data.
    Close,
}

impl Action {
    pub(crate) fn any(random: &mut Random) -> Action {
        match random.below(9) {
            0 | 1 => Action::Extend(random.below(300)),
            2 => Action::Reserve(random.below(3000)),
            3 => Action::Reopen,
            4 => Action::Close,
            5 => Action::Push(500),
            6 => Action::Truncate(random.below(60)),
            _ => Action::Push(random.below(40)),
        }
    }
}

impl Model {
    /// A stream without anything in it but one list.
    pub(crate) fn start() -> (Model, Vec<u8>) {
        let layout = parse_layout(fragment(0, 2).as_bytes()).expect("a layout");
        let bytes = Writer::new(layout)
            .param("/N0", 0)
            .put("/a0", &[value(0, 0), value(0, 1)])
            .attach(true)
            .to_bytes()
            .expect("it fits");
        (Model { parts: vec![(2, 0)] }, bytes)
    }

    /// Does something, and says what is there if it succeeds.
    pub(crate) fn after(&self, action: Action) -> Model {
        let mut next = self.clone();
        match action {
            Action::Extend(length) => next.parts.push((length, 0)),
            Action::Push(records) => {
                if let Some(last) = next.parts.last_mut() {
                    last.1 += records;
                }
            }
            Action::Truncate(records) => {
                if let Some(last) = next.parts.last_mut() {
                    last.1 = last.1.min(records);
                }
            }
            Action::Reserve(_) | Action::Reopen | Action::Close => {}
        }
        next
    }

    /// Does it to a stream; gives its writer back, if there still is one.
    pub(crate) fn act(
        &self,
        append: Option<Append>,
        disk: &Disk,
        action: Action,
    ) -> Result<Option<Append>> {
        let mut append = match append {
            Some(append) => append,
            None => Append::storage(Arc::new(disk.clone()), None)?,
        };
        let last = self.parts.len() as u64 - 1;
        match action {
            Action::Extend(length) => {
                let part = last + 1;
                let values: Vec<f64> = (0..length).map(|at| value(part, at)).collect();
                let extension = append.extend(&fragment(part, length))?;
                extension
                    .param(format!("/N{part}"), 0)
                    .put(format!("/a{part}"), &values)
                    .commit()?;
            }
            Action::Push(more) => {
                let mut records = append.records(&format!("/hist{last}"))?;
                for _ in 0..more {
                    let at = records.len();
                    let r: Vec<f64> = (0..WIDTH).map(|_| value(last, at)).collect();
                    records.push(&[("t", value(last, at).into()), ("r", (&r).into())])?;
                }
                records.commit()?;
            }
            Action::Truncate(records) => {
                let there = self.parts.last().map_or(0, |last| last.1);
                append.truncate(&format!("/hist{last}"), records.min(there))?;
            }
            Action::Reserve(bytes) => append.reserve(bytes)?,
            Action::Reopen => return Ok(None),
            Action::Close => {
                append.close()?;
                return Ok(None);
            }
        }
        Ok(Some(append))
    }

    /// That a stream holds all of it, and nothing else.
    pub(crate) fn check(&self, stream: &Stream) -> Result<(), String> {
        let found = counts(stream, self.parts.len() as u64)?;
        if found != self.parts {
            return Err(format!("expected {:?}, found {found:?}", self.parts));
        }
        for (part, (length, records)) in (0..).zip(&self.parts) {
            let array = get(stream, &format!("/a{part}"))?;
            for at in 0..*length {
                same(array[at as usize], value(part, at))?;
            }
            let near_an_end = |at: &u64| *at < 3 || at + 3 >= *records || at.is_multiple_of(97);
            for at in (0..*records).filter(near_an_end) {
                same(get(stream, &format!("/hist{part}/{at}/t"))?[0], value(part, at))?;
                for element in get(stream, &format!("/hist{part}/{at}/r"))? {
                    same(element, value(part, at))?;
                }
            }
        }
        Ok(())
    }
}

/// That bytes are a stream that one of the models describes; which.
pub(crate) fn state_of<'m>(bytes: &[u8], models: &[&'m Model]) -> &'m Model {
    let stream = Open::new().bytes(bytes).expect("the stream opens");
    let wrong: Vec<String> = match models.iter().find(|model| model.check(&stream).is_ok()) {
        Some(model) => return model,
        None => models.iter().filter_map(|model| model.check(&stream).err()).collect(),
    };
    panic!("no committed state: {wrong:?}");
}

fn fragment(part: u64, length: u64) -> String {
    format!(
        "N{part} : i8\na{part} = f8[{length}]  ## (cm) array {part}\n\
         hist{part} = [/ t = f8  r = f8[{WIDTH}]]*N{part}"
    )
}

/// No two are the same.
fn value(part: u64, at: u64) -> f64 {
    part as f64 * 65536.0 + at as f64 + 0.5
}

fn same(found: f64, expected: f64) -> Result<(), String> {
    if found.to_bits() == expected.to_bits() {
        Ok(())
    } else {
        Err(format!("{found} is not {expected}"))
    }
}

fn get(stream: &Stream, path: &str) -> Result<Vec<f64>, String> {
    let read = stream.get(path).and_then(|item| item.read::<f64>());
    let array = read.map_err(|error: Error| format!("{path}: {error}"))?;
    Ok(array.into_iter().collect())
}

/// The lengths of the arrays and lists.
fn counts(stream: &Stream, at_least: u64) -> Result<Vec<(u64, u64)>, String> {
    let mut found = Vec::new();
    while stream.get(&format!("/a{}", found.len())).is_ok() || (found.len() as u64) < at_least {
        let part = found.len();
        let length = get(stream, &format!("/a{part}"))?.len() as u64;
        let records = stream.get(&format!("/hist{part}")).and_then(|list| list.len());
        found.push((length, records.map_err(|error| error.to_string())?));
    }
    Ok(found)
}
