//! Where two streams differ: items, types, shapes, params, values.
//!
//! Streams are compared by path, whatever lies where; byte order and places are no difference. Arrays
//! are compared block by block, by several threads.

mod close;
mod elements;
mod glob;
mod names;
mod pass;
mod times;
mod values;
mod wide;

use dudley_parser::comments::{AttrValue, Attribute};

use crate::elements::scalar::NO_TIME;
use crate::elements::value::Value;
use crate::error::Result;
use crate::read::data::Data;
use crate::read::item::Item;
use crate::read::stream::Stream;
pub use close::{Apart, Tolerance};
pub use glob::Glob;
use names::Names;
use pass::Pass;

/// The attributes of items that say how far their numbers may be apart.
const ATTRIBUTES: [&str; 3] = ["rtol", "atol", "ulp"];

/// One difference of two streams.
///
/// ```
/// use dudley::diff::{Diff, Difference};
///
/// let open = |text: &str| dudley::Open::new().layout_text(text)?.raw().bytes([0; 8]);
/// let (a, b) = (open("x = u1  z = u1")?, open("y = u1  z = u1")?);
/// let mut only = Vec::new();
/// Diff::new().streams(&a, &b, &mut |found| {
///     if let Ok(Difference::Only { path, first, .. }) = found {
///         only.push((path, first));
///     }
/// });
/// assert_eq!(only, [("/x".to_owned(), true), ("/y".to_owned(), false)]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Difference {
    /// Something is in one of them only.
    Only {
        /// Its path.
        path: String,
        /// Whether it is in the first one.
        first: bool,
        /// Its kind.
        kind: &'static str,
    },
    /// Different kinds of things have the same path.
    Kind {
        /// The path.
        path: String,
        /// Its kind in the first.
        a: &'static str,
        /// In the second.
        b: &'static str,
    },
    /// Lists are not of the same length. The items that both have are compared.
    Length {
        /// The path.
        path: String,
        /// The length in the first.
        a: u64,
        /// In the second.
        b: u64,
    },
    /// Elements are of different types, or times of different units; they are not compared.
    Dtype {
        /// The path.
        path: String,
        /// The type in the first.
        a: String,
        /// In the second.
        b: String,
    },
    /// Arrays are of different shapes; they are not compared.
    Shape {
        /// The path.
        path: String,
        /// The shape in the first.
        a: Vec<u64>,
        /// In the second.
        b: Vec<u64>,
    },
    /// Params have different values.
    Param {
        /// The path.
        path: String,
        /// The value in the first.
        a: i64,
        /// In the second.
        b: i64,
    },
    /// Units or attributes differ.
    Attribute {
        /// The path of the item.
        path: String,
        /// `unit`, or the name of the attribute.
        name: String,
        /// The value in the first.
        a: Option<AttrValue>,
        /// And the second.
        b: Option<AttrValue>,
    },
    /// Elements differ by more than they may.
    Values {
        /// The path; `[:]` stands for all indices of a list, which are the first dimension then.
        path: String,
        /// Which of them.
        values: Values,
    },
}

/// Elements that differ.
///
/// ```
/// use dudley::diff::{Diff, Difference};
///
/// let open = |bytes| dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes(bytes);
/// let (a, b) = (open([1, 2, 3])?, open([1, 7, 4])?);
/// Diff::new().streams(&a, &b, &mut |found| {
///     let Ok(Difference::Values { values, .. }) = found else { panic!("values") };
///     assert_eq!((values.count, values.of), (2, 3));
///     assert_eq!((values.worst.index, values.worst.apart.abs), (vec![1], Some(5.0)));
/// });
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// The number of different elements.
    pub count: u64,
    /// The number of compared elements.
    pub of: u64,
    /// The largest difference: `|a - b|`, as a multiple of the tolerance if there is one.
    pub worst: Worst,
}

/// The element that differs most.
///
/// ```
/// use dudley::{Value, diff::Worst};
///
/// let worst = Worst::of(Value::Text("a".into()), Value::Text("b".into()));
/// assert_eq!((worst.a, worst.apart.abs), (Value::Text("a".into()), None));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// Its indices.
    pub index: Vec<u64>,
    /// Its value in the first.
    pub a: Value,
    /// In the second.
    pub b: Value,
    /// Bytes of an element, where it is a number.
    pub size: u64,
    /// The distance of the values.
    pub apart: Apart,
    /// Whether they are times: null stands for those that are none (numpy's NaT).
    pub times: bool,
}

impl Worst {
    /// Values that are no numbers.
    ///
    /// ```
    /// use dudley::{Value, diff::Worst};
    ///
    /// assert_eq!(Worst::of(Value::Null, Value::Int(1)).b, Value::Int(1));
    /// ```
    pub fn of(a: Value, b: Value) -> Worst {
        Worst { index: Vec::new(), a, b, size: 8, apart: Apart::default(), times: false }
    }

