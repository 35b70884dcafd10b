//! Values for `pack`: from the JSON of `dump`, from a folder of `.npy` files, from an `.npz`.

pub(crate) mod arrays;
mod by_name;
mod columns;
pub(crate) mod json;
mod lengths;
pub(crate) mod nested;
mod rows;
mod scan;
mod times;

use dudley::error::file_name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use dudley::model::Candidate;
use dudley::numpy::layout::path_of;
use dudley::numpy::{ArraySource, Kind};
use dudley::write::{Declared, Seen};
use dudley::{ByteOrder, Error, Input, Result, Stream, Supplied, Supply};
use dudley_parser::layout::{Layout, Param, Scope};

use crate::names::is_stdin;
use arrays::Named;
use dudley::numpy::Table;
use json::{Json, Long};
use nested::Nested;

/// Values by path.
#[derive(Default)]
pub(crate) struct Values {
    params: BTreeMap<String, i128>,
    /// Names of values that can only be params.
    named: BTreeSet<String>,
    items: BTreeMap<String, Input<'static>>,
    /// Long values, which stay text.
    long: BTreeMap<String, Long>,
    stated: rows::Stated,
    times: times::Times,
    /// The capacity of arrays of text.
    rooms: BTreeMap<String, lengths::Room>,
    nested: Option<Nested>,
    order: Option<ByteOrder>,
    raw: bool,
    /// The values are arrays with names instead of paths.
    by_name: bool,
    /// The lengths of lists for which columns are given.
    lengths: columns::Lengths,
}

impl Supply for Values {
    fn param(&self, path: &str) -> Option<i128> {
        let nested = || rows::integer(path, &self.nested.as_ref()?.param(path)?).ok();
        self.params.get(&*self.param_key(path)).copied().or_else(nested)
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        match &self.nested {
            None => {
                let path = &*self.item_key(path);
                let long = || Some(Supplied::Items(Box::new(self.long.get(path)?.clone())));
                self.items.get(path).map(Supplied::from).or_else(long)
            }
            Some(nested) => Some(match nested.item(path)? {
                Json::Long(long) => Supplied::Items(Box::new(long)),
                short => Supplied::Value(Cow::Owned(short.value())),
            }),
        }
    }

    fn check_param(&self, path: &str, declared: &Param) -> Result<()> {
        if let Some(value) = self.nested.as_ref().and_then(|nested| nested.named(path)) {
            rows::integer(path, &value)?;
        }
        self.stated.check_param(path, declared)
    }

    fn check_item(&self, path: &str, declared: &Declared<'_>) -> Result<()> {
        self.times.check_item(&self.item_key(path), declared)?;
        self.stated.check_item(path, declared)
    }

    fn unused(&self, seen: &Seen) -> Vec<String> {
        let seen_items: BTreeSet<_> = seen.items.iter().map(|path| self.item_key(path)).collect();
        let seen_params: BTreeSet<_> =
            seen.params.iter().map(|path| self.param_key(path)).collect();
        // An array of one integer may be a param or an item.
        let as_param =
            |path: &String| self.params.contains_key(path) && seen_params.contains(&**path);
        let items = self.items.keys().chain(self.long.keys());
        let items = items.filter(|path| !seen_items.contains(&***path) && !as_param(path));
        let params = self.named.iter().filter(|path| !seen_params.contains(&***path));
        let nested = self.nested.iter().flat_map(|nested| nested.unused(seen));
        items.chain(params).cloned().chain(nested).collect()
    }
}

impl Values {
    /// The values that a file or folder has for the declarations of a layout.
    ///
    /// # Errors
    /// If it cannot be read, or has no format that `pack` accepts.
    pub(crate) fn read(path: &Path, layout: &Layout) -> Result<Values> {
        let candidate = if is_stdin(path) {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.map_err(|error| Error::io(format!("cannot read `{}`", file_name(&path)), error))?;
            Candidate::source("standard input", bytes, 0)
        } else {
            Candidate::file(path, 0)?
        };
        match arrays::kind(&candidate)? {
            Some(Kind::File) => {
                let why = "one array without a path: put it in a folder or an .npz archive";
                Err(bad(&file_name(&path), why))
            }
            Some(kind) => Values::from_arrays(arrays::of(kind, &candidate)?, layout),
            None => {
                let source = candidate.bytes()?;
                let mut bytes = vec![0; source.len() as usize];
                source.read_at(0, &mut bytes)?;
                let json = Json::read(bytes);
                let json = json.map_err(|error| bad(&file_name(&path), error.to_string()))?;
                Values::from_json(json)
            }
        }
    }

    /// The value of an item.
    pub(crate) fn set_item(&mut self, path: String, input: Input<'static>) {
        self.items.insert(path, input);
    }

