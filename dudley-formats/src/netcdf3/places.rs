//! The places of the variables of a netCDF-3 file, and the errors among them: shapes, sizes, records.

use dudley::Severity;
use dudley::verify::Finding;
use hashbrown::HashSet;

use super::header::{Dim, Header, Type, Variable};

/// Addresses fit in 63 bits.
const LIMIT: u64 = i64::MAX as u64;

/// The variables that can be read.
pub(super) struct Places {
    /// Variables that are one array.
    pub(super) fixed: Vec<Placed>,
    /// Variables with a part in each record.
    pub(super) records: Option<Records>,
}

/// A variable that can be read.
pub(super) struct Placed {
    /// Its number in the header.
    at: usize,
    pub(super) kind: Type,
    /// Whether its first dimension counts the records.
    is_record: bool,
    pub(super) begin: u64,
    /// Its bytes, or the bytes of its part in a record.
    pub(super) bytes: u64,
}

/// The records of a file.
pub(super) struct Records {
    /// The number of their dimension.
    pub(super) dim: usize,
    pub(super) begin: u64,
    /// Bytes from one record to the next.
    pub(super) bytes: u64,
    pub(super) count: u64,
    /// Those that have a part in each, as they follow each other there.
    pub(super) variables: Vec<Placed>,
}

impl Placed {
    pub(super) fn variable<'h>(&self, header: &'h Header) -> &'h Variable {
        &header.variables[self.at]
    }

    /// Its dimensions, without the dimension of the records.
    pub(super) fn dims<'h>(&self, header: &'h Header) -> impl Iterator<Item = &'h Dim> + use<'h> {
        let dims = &self.variable(header).dims[usize::from(self.is_record)..];
        dims.iter().filter_map(|id| header.dims.get(usize::try_from(*id).ok()?))
    }

    /// Its bytes with padding.
    fn padded(&self) -> Option<u64> {
        self.bytes.checked_next_multiple_of(4).filter(|bytes| *bytes <= LIMIT)
    }

    fn end(&self) -> Option<u64> {
        self.begin.checked_add(self.padded()?).filter(|end| *end <= LIMIT)
    }
}

/// Finds the place of each variable; a variable without a place is a finding. `len` is the length of the file.
pub(super) fn places(header: &Header, len: u64, found: &mut dyn FnMut(Finding)) -> Places {
    let mut places = Finder { header, record: record_dim(header, found), found };
    places.names();
    let mut fixed = Vec::with_capacity(header.variables.len());
    let (mut records, mut are_known) = (Vec::new(), header.is_whole);
    for (at, variable) in header.variables.iter().enumerate() {
        let is_record = places.is_record(variable);
        match places.placed(at, variable, is_record == Some(true)) {
            Ok(placed) if placed.is_record => records.push(placed),
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
    let mut taken: HashSet<&[u8]> = HashSet::with_capacity(header.variables.len());
    taken.extend((!records.is_empty()).then_some(&b""[..]));
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
    fn placed(
        &mut self,
        at: usize,
        variable: &Variable,
        is_record: bool,
    ) -> Result<Placed, String> {
        let kind = variable.kind.map_err(|number| {
            format!("it is of type {number}, which CDF-{} does not have", self.header.version)
        })?;
        let there = self.header.dims.len();
        if let Some(id) = variable.dims.iter().find(|id| **id >= there as u64) {
            return Err(format!("its dimension is number {id}, and there are {there}"));
        }
        let placed = Placed { at, kind, is_record, begin: variable.begin, bytes: 0 };
        let mut dims = placed.dims(self.header);
        if let Some(dim) = dims.find(|dim| dim.len == 0) {
            return Err(format!("`{}` counts records, and is not its first dimension", dim.name));
        }
        let mut dims = placed.dims(self.header);
        let bytes = dims.try_fold(kind.size(), |bytes, dim| bytes.checked_mul(dim.len));
        let placed = Placed { bytes: bytes.unwrap_or(u64::MAX), ..placed };
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
    fn limits(&mut self, fixed: &[Placed], records: &[Placed]) {
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
                    self.wrong(placed.variable(self.header), "size", why);
                }
            }
        }
    }

    /// That variables follow each other in the order of the header, those with records behind the others.
    fn order(&mut self, fixed: &[Placed], records: &[Placed]) {
        let (mut end, mut before) = (self.header.end, None);
        for placed in fixed.iter().chain(records) {
            let begin = placed.begin;
            if begin < end {
                let before = before.map_or("the header".to_owned(), |it: &Placed| {
                    format!("`{}`", it.variable(self.header).path())
                });
                let why =
                    format!("it begins at address {begin}, and {before} before it ends at {end}");
                self.wrong(placed.variable(self.header), "begin", why);
            }
            end = end.max(placed.end().unwrap_or(LIMIT));
            before = Some(placed);
        }
    }

    /// Whether a variable with a size can be read: it shares no bytes with another one, and no other has its name.
    fn is_readable(&mut self, placed: &Placed, taken: &mut HashSet<&'h [u8]>) -> bool {
        let variable = placed.variable(self.header);
        let why = if variable.begin < self.header.end {
            // This was reported.
            return false;
        } else if placed.end().is_none() {
            "its bytes lie behind what 63 bits can count".to_owned()
        } else if !taken.insert(variable.name.as_bytes()) {
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
        mut variables: Vec<Placed>,
        are_known: bool,
        len: u64,
        taken: &mut HashSet<&'h [u8]>,
    ) -> Option<Records> {
        let dim = self.record?;
        let begin = variables.iter().map(|it| it.begin).min()?;
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
            let header = self.header;
            variables
                .iter()
                .for_each(|it| self.wrong(it.variable(header), "variable", why.to_owned()));
            return None;
        };
        variables.sort_by_key(|it| it.begin);
        variables.retain(|placed| self.is_readable(placed, taken));
        let end = |it: &Placed| it.begin - begin + it.bytes;
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
                self.wrong(placed.variable(self.header), "variable", why);
            }
            is_inside
        });
        Some(Records { dim, begin, bytes, count, variables })
    }
}
