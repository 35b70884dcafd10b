//! Families whose members are of a layout that was known when the program was compiled.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::path::Path;

use super::same::difference;
use super::{Family, Member, MemberId};
use crate::error::{Error, Result};
use crate::read::stream::{Open, StreamKind};
use crate::typed::{Addresses, Params, Reader, Schema};

/// A family whose members are read through types that [`layout!`](crate::layout!) makes of their
/// layout. It dereferences to a [`Family`].
///
/// ```
/// dudley::layout!(mod run = "{time : f8  N : i8}\nrho = f8[N]  ## (g/cc) density");
///
/// # fn main() -> dudley::Result<()> {
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("runs.bd");
/// # let mut files = Vec::new();
/// # for time in [1.0, 2.0, 3.0] {
/// #     let file = folder.path().join(format!("{time}.bd"));
/// #     let writer = dudley::typed::Create::new().file::<run::Layout>(&file, &run::Params { n: 2 })?;
/// #     writer.time().write(time)?;
/// #     writer.rho().write(&dudley::ndarray::array![time, 2.0 * time])?;
/// #     writer.finish()?;
/// #     files.push(file);
/// # }
/// # dudley::family::Build::new().layout_of::<run::Layout>()?.create(&path, &files, false)?;
/// let runs = run::Family::open(&path)?;
/// for member in runs.select("time > 1.5 and N = 2")? {
///     let member = runs.member(member)?;
///     // From the catalog: no file is opened.
///     assert_eq!(member.params()?.n, 2);
///     assert_eq!(member.addresses()?.rho().address()?, 32);
///     let time = member.summary()?.time().read()?;
///     // From the member.
///     assert_eq!(member.reader()?.rho().read()?[1], 2.0 * time);
/// }
/// # Ok(())
/// # }
/// ```
pub struct Typed<S: Schema> {
    family: Family,
    schema: PhantomData<fn() -> S>,
}

impl<S: Schema> Typed<S> {
    /// Opens a catalog whose members are of this layout.
    ///
    /// # Errors
    /// As [`Family::open`]; [`Error::Incompatible`] if they are of another layout.
    pub fn open(catalog: impl AsRef<Path>) -> Result<Self> {
        let family = Family::open(catalog)?;
        if family.identity() != S::known().hash() {
            return Err(other_layout::<S>(&family));
        }
        Ok(Self { family, schema: PhantomData })
    }

    /// All members, in the order of their files.
    pub fn members(&self) -> impl ExactSizeIterator<Item = TypedMember<'_, S>> {
        self.family.members().map(|member| TypedMember { member, schema: PhantomData })
    }

    /// A member by its number.
    ///
    /// # Errors
    /// [`Error::NoSuchMember`].
    pub fn member(&self, id: MemberId) -> Result<TypedMember<'_, S>> {
        Ok(TypedMember { member: self.family.member(id)?, schema: PhantomData })
    }
}

/// The first difference between the layouts of a family and of a type.
fn other_layout<S: Schema>(family: &Family) -> Error {
    let opened =
        S::known().layout().and_then(|layout| Open::new().layout(layout).raw().bytes(Vec::new()));
    let theirs = crate::parse_layout(family.layout().text().as_bytes());
    match (opened, theirs) {
        (Ok(ours), Ok(theirs)) => difference(&ours, theirs),
        (Err(error), _) | (_, Err(error)) => error,
    }
}

impl<S: Schema> Deref for Typed<S> {
    type Target = Family;

    fn deref(&self) -> &Family {
        &self.family
    }
}

impl<S: Schema> fmt::Debug for Typed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Typed").field(&self.family).finish()
    }
}

/// A member of a [`Typed`] family. It is a [`Member`] besides.
pub struct TypedMember<'f, S: Schema> {
    member: Member<'f>,
    schema: PhantomData<fn() -> S>,
}

impl<S: Schema> TypedMember<'_, S> {
    /// Its params, as the catalog has them.
    ///
    /// # Errors
    /// If a param has an illegal value.
    pub fn params(&self) -> Result<S::Params> {
        S::Params::of_stream(&self.member.summary()?)
    }

    /// The places of all its items, relative to its start in its file.
    ///
    /// # Errors
    /// As [`Addresses::new`].
    pub fn addresses(&self) -> Result<Addresses<S>> {
        let params = self.params()?;
        match self.member.kind() {
            StreamKind::Native => Addresses::new(&params),
            StreamKind::Raw => Addresses::raw(&params),
        }
    }

    /// A reader of its summary in the catalog. Other items are placed, but reading them is an
    /// error.
    ///
    /// # Errors
    /// If the summary cannot be placed.
    pub fn summary(&self) -> Result<Reader<S>> {
        let stream = self.member.summary()?;
        Ok(Reader::of_stream(stream))
    }

    /// A reader of its file.
    ///
    /// # Errors
    /// As [`Member::open`].
    pub fn reader(&self) -> Result<Reader<S>> {
        Ok(Reader::of_stream(self.member.open()?))
    }
}

impl<'f, S: Schema> Deref for TypedMember<'f, S> {
    type Target = Member<'f>;

    fn deref(&self) -> &Member<'f> {
        &self.member
    }
}

impl<S: Schema> fmt::Debug for TypedMember<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.member.fmt(f)
    }
}