    /// Sets params that override the data, and takes missing ones from the lengths of arrays.
    ///
    /// # Errors
    /// If there is no such param; if the data has a value for it that is no integer, or also belongs to another
    /// param; if a length should give it, and no value has this length.
    pub(crate) fn complete(&mut self, layout: &Layout, params: &[(String, i128)]) -> Result<()> {
        for (name, value) in params {
            self.set_param(layout.param_path(dudley::read::path::param(layout, name)?), *value);
        }
        self.check_names(layout)?;
        self.check_bare_params(layout)?;
        self.infer_params(layout)?;
        self.infer_repeats(layout)
    }

    /// Checks that the value under the plain name of a param is an integer, if no item has this
    /// name.
    fn check_bare_params(&self, layout: &Layout) -> Result<()> {
        let Some(nested) = &self.nested else { return Ok(()) };
        for (id, param) in layout.params() {
            let Scope::Dict(dict) = param.scope else { continue };
            let path = layout.param_path(id);
            if layout.entry(dict, param.name).is_none()
                && !self.params.contains_key(&path)
                && let Some(value) = nested.item(&path)
            {
                rows::integer(&path, &value)?;
            }
        }
        Ok(())
    }

    /// Uses nested data of lists of a stream for the added items.
    ///
    /// # Errors
    /// If the length of a list cannot be read.
    pub(crate) fn add_behind(&mut self, stream: &Stream) -> Result<()> {
        self.nested.as_mut().map_or(Ok(()), |nested| nested.behind(stream))
    }

    /// Sets a param, which overrides the data.
    pub(crate) fn set_param(&mut self, path: String, value: i128) {
        self.stated.forget_param(&path);
        let path = self.param_key(&path).into_owned();
        self.named.insert(path.clone());
        self.params.insert(path, value);
    }

    /// The byte order of the stream that the data was dumped from.
    pub(crate) fn order(&self) -> Option<ByteOrder> {
        self.order
    }

    /// Whether the stream that the data was dumped from had no signature.
    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// The rows of `dump`, or its nested form.
    ///
    /// # Errors
    /// If the JSON is neither.
    fn from_json(json: Json) -> Result<Values> {
        match rows::are_rows(&json) {
            true => Values::from_rows(&json),
            false if json.is_object() => {
                Ok(Values { nested: Some(Nested::new(json)), ..Values::default() })
            }
            false => Err(bad("/", "JSON that is no object")),
        }
    }

    /// The values that arrays of numpy have for the declarations of a layout; columns of a list are for its
    /// items.
    pub(crate) fn from_arrays(arrays: Vec<Named>, layout: &Layout) -> Result<Values> {
        let mut values = Values { by_name: true, ..Values::default() };
        let mut lengths = columns::Lengths::new();
        for array in arrays {
            columns::apart(layout, array, &mut lengths, &mut |array| values.add_array(array))?;
        }
        values.lengths = lengths;
        Ok(values)
    }

    fn add_array(&mut self, array: Named) -> Result<()> {
        let Named { parts, param, source, .. } = array;
        let path = path_of(&parts);
        if param {
            let value = source.integer()?.ok_or_else(|| {
                unlike(&path, "one integer, as a param is", "an array, or another type")
            })?;
            self.params.insert(path.clone(), value);
            return if self.named.insert(path.clone()) { Ok(()) } else { Err(rows::twice(&path)) };
        }
        self.times.add(&path, &source);
        self.rooms.extend(lengths::Room::of(&source).map(|room| (path.clone(), room)));
        if let (Some(value), false) = (source.integer()?, self.named.contains(&path)) {
            self.params.insert(path.clone(), value);
        }
        match self.items.insert(path.clone(), input_of(source)?) {
            None => Ok(()),
            Some(_) => Err(rows::twice(&path)),
        }
    }
}

/// Arrays of numpy with their names, as they are written: `/`-separated in folders.
///
/// # Errors
/// If one is of a type that no stream has.
pub(crate) fn inputs(arrays: Vec<Named>) -> Result<Vec<(String, Input<'static>)>> {
    let named = |it: Named| Ok((it.parts.join("/"), input_of(it.source)?));
    arrays.into_iter().map(named).collect()
}

fn input_of(source: ArraySource) -> Result<Input<'static>> {
    Ok(match source.value()? {
        Some(value) => Input::Value(value),
        None if source.is_struct() => Input::Rows(Box::new(Table::new(source))),
        None => Input::Typed(Box::new(source)),
    })
}

fn bad(what: &str, why: impl Into<String>) -> Error {
    unlike(what, "values as `dump` prints them, or .npy arrays", why)
}

fn unlike(what: &str, expected: &str, found: impl Into<String>) -> Error {
    Error::WrongValue {
        item: dudley::error::Item::new(what),
        expected: expected.into(),
        found: found.into().into(),
    }
}
