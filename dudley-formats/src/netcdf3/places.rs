//! The places of the variables of a netCDF-3 file, and the errors among them: shapes, sizes, records.

use dudley::Severity;
use dudley::verify::Finding;
use hashbrown::HashSet;

use super::header::{Dim, Header, Type, Variable};

/// Addresses fit in 63 bits.
const LIMIT: u64 = i64::MAX as u64;

/// The variables that can be read.
pub(super) struct Places<'h> {
    /// Variables that are one array.
    pub(super) fixed: Vec<Placed<'h>>,
    /// Variables with a part in each record.
    pub(super) records: Option<Records<'h>>,
}

/// A variable that can be read.
pub(super) struct Placed<'h> {
    pub(super) variable: &'h Variable,
    pub(super) kind: Type,
    /// Its dimensions, without the dimension of the records.
    pub(super) dims: Vec<&'h Dim>,
    /// Its bytes, or the bytes of its part in a record.
    pub(super) bytes: u64,
}

/// The records of a file.
pub(super) struct Records<'h> {
    pub(super) dim: &'h Dim,
    pub(super) begin: u64,
    /// Bytes from one record to the next.
    pub(super) bytes: u64,
    pub(super) count: u64,
    /// Those that have a part in each, as they follow each other there.
    pub(super) variables: Vec<Placed<'h>>,
}

impl Placed<'_> {
    /// Its bytes with padding.
    fn padded(&self) -> Option<u64> {
        self.bytes.checked_next_multiple_of(4).filter(|bytes| *bytes <= LIMIT)
    }

    fn end(&self) -> Option<u64> {
        self.variable.begin.checked_add(self.padded()?).filter(|end| *end <= LIMIT)
    }
}

/// Finds the place of each variable; a variable without a place is a finding. `len` is the length of the file.
pub(super) fn places<'h>(
    header: &'h Header,
    len: u64,
    found: &mut dyn FnMut(Finding),
) -> Places<'h> {
    let mut places = Finder { header, record: record_dim(header, found), found };
    places.names();
    let (mut fixed, mut records, mut are_known) = (Vec::new(), Vec::new(), header.is_whole);
    for variable in &header.variables {
        let is_record = places.is_record(variable);
        match places.placed(variable) {
            Ok(placed) if is_record == Some(true) => records.push(placed),
            Ok(placed) => fixed.push(placed),
            Err(why) => {
                // All variables of a record decide its length.
                are_known &= is_record == Some(false);
                places.wrong(variable, "variable", why);
            }
        }
    }
    places.limits(&fixed, &records);
    places.order(&fixed, &records);
    // Records have no name.
    let mut taken: HashSet<String> = (!records.is_empty()).then(String::new).into_iter().collect();
    fixed.retain(|placed| places.is_readable(placed, &mut taken));
    let records = places.records(records, are_known, len, &mut taken);
    Places { fixed, records }
}

/// The number of the dimension that counts records.
fn record_dim(header: &Header, found: &mut dyn FnMut(Finding)) -> Option<usize> {
    let mut unlimited = header.dims.iter().enumerate().filter(|(_, dim)| dim.len == 0);
    let (first, dim) = unlimited.next()?;
    for (_, other) in unlimited {
        let what = format!(
            "the dimension `{}` counts records, as `{}` does: one may",
            other.name, dim.name
        );
        found(Finding::new(Severity::Error, "dimension", what).at(other.address, 0));
    }
    Some(first)
}

struct Finder<'h, 'f> {
    header: &'h Header,
    record: Option<usize>,
    found: &'f mut dyn FnMut(Finding),
}

