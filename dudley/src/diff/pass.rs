//! Two streams visited side by side, by the paths of their items.

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::path::push_name;

use super::elements::{self, How, of};
use super::names::Names;
use super::values::Fields;
use super::{Diff, Difference, Found, times, wide};
use crate::elements::scalar::Form;
use crate::error::{Context, Result};
use crate::read::data::{Data, Elements};
use crate::read::dtype::Dtype;
use crate::read::item::{Item, ItemKind};
use crate::read::leaves::Walk;

/// What a layout says of an item, or a field of one.
struct Stated<'a> {
    unit: Option<&'a str>,
    attributes: &'a [Attribute],
}

impl<'a> Stated<'a> {
    fn of_item(item: &'a Item) -> Stated<'a> {
        Stated { unit: item.unit(), attributes: item.attributes() }
    }

    fn of_data(data: &'a Data) -> Stated<'a> {
        Stated { unit: data.unit(), attributes: data.attributes() }
    }
}

/// One comparison.
pub(super) struct Pass<'p, 'f> {
    pub(super) diff: &'p Diff,
    /// What else patterns know by the paths that it visits.
    pub(super) names: Names,
    pub(super) found: &'p mut Found<'f>,
    pub(super) progress: &'p mut dyn FnMut(u64),
}

impl Pass<'_, '_> {
    fn tell(&mut self, difference: Difference) {
        (self.found)(Ok(difference));
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.diff.is_one_ignored(&self.names.all(path))
    }

    /// Whether to go on in a list: neither stream has ended.
    pub(super) fn items(&mut self, a: &Item, b: &Item) -> bool {
        if self.is_ignored(a.path()) {
            return true;
        }
        if a.kind() != b.kind() {
            let (path, a, b) = (a.path().to_owned(), a.kind().as_str(), b.kind().as_str());
            self.tell(Difference::Kind { path, a, b });
            return true;
        }
        if self.diff.attributes {
            self.attributes(a.path(), &Stated::of_item(a), &Stated::of_item(b));
        }
        let done = match a.kind() {
            ItemKind::Dict => Ok(self.dicts(a, b)),
            ItemKind::List => self.lists(a, b),
            ItemKind::Data => self.both_data(a, b).map(|()| true),
            ItemKind::Param => self.params(a, b).map(|()| true),
        };
        done.unwrap_or_else(|error| {
            let goes_on = !error.is_truncated();
            (self.found)(Err(error));
            goes_on
        })
    }

    fn both_data(&mut self, a: &Item, b: &Item) -> Result<()> {
        let (one, other) = (of(a.stream(), a.data())?, of(b.stream(), b.data())?);
        of(a.stream(), one.check_there())?;
        of(b.stream(), other.check_there())?;
        self.whole(a.path(), &one, &other)
    }

    fn dicts(&mut self, a: &Item, b: &Item) -> bool {
        let mut goes_on = true;
        let params = [a.params(), b.params()];
        let [first, second] = &params;
        for param in first {
            let same = second.iter().find(|other| other.path() == param.path());
            match same {
                Some(other) => goes_on &= self.items(param, other),
                None => self.only_item(param, true),
            }
        }
        for param in second {
            if !first.iter().any(|other| other.path() == param.path()) {
                self.only_item(param, false);
            }
        }
        for name in a.names() {
            match (a.child(&name), b.child(&name)) {
                (Some(one), Some(other)) => goes_on &= self.items(&one, &other),
                (Some(one), None) => self.only_item(&one, true),
                _ => {}
            }
        }
        for name in b.names() {
            if let (None, Some(other)) = (a.child(&name), b.child(&name)) {
                self.only_item(&other, false);
            }
        }
        goes_on
    }

    fn only_item(&mut self, item: &Item, first: bool) {
        self.only(item.path().to_owned(), first, item.kind().as_str());
    }

    fn only(&mut self, path: String, first: bool, kind: &'static str) {
        if !self.is_ignored(&path) {
            self.tell(Difference::Only { path, first, kind });
        }
    }

    fn lists(&mut self, a: &Item, b: &Item) -> Result<bool> {
        let (length, other) = (of(a.stream(), a.len())?, of(b.stream(), b.len())?);
        if length != other {
            let path = a.path().to_owned();
            self.tell(Difference::Length { path, a: length, b: other });
        }
        let length = length.min(other);
        if let Some(done) = self.together(a, b, length) {
            return done.map(|()| true);
        }
        for index in 0..length {
            let (one, other) =
                (of(a.stream(), a.element(index))?, of(b.stream(), b.element(index))?);
            if !self.items(&one, &other) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares lists whose repetitions are alike as one array for each item in them; `None` if they
    /// are not alike.
    fn together(&mut self, a: &Item, b: &Item, length: u64) -> Option<Result<()>> {
        let walk = Walk { each: false, params: true };
        if !self.diff.treats_alike() {
            return None;
        }
        let (first, second) = (walk.together(a, length)?, walk.together(b, length)?);
        let alike = |((one, a), (other, b)): (&(String, Data), &(String, Data))| {
            one == other && (!one.contains("/:") || a.dtype_name() == b.dtype_name())
        };
        if first.len() != second.len() || !first.iter().zip(&second).all(alike) {
            return None;
        }
        for ((rest, one), (_, other)) in first.iter().zip(&second) {
            let path = format!("{}[:]{rest}", a.path());
            if let Err(error) = self.whole(&path, one, other) {
                return Some(Err(error));
            }
        }
        Some(Ok(()))
    }

    fn params(&mut self, a: &Item, b: &Item) -> Result<()> {
        let path = a.path().to_owned();
        let (a, b) = (of(a.stream(), a.param_value())?, of(b.stream(), b.param_value())?);
        if a != b {
            self.tell(Difference::Param { path, a, b });
        }
        Ok(())
    }

    /// Compares units and attributes of what has a path.
    fn attributes(&mut self, path: &str, a: &Stated<'_>, b: &Stated<'_>) {
        let unit = |of: &Stated<'_>| of.unit.map(|unit| AttrValue::Text(unit.to_owned()));
        let mut all = vec![("unit".to_owned(), unit(a), unit(b))];
        let value = |of: &Stated<'_>, name: &str| {
            let found = of.attributes.iter().find(|attribute| attribute.name == name);
            found.map(|attribute| attribute.value.clone())
        };
        for attribute in a.attributes.iter().chain(b.attributes) {
            let name = &attribute.name;
            if !all.iter().any(|(known, ..)| known == name) {
                all.push((name.clone(), value(a, name), value(b, name)));
            }
        }
        for (name, one, other) in all.into_iter().filter(|(_, one, other)| one != other) {
            self.tell(Difference::Attribute { path: path.to_owned(), name, a: one, b: other });
        }
    }

    /// Compares arrays that hold what the layouts say of them to be constant, under a path.
    pub(super) fn whole(&mut self, path: &str, a: &Data, b: &Data) -> Result<()> {
        if self.is_ignored(path) {
            return Ok(());
        }
        of(&a.stream, a.check_constants())?;
        of(&b.stream, b.check_constants())?;
        self.data(path, a, b)
    }

    fn data(&mut self, path: &str, a: &Data, b: &Data) -> Result<()> {
        if self.is_ignored(path) {
            return Ok(());
        }
        let other_type = match (&a.dtype, &b.dtype) {
            (Dtype::Primitive(one, _), Dtype::Primitive(other, _)) => {
                let as_numbers = self.diff.promote && wide::are_numbers(*one, *other);
                match (a.time(), b.time()) {
                    // A number of seconds is no number of milliseconds.
                    (Some(time), Some(other)) if time != other => true,
                    (times, others) => (one != other || times != others) && !as_numbers,
                }
            }
            (Dtype::Primitive(..), _) | (_, Dtype::Primitive(..)) => true,
            _ => false,
        };
        if other_type {
            let name = |data: &Data| data.time().map_or_else(|| data.dtype_name(), str::to_owned);
            let (a, b) = (name(a), name(b));
            self.tell(Difference::Dtype { path: path.to_owned(), a, b });
            return Ok(());
        }
        if a.shape != b.shape {
            let (a, b) = (a.shape.clone(), b.shape.clone());
            self.tell(Difference::Shape { path: path.to_owned(), a, b });
            return Ok(());
        }
        match (&a.dtype, &b.dtype) {
            // The same may stand in different places of two heaps, and something else in the same.
            _ if a.vlen().is_some() || b.vlen().is_some() => self.values(path, a, b),
            (Dtype::Primitive(..), _) => self.elements(path, a, b),
            (Dtype::Record(_), Dtype::Record(_)) => self.records(path, a, b),
            _ => self.values(path, a, b),
        }
    }

    fn elements(&mut self, path: &str, a: &Data, b: &Data) -> Result<()> {
        let tolerance = self.diff.tolerance_at(&self.names.all(path), a);
        if !tolerance.nan_differs && stored_same(a, b)? {
            return Ok(());
        }
        let how = How { tolerance, threads: self.diff.threads, progress: self.progress };
        if let Some(mut values) = elements::compare(&decoded(a)?, &decoded(b)?, how)? {
            values.worst.in_times([a.is_time(), b.is_time()]);
            self.tell(Difference::Values { path: path.to_owned(), values });
        }
        Ok(())
    }

    fn records(&mut self, path: &str, a: &Data, b: &Data) -> Result<()> {
        let (Dtype::Record(one), Dtype::Record(other)) = (&a.dtype, &b.dtype) else {
            return Ok(());
        };
        let (a, b) = (decoded(a)?, decoded(b)?);
        // Mostly all bytes are the same, and that is seen at once.
        if !self.diff.tolerance.nan_differs
            && !self.diff.attributes
            && !a.has_vlen()
            && !b.has_vlen()
            && a.dtype_name() == b.dtype_name()
            && times::of_structs(&a, path) == times::of_structs(&b, path)
            && elements::same_bytes(&a, &b, one.size, self.diff.threads)?
        {
            return Ok(());
        }
        let single = matches!(a.len(), Ok(1));
        let apart = |field: &crate::read::dtype::Field| {
            (field.filter.is_none() || single) && !matches!(field.dtype, Dtype::Variable(_))
        };
        if !one.fields.iter().chain(&other.fields).all(apart) {
            return self.values(path, &a, &b);
        }
        let (first, second) = (a.stream.layout(), b.stream.layout());
        let field_path = |name: &str| {
            let mut path = format!("{path}.");
            push_name(&mut path, name);
            path
        };
        for (at, field) in one.fields.iter().enumerate().filter(|(_, f)| !f.is_fixed(first)) {
            match other.fields.iter().position(|f| f.name == field.name && !f.is_fixed(second)) {
                Some(same) => {
                    let (a, b) = (a.field_at(one, at)?, b.field_at(other, same)?);
                    let path = field_path(&field.name);
                    if self.diff.attributes && !self.is_ignored(&path) {
                        self.attributes(&path, &Stated::of_data(&a), &Stated::of_data(&b));
                    }
                    self.data(&path, &a, &b)?;
                }
                None => self.only(field_path(&field.name), true, "field"),
            }
        }
        for field in other.fields.iter().filter(|field| !field.is_fixed(second)) {
            if !one.fields.iter().any(|f| f.name == field.name && !f.is_fixed(first)) {
                self.only(field_path(&field.name), false, "field");
            }
        }
        Ok(())
    }

    /// Compares structs that differ in size from one to the next.
    fn values(&mut self, path: &str, a: &Data, b: &Data) -> Result<()> {
        let (times, mut others) = (times::of_structs(a, path), times::of_structs(b, path));
        let name = |time: Option<String>| time.unwrap_or_else(|| "i8".to_owned());
        for (path, time) in times {
            let other = others.remove(&path);
            if other.as_ref() != Some(&time) && !self.is_ignored(&path) {
                self.tell(Difference::Dtype { path, a: time, b: name(other) });
            }
        }
        for (path, time) in others {
            if !self.is_ignored(&path) {
                self.tell(Difference::Dtype { path, a: name(None), b: time });
            }
        }
        let (diff, names) = (self.diff, &self.names);
        let tolerance = |path: &str| {
            let paths = names.all(path);
            (!diff.is_one_ignored(&paths)).then(|| diff.tolerance_at(&paths, a))
        };
        let mut tell = |difference| (self.found)(Ok(difference));
        let mut fields = Fields::new(&tolerance, &mut tell);
        let elements = |data: &Data| of(&data.stream, Elements::of(data, Form::COMPARED));
        let [mut one, mut other] = [elements(a)?, elements(b)?];
        loop {
            let first = one.next();
            let some = of(&a.stream, one.some(None))?;
            if some.is_empty() {
                break;
            }
            let others = of(&b.stream, other.some(Some(some.len())))?;
            for (at, (a, b)) in (first..).zip(some.iter().zip(&others)) {
                fields.both(path, &mut one.index(at), a, b);
            }
        }
        fields.finish();
        Ok(())
    }
}

fn decoded(data: &Data) -> Result<Data> {
    of(&data.stream, data.decoded())
}

/// Whether filtered arrays are stored as the same bytes, so that they need not be decoded.
fn stored_same(a: &Data, b: &Data) -> Result<bool> {
    let (Some(one), Some(other)) = (&a.filter, &b.filter) else { return Ok(false) };
    if one != other
        || a.presented != b.presented
        || a.bytes != b.bytes
        || a.dtype_name() != b.dtype_name()
    {
        return Ok(false);
    }
    let stored = |data: &Data| {
        let read = crate::read::stream::read_bytes(data.stream.source(), data.address, data.bytes);
        of(&data.stream, read.of_item(&data.path))
    };
    Ok(stored(a)? == stored(b)?)
}
