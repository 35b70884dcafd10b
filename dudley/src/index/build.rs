//! An index made of a stream: what can be found, what that depends on, and checksums.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use dudley_parser::layout::excerpt::{Excerpt, Excerpts, Subject};
use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{ArrayId, DictId, Element, Layout, ParamId, Step};
use dudley_parser::resolve::{Fault as Unread, ParamAt, Resolver, State, Values};

use super::format::{Entry, Extent, Guard, Head, UNGUARDED, bucket_count, bucket_of, hash_of};
use crate::error::{Error, Result};
use crate::read::stream::{Stream, StreamValues};

/// The tables of an index.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) buckets: Vec<u32>,
    pub(super) entries: Vec<Entry>,
    pub(super) heads: Vec<Head>,
    pub(super) places: Vec<u64>,
    pub(super) head_text: String,
    pub(super) guards: Vec<Guard>,
    pub(super) extents: Vec<Extent>,
}

/// Makes the tables of a stream with its layout, and these checksums.
///
/// # Errors
/// If something cannot be read; [`Error::TooLarge`] for more than the tables can hold. What cannot be
/// placed is not in them.
pub(super) fn tables(stream: &Stream, extents: Vec<Extent>) -> Result<Tables> {
    let (addresses, guards) = addresses(stream);
    let mut build = Build {
        layout: stream.layout(),
        excerpts: Excerpts::new(stream.layout()),
        addresses,
        known: HashMap::new(),
        tables: Tables { guards, ..Tables::default() },
    };
    for &step in stream.layout().root() {
        build.step(step)?;
    }
    Ok(Tables { extents, ..build.finish()? })
}

/// Where the steps of the root lie, and what of the stream was read to find that out.
fn addresses(stream: &Stream) -> (Vec<Option<u64>>, Vec<Guard>) {
    let layout = stream.layout();
    let recorder = Recorder {
        stored: StreamValues { source: stream.source(), order: stream.order() },
        after: Cell::new(0),
        seen: RefCell::new(HashSet::new()),
        guards: RefCell::new(Vec::new()),
    };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, stream.given(), &recorder, &mut state);
    let mut addresses = Vec::with_capacity(layout.root().len());
    for (at, &step) in layout.root().iter().enumerate() {
        recorder.after.set(offset(layout, step));
        addresses.push(resolver.step_address(at).ok());
    }
    (addresses, recorder.guards.into_inner())
}

/// Where a step of the root is declared, in bytes of the text.
fn offset(layout: &Layout, step: Step) -> u32 {
    match step {
        Step::Param(id) => layout[id].span.start,
        Step::Array(id) => layout[id].span.start,
        Step::Repeat(id) => layout[id].span.start,
        Step::Group(id) | Step::Enter(id) => layout[id].span.start,
    }
}

/// Gives values of the stream, and notes where they stand.
struct Recorder<'s> {
    stored: StreamValues<'s>,
    /// Where the step is declared that is being placed.
    after: Cell<u32>,
    seen: RefCell<HashSet<u64>>,
    guards: RefCell<Vec<Guard>>,
}

impl Recorder<'_> {
    fn note(&self, address: u64, size: usize) {
        let mut bytes = [0; 8];
        if self.stored.source.read_at(address, &mut bytes[..size]).is_ok()
            && self.seen.borrow_mut().insert(address)
        {
            let (size, after) = (size as u32, self.after.get());
            self.guards.borrow_mut().push(Guard { address, bytes, size, after });
        }
    }
}

impl Values for Recorder<'_> {
    fn param(&self, at: &ParamAt) -> std::result::Result<i128, Unread> {
        self.note(at.address, at.primitive.size() as usize);
        self.stored.param(at)
    }

    fn stored(&self, array: ArrayId, address: u64) -> std::result::Result<u64, Unread> {
        self.note(address, 8);
        self.stored.stored(array, address)
    }
}

struct Build<'l> {
    layout: &'l Layout,
    excerpts: Excerpts<'l>,
    /// Of the steps of the root.
    addresses: Vec<Option<u64>>,
    /// The heads so far, by text and addresses.
    known: HashMap<(String, Vec<u64>), u32>,
    tables: Tables,
}