impl<'h> Finder<'h, '_> {
    fn wrong(&mut self, variable: &Variable, code: &'static str, why: String) {
        let finding = Finding::new(Severity::Error, code, why);
        (self.found)(finding.at(variable.address, 0).of(variable.path()));
    }

    /// Whether a variable has a part in each record; `None` if it names a dimension that is not there.
    fn is_record(&self, variable: &Variable) -> Option<bool> {
        let Some(&first) = variable.dims.first() else { return Some(false) };
        let is_there = first < self.header.dims.len() as u64;
        is_there.then(|| self.record.is_some_and(|record| record as u64 == first))
    }

    /// Reports dimensions with equal names, and attributes of one owner with equal names.
    fn names(&mut self) {
        let header = self.header;
        let mut known = HashSet::new();
        for dim in header.dims.iter().filter(|dim| !known.insert(&dim.name)) {
            let what = format!("there are two dimensions `{}`", dim.name);
            (self.found)(Finding::new(Severity::Warning, "name", what).at(dim.address, 0));
        }
        let of_variables = header.variables.iter().map(|it| (&it.attributes, Some(it)));
        let all = [(&header.attributes, None)].into_iter().chain(of_variables);
        for (attributes, of) in all.filter(|(attributes, _)| attributes.len() > 1) {
            known.clear();
            for attribute in attributes.iter().filter(|it| !known.insert(&it.name)) {
                let what =
                    format!("there are two attributes `{}`: the last counts", attribute.name);
                let finding =
                    Finding::new(Severity::Warning, "name", what).at(attribute.address, 0);
                (self.found)(Finding { path: of.map(Variable::path), ..finding });
            }
        }
    }

    /// The shape and the size of a variable.
    fn placed(&mut self, variable: &'h Variable) -> Result<Placed<'h>, String> {
        let mut dims = Vec::with_capacity(variable.dims.len());
        for &id in &variable.dims {
            let dim = usize::try_from(id).ok().and_then(|id| self.header.dims.get(id));
            dims.push(dim.ok_or_else(|| {
                let there = self.header.dims.len();
                format!("its dimension is number {id}, and there are {there}")
            })?);
        }
        if self.is_record(variable) == Some(true) {
            dims.remove(0);
        }
        if let Some(dim) = dims.iter().find(|dim| dim.len == 0) {
            return Err(format!("`{}` counts records, and is not its first dimension", dim.name));
        }
        let kind = variable.kind.map_err(|number| {
            format!("it is of type {number}, which CDF-{} does not have", self.header.version)
        })?;
        let bytes = dims.iter().try_fold(kind.size(), |bytes, dim| bytes.checked_mul(dim.len));
        let placed = Placed { variable, kind, dims, bytes: bytes.unwrap_or(u64::MAX) };
        let Some(end) = placed.padded() else {
            return Err("its dimensions come to more bytes than 63 bits can count".to_owned());
        };
        let is_large = end >= u64::from(u32::MAX) - 3;
        if variable.bytes != end && !(is_large && variable.bytes == u64::from(u32::MAX)) {
            let what = format!(
                "the header says that it takes {} bytes, its dimensions that it takes {end}; these count",
                variable.bytes
            );
            let finding = Finding::new(Severity::Note, "size", what);
            (self.found)(finding.at(variable.address, 0).of(variable.path()));
        }
        Ok(placed)
    }

    /// That only the last variable is so large that no address behind it can be written: CDF-1 and CDF-2 have 32 bits for
    /// the size of one.
    fn limits(&mut self, fixed: &[Placed<'_>], records: &[Placed<'_>]) {
        let most = match self.header.version {
            1 => i32::MAX as u64 - 3,
            2 => u64::from(u32::MAX) - 3,
            _ => return,
        };
        let last_is_fixed = records.is_empty();
        for (variables, may_be_last) in [(fixed, last_is_fixed), (records, true)] {
            for (at, placed) in variables.iter().enumerate() {
                let is_last = may_be_last && at + 1 == variables.len();
                if placed.bytes > most && !is_last {
                    let why = format!(
                        "it takes {} bytes: in CDF-{} no variable but the last may take more than {most}",
                        placed.bytes, self.header.version
                    );
                    self.wrong(placed.variable, "size", why);
                }
            }
        }
    }

    /// That variables follow each other in the order of the header, those with records behind the others.
    fn order(&mut self, fixed: &[Placed<'_>], records: &[Placed<'_>]) {
        let (mut end, mut before) = (self.header.end, None);
        for placed in fixed.iter().chain(records) {
            let begin = placed.variable.begin;
            if begin < end {
                let before = before.map_or("the header".to_owned(), |it: &Placed<'_>| {
                    format!("`{}`", it.variable.path())
                });
                let why =
                    format!("it begins at address {begin}, and {before} before it ends at {end}");
                self.wrong(placed.variable, "begin", why);
            }
            end = end.max(placed.end().unwrap_or(LIMIT));
            before = Some(placed);
        }
    }

    /// Whether a variable with a size can be read: it shares no bytes with another one, and no other has its name.
    fn is_readable(&mut self, placed: &Placed<'h>, taken: &mut HashSet<String>) -> bool {
        let variable = placed.variable;
        let why = if variable.begin < self.header.end {
            // This was reported.
            return false;
        } else if placed.end().is_none() {
            "its bytes lie behind what 63 bits can count".to_owned()
        } else if !taken.insert(variable.name.replace('\0', "\u{fffd}")) {
            match &*variable.name {
                "" => {
                    "it has no name, and the records or another variable have none: these are read"
                }
                _ => "another variable has its name: the first is read",
            }
            .to_owned()
        } else {
            return true;
        };
        self.wrong(variable, "variable", why);
        false
    }

    /// The records: a record is as long as all its variables, with padding if there is more than one.
    fn records(
        &mut self,
        mut variables: Vec<Placed<'h>>,
        are_known: bool,
        len: u64,
        taken: &mut HashSet<String>,
    ) -> Option<Records<'h>> {
        let dim = &self.header.dims[self.record?];
        let begin = variables.iter().map(|it| it.variable.begin).min()?;
        let bytes = match &variables[..] {
            [one] => Some(one.bytes),
            all => all.iter().try_fold(0_u64, |sum, it| sum.checked_add(it.padded()?)),
        };
        let whole = |bytes: u64| len.saturating_sub(begin).checked_div(bytes).unwrap_or(0);
        let is_in = |bytes: u64, count: u64| {
            let end = bytes.checked_mul(count).and_then(|all| all.checked_add(begin));
            end.is_some_and(|end| end <= LIMIT)
        };
        let records =
            bytes.map(|bytes| (bytes, self.header.records.unwrap_or_else(|| whole(bytes))));
        let Some((mut bytes, count)) = records.filter(|it| are_known && is_in(it.0, it.1)) else {
            let why = if are_known {
                "its records come to more bytes than 63 bits can count"
            } else {
                "how long a record is cannot be known, as not all that is in one is known"
            };
            variables.iter().for_each(|it| self.wrong(it.variable, "variable", why.to_owned()));
            return None;
        };
        variables.sort_by_key(|it| it.variable.begin);
        variables.retain(|placed| self.is_readable(placed, taken));
        let end = |it: &Placed<'_>| it.variable.begin - begin + it.bytes;
        if count < 2 {
            // Nothing follows.
            bytes = variables.iter().map(end).max().unwrap_or(0).max(bytes);
        }
        variables.retain(|placed| {
            let is_inside = end(placed) <= bytes;
            if !is_inside {
                let why = format!(
                    "its part of a record ends {} bytes behind the beginning of that, which has {bytes}",
                    end(placed)
                );
                self.wrong(placed.variable, "variable", why);
            }
            is_inside
        });
        Some(Records { dim, begin, bytes, count, variables })
    }
}