    /// The same where elements of an array are times, of the first, the second, or both.
    fn in_times(&mut self, times: [bool; 2]) {
        for (value, times) in [&mut self.a, &mut self.b].into_iter().zip(times) {
            if times && *value == Value::Int(NO_TIME.into()) {
                (*value, self.apart) = (Value::Null, Apart::default());
            }
        }
        self.times = times.contains(&true);
    }
}

impl Difference {
    /// The path that it is about.
    ///
    /// ```
    /// use dudley::diff::Difference;
    ///
    /// let difference = Difference::Length { path: "/l".into(), a: 1, b: 2 };
    /// assert_eq!(difference.path(), "/l");
    /// ```
    pub fn path(&self) -> &str {
        match self {
            Difference::Only { path, .. }
            | Difference::Kind { path, .. }
            | Difference::Length { path, .. }
            | Difference::Dtype { path, .. }
            | Difference::Shape { path, .. }
            | Difference::Param { path, .. }
            | Difference::Attribute { path, .. }
            | Difference::Values { path, .. } => path,
        }
    }
}

/// Changes of a [`Tolerance`] for some paths.
///
/// ```
/// use dudley::diff::{Change, Diff, Glob};
///
/// let open = |bytes| dudley::Open::new().layout_text("x = <f4  y = <f4")?.raw().bytes(bytes);
/// let (a, b) = (open([0, 0, 128, 63, 0, 0, 128, 63])?, open([1, 0, 128, 63, 1, 0, 128, 63])?);
/// let mut paths = Vec::new();
/// let close = Change { rtol: Some(1e-6), ..Change::default() };
/// Diff::new().tolerance_of(Glob::new("/x"), close).streams(&a, &b, &mut |found| {
///     paths.extend(found.map(|difference| difference.path().to_owned()));
/// });
/// assert_eq!(paths, ["/y"]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change {
    /// Another [`Tolerance::rtol`].
    pub rtol: Option<f64>,
    /// Another [`Tolerance::atol`].
    pub atol: Option<f64>,
    /// Another [`Tolerance::ulp`].
    pub ulp: Option<u64>,
}

impl Change {
    fn apply(self, tolerance: &mut Tolerance) {
        tolerance.rtol = self.rtol.unwrap_or(tolerance.rtol);
        tolerance.atol = self.atol.unwrap_or(tolerance.atol);
        tolerance.ulp = self.ulp.unwrap_or(tolerance.ulp);
    }

    /// The tolerances in the attributes of an item: `#: rtol = 1e-6`.
    fn stated(attributes: &[Attribute]) -> Change {
        let number =
            |name: &str| attributes.iter().find(|attribute| attribute.name == name)?.tolerance()?;
        let [rtol, atol, ulp] = ATTRIBUTES.map(number);
        Change { rtol, atol, ulp: ulp.map(|ulp| ulp as u64) }
    }
}

/// Compares streams.
///
/// ```
/// use dudley::diff::{Diff, Difference, Tolerance};
///
/// let open = |bytes| dudley::Open::new().layout_text("x = <f4[2]  n = u1")?.raw().bytes(bytes);
/// let a = open([0, 0, 128, 63, 0, 0, 0, 64, 5])?;
/// let b = open([1, 0, 128, 63, 0, 0, 0, 64, 6])?;
/// let mut paths = Vec::new();
/// let mut found = |difference: dudley::Result<Difference>| {
///     paths.push(difference.map(|difference| difference.path().to_owned()));
/// };
/// Diff::new().streams(&a, &b, &mut found);
/// let close = Tolerance { ulp: 1, ..Tolerance::EXACT };
/// Diff::new().tolerance(close).streams(&a, &b, &mut found);
/// assert_eq!(paths.into_iter().collect::<dudley::Result<Vec<_>>>()?, ["/x", "/n", "/n"]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Diff {
    tolerance: Tolerance,
    changes: Vec<(Glob, Change)>,
    ignored: Vec<Glob>,
    attributes: bool,
    promote: bool,
    threads: usize,
}

impl Default for Diff {
    fn default() -> Self {
        Diff::new()
    }
}

/// Learns of each difference, and of each item that could not be compared: the error names the file that it is about
/// ([`Error::OfFile`](crate::Error::OfFile)), if that has a name.
pub type Found<'f> = dyn FnMut(Result<Difference>) + 'f;