impl Build<'_> {
    /// Enters what a step of the root declares.
    fn step(&mut self, step: Step) -> Result<()> {
        let layout = self.layout;
        match step {
            Step::Param(id) => self.param(id),
            Step::Array(id) if layout[id].spliced => self.spliced(id),
            Step::Array(id) => {
                let Some(dict) = layout[id].dict else { return Ok(()) };
                let path = self.path(dict, "", layout.name(layout[id].name));
                self.enter(&[path], Subject::Array(id), step)
            }
            Step::Repeat(id) => {
                let list = &layout[layout[id].list];
                if list.pieces.first() != Some(&id) {
                    return Ok(());
                }
                let path = self.path(list.dict, "", layout.name(list.name));
                let last = list.pieces.last().copied().unwrap_or(id);
                self.enter(&[path], Subject::List(layout[id].list), Step::Repeat(last))
            }
            Step::Group(_) | Step::Enter(_) => Ok(()),
        }
    }

    fn param(&mut self, id: ParamId) -> Result<()> {
        let path = self.layout.param_path(id);
        self.enter(&[crate::read::path::of_param(&path)], Subject::Param(id), Step::Param(id))
    }

    /// The members of a record that stand for items of its dict (spec 3.10).
    fn spliced(&mut self, id: ArrayId) -> Result<()> {
        let layout = self.layout;
        let (Some(dict), Element::Record(record)) = (layout[id].dict, layout[id].element) else {
            return Ok(());
        };
        let members = layout.run(layout[record].members).iter();
        let paths: Vec<String> = members
            .filter_map(|member| layout.presented_member(*member))
            .map(|(member, _)| self.path(dict, "", layout.name(member)))
            .collect();
        self.enter(&paths, Subject::Array(id), Step::Array(id))
    }

    fn path(&self, dict: DictId, mark: &str, name: &str) -> String {
        let mut path = self.layout.dict_path(dict);
        if path != "/" {
            path.push('/');
        }
        path.push_str(mark);
        push_name(&mut path, name);
        path
    }

    /// Enters the paths of a subject; nothing of what cannot be placed.
    fn enter(&mut self, paths: &[String], subject: Subject, step: Step) -> Result<()> {
        let excerpt = self.excerpts.of(subject);
        let Some(mut places) = self.places(&excerpt) else { return Ok(()) };
        let address = places.pop().unwrap_or(0);
        let (at, length) = match excerpt.own {
            Some(own) => (own.start, own.end - own.start),
            None => (offset(self.layout, step), 0),
        };
        let unguarded = if excerpt.explicit { UNGUARDED } else { 0 };
        let head = self.head(excerpt.head, places)? | unguarded;
        let entry = |path: &String| Entry { hash: hash_of(path), head, address, at, length };
        self.tables.entries.extend(paths.iter().map(entry));
        Ok(())
    }

    /// Where the steps of an excerpt lie that take place in the stream.
    fn places(&self, excerpt: &Excerpt) -> Option<Vec<u64>> {
        let steps = excerpt.steps.iter().map(|at| (*at, self.layout.root()[*at]));
        steps
            .filter(|(_, step)| self.layout.takes_place(*step))
            .map(|(at, _)| self.addresses[at])
            .collect()
    }

    /// The number of a head, a new one if there was none like it.
    fn head(&mut self, text: String, places: Vec<u64>) -> Result<u32> {
        let key = (text, places);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let tables = &mut self.tables;
        let number = self.known.len() as u32;
        tables.heads.push(Head {
            text: short(tables.head_text.len())?,
            place: short(tables.places.len())?,
        });
        tables.head_text.push_str(&key.0);
        tables.places.extend(&key.1);
        self.known.insert(key, number);
        Ok(number)
    }

    fn finish(self) -> Result<Tables> {
        let mut tables = self.tables;
        // What nothing is declared behind may change, such as the number of records of a last list.
        let guarded = tables.entries.iter().filter(|entry| entry.head & UNGUARDED == 0);
        let last = guarded.map(|entry| entry.at).max().unwrap_or(0);
        tables.guards.retain(|guard| guard.after < last);
        let end = Head { text: short(tables.head_text.len())?, place: short(tables.places.len())? };
        tables.heads.push(end);
        // What follows is to be aligned wherever it begins.
        while !tables.head_text.len().is_multiple_of(8) {
            tables.head_text.push('\n');
        }
        tables.entries.sort_unstable_by_key(|entry| (entry.hash, entry.at));
        let count = bucket_count(tables.entries.len());
        let first =
            |bucket| tables.entries.partition_point(|it| bucket_of(it.hash, count) < bucket);
        tables.buckets = (0..=count).map(|bucket| short(first(bucket))).collect::<Result<_>>()?;
        Ok(tables)
    }
}

/// A number of the tables. Heads have one bit to themselves.
fn short(number: usize) -> Result<u32> {
    match u32::try_from(number) {
        Ok(short) if short < UNGUARDED => Ok(short),
        _ => Err(Error::too_large(number as u64)),
    }
}