impl Diff {
    /// A comparison in which numbers are equal if they are the same, or both NaN, with as many
    /// threads as the machine runs at the same time.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// let mut count = 0;
    /// dudley::diff::Diff::new().streams(&stream, &stream, &mut |_| count += 1);
    /// assert_eq!(count, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn new() -> Diff {
        Diff {
            tolerance: Tolerance::EXACT,
            changes: Vec::new(),
            ignored: Vec::new(),
            attributes: false,
            promote: false,
            threads: 0,
        }
    }

    /// The tolerance of floats. Attributes `rtol`, `atol` and `ulp` of items of the first stream
    /// override it, and [`Self::tolerance_of`] overrides the attributes.
    ///
    /// ```
    /// use dudley::diff::{Diff, Tolerance};
    ///
    /// let open = |x: f64| dudley::Open::new().layout_text("x = <f8")?.raw().bytes(x.to_le_bytes());
    /// let close = Tolerance { atol: 1e-3, ..Tolerance::EXACT };
    /// let mut count = 0;
    /// Diff::new().tolerance(close).streams(&open(1.0)?, &open(1.0001)?, &mut |_| count += 1);
    /// assert_eq!(count, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Diff {
        self.tolerance = tolerance;
        self
    }

    /// The tolerance of floats at some paths; the last matching one counts.
    ///
    /// ```
    /// use dudley::diff::{Change, Diff, Glob};
    ///
    /// let open = |x: f64| dudley::Open::new().layout_text("x = <f8")?.raw().bytes(x.to_le_bytes());
    /// let close = Change { atol: Some(1e-3), ..Change::default() };
    /// let diff = Diff::new().tolerance_of(Glob::new("/x"), close);
    /// let mut count = 0;
    /// diff.streams(&open(1.0)?, &open(1.0001)?, &mut |_| count += 1);
    /// assert_eq!(count, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn tolerance_of(mut self, paths: Glob, change: Change) -> Diff {
        self.changes.push((paths, change));
        self
    }

    /// Paths that are left out, with all that is below them.
    ///
    /// ```
    /// use dudley::diff::{Diff, Glob};
    ///
    /// let open = |bytes| dudley::Open::new().layout_text("x = u1  y = u1")?.raw().bytes(bytes);
    /// let mut paths = Vec::new();
    /// Diff::new().ignore(Glob::new("/x")).streams(&open([1, 2])?, &open([3, 4])?, &mut |found| {
    ///     paths.extend(found.map(|difference| difference.path().to_owned()));
    /// });
    /// assert_eq!(paths, ["/y"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn ignore(mut self, paths: Glob) -> Diff {
        self.ignored.push(paths);
        self
    }

    /// Whether units and attributes are compared.
    ///
    /// ```
    /// let open = |text: &str| dudley::Open::new().layout_text(text)?.raw().bytes([7]);
    /// let (a, b) = (open("x = u1  ## (cm) place")?, open("x = u1  ## (m) place")?);
    /// let mut count = 0;
    /// dudley::diff::Diff::new().streams(&a, &b, &mut |_| count += 1);
    /// assert_eq!(count, 0);
    /// dudley::diff::Diff::new().attributes(true).streams(&a, &b, &mut |_| count += 1);
    /// assert_eq!(count, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn attributes(mut self, compared: bool) -> Diff {
        self.attributes = compared;
        self
    }

    /// Whether numbers of different types are compared by their values, so that 1.0 in an `f4` equals 1.0
    /// in an `f8`, and 1 in an `i2`; ULPs are then those of `f8`. Otherwise a different type is a
    /// difference.
    ///
    /// ```
    /// let a = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// let b = dudley::Open::new().layout_text("x = <i2")?.raw().bytes([7, 0])?;
    /// let mut count = 0;
    /// dudley::diff::Diff::new().promote(true).streams(&a, &b, &mut |_| count += 1);
    /// assert_eq!(count, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn promote(mut self, promoted: bool) -> Diff {
        self.promote = promoted;
        self
    }

    /// Whether numbers of different types are compared by their values: see [`Self::promote`].
    ///
    /// ```
    /// assert!(dudley::diff::Diff::new().promote(true).is_promoted());
    /// ```
    pub fn is_promoted(&self) -> bool {
        self.promote
    }

    /// At most this many threads. The default, 0, is the number that the machine runs at once.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
    /// let mut count = 0;
    /// dudley::diff::Diff::new().threads(1).streams(&stream, &stream, &mut |_| count += 1);
    /// assert_eq!(count, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Diff {
        self.threads = threads;
        self
    }

    /// Compares all of two streams.
    ///
    /// ```
    /// let open = |bytes| dudley::Open::new().layout_text("x = u1  y = u1")?.raw().bytes(bytes);
    /// let mut paths = Vec::new();
    /// dudley::diff::Diff::new().streams(&open([1, 2])?, &open([1, 3])?, &mut |found| {
    ///     paths.extend(found.map(|difference| difference.path().to_owned()));
    /// });
    /// assert_eq!(paths, ["/y"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn streams(&self, a: &Stream, b: &Stream, found: &mut Found<'_>) {
        self.items(&a.root(), &b.root(), found);
    }

    /// Compares two items with all below them, under the path of the first.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*2")?.raw().bytes([1, 2])?;
    /// let (a, b) = (stream.get("/l/0")?, stream.get("/l/1")?);
    /// let mut paths = Vec::new();
    /// dudley::diff::Diff::new().items(&a, &b, &mut |found| {
    ///     paths.extend(found.map(|difference| difference.path().to_owned()));
    /// });
    /// assert_eq!(paths, ["/l/0/x"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn items(&self, a: &Item, b: &Item, found: &mut Found<'_>) {
        self.items_with(a, b, found, &mut |_| {});
    }

    /// [`Self::items`]; `progress` learns how many more bytes of one stream were compared.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[100]")?.raw().bytes([7; 100])?;
    /// let (root, mut bytes) = (stream.root(), 0);
    /// let diff = dudley::diff::Diff::new();
    /// diff.items_with(&root, &root, &mut |_| (), &mut |more| bytes += more);
    /// assert_eq!(bytes, 100);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn items_with(
        &self,
        a: &Item,
        b: &Item,
        found: &mut Found<'_>,
        progress: &mut dyn FnMut(u64),
    ) {
        Pass { diff: self, names: Names::default(), found, progress }
            .items(&a.limited(), &b.limited());
    }

    /// Compares two arrays under a path. If the path has slices, patterns match the path as written, and the
    /// path of the item without slices.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2]  y = u1[2]")?.raw().bytes([1, 2, 1, 3])?;
    /// let (x, y) = (stream.get("/x")?.data()?, stream.get("/y")?.data()?);
    /// let mut count = 0;
    /// dudley::diff::Diff::new().data("/x", &x, &y, &mut |_| count += 1)?;
    /// assert_eq!(count, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading either fails.
    pub fn data(&self, path: &str, a: &Data, b: &Data, found: &mut Found<'_>) -> Result<()> {
        self.picked(path, path, a, b, found)
    }

    /// As [`Self::data`], under another path than the one, `written`, that picks the arrays: one of
    /// several.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*2")?.raw().bytes([1, 2])?;
    /// let (a, b) = (stream.get("/l/0/x")?.data()?, stream.get("/l/1/x")?.data()?);
    /// let mut paths = Vec::new();
    /// dudley::diff::Diff::new().picked("/l[:]/x", "/l/0/x", &a, &b, &mut |found| {
    ///     paths.extend(found.map(|difference| difference.path().to_owned()));
    /// })?;
    /// assert_eq!(paths, ["/l/0/x"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn picked(
        &self,
        written: &str,
        path: &str,
        a: &Data,
        b: &Data,
        found: &mut Found<'_>,
    ) -> Result<()> {
        for data in [a, b] {
            elements::of(&data.stream, data.check_there())?;
        }
        let names = Names::of(written, path, a);
        Pass { diff: self, names, found, progress: &mut |_| {} }.whole(path, a, b)
    }

    /// Whether a path is left out.
    ///
    /// ```
    /// use dudley::diff::{Diff, Glob};
    ///
    /// let diff = Diff::new().ignore(Glob::new("/grp/*"));
    /// assert!(diff.is_ignored("/grp/x") && !diff.is_ignored("/x"));
    /// ```
    pub fn is_ignored(&self, path: &str) -> bool {
        self.is_one_ignored(&[path.to_owned()])
    }

    /// Whether what has some paths is left out.
    fn is_one_ignored(&self, paths: &[String]) -> bool {
        // All are asked, so that each knows whether it matches anything.
        self.ignored.iter().filter(|glob| is_match(glob, paths)).count() > 0
    }

    /// Whether all items of a list are treated alike.
    fn treats_alike(&self) -> bool {
        let globs = self.ignored.iter().chain(self.changes.iter().map(|(glob, _)| glob));
        !self.attributes && !globs.into_iter().any(Glob::names_index)
    }

    /// How far the numbers of an array of some paths may be apart.
    fn tolerance_at(&self, paths: &[String], data: &Data) -> Tolerance {
        let mut tolerance = self.tolerance;
        if let Some(doc) = data.doc {
            Change::stated(data.stream.layout().attributes(doc)).apply(&mut tolerance);
        }
        for (_, change) in self.changes.iter().filter(|(glob, _)| is_match(glob, paths)) {
            change.apply(&mut tolerance);
        }
        tolerance
    }
}

fn is_match(glob: &Glob, paths: &[String]) -> bool {
    paths.iter().any(|path| glob.matches(path))
}
