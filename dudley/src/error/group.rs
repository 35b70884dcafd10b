//! Groups of errors, for interfaces of other languages, which have only a few kinds.

use super::Error;

/// The group of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Group {
    /// There is nothing of a name or path.
    NotFound,
    /// An index is out of range, or there are too many.
    BadIndex,
    /// A request or a value does not fit.
    BadValue,
    /// A file cannot be opened, read or written, or is there already.
    File,
    /// A layout has errors, or there is none.
    Layout,
    /// A file is of no format that is known.
    UnknownFormat,
    /// A writer or appender was used after its end.
    Closed,
    /// The bytes of a file are not what its layout or its format says.
    Data,
}

impl Error {
    /// The group of this error.
    ///
    /// ```
    /// use dudley::error::Group;
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes(vec![1, 2, 3])?;
    /// assert_eq!(stream.get("/y").unwrap_err().group(), Group::NotFound);
    /// assert_eq!(stream.get("/x")?.read::<f64>().unwrap_err().group(), Group::BadValue);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn group(&self) -> Group {
        match self.cause() {
            Error::NoSuchItem { .. } | Error::NoSuchParam { .. } | Error::NoSuchMember { .. } => {
                Group::NotFound
            }
            Error::BadSlice { .. } => Group::BadIndex,
            Error::Io { .. }
            | Error::Exists { .. }
            | Error::Locked { .. }
            | Error::IsRead { .. }
            | Error::Store { .. } => Group::File,
            Error::Layout { .. } | Error::NoLayout | Error::NoText { .. } => Group::Layout,
            Error::UnknownFormat { .. } => Group::UnknownFormat,
            Error::Finished => Group::Closed,
            Error::StoreAddress { .. }
            | Error::WrongType { .. }
            | Error::WrongInput { .. }
            | Error::WrongShape { .. }
            | Error::WrongLength { .. }
            | Error::WrongValue { .. }
            | Error::LossyConversion { .. }
            | Error::BadPath { .. }
            | Error::Missing { .. }
            | Error::NotPrimitive { .. }
            | Error::NotInPlace { .. }
            | Error::NoView { .. }
            | Error::CannotGrow { .. }
            | Error::CannotCut { .. }
            | Error::NotData { .. }
            | Error::NotText { .. }
            | Error::Text { .. }
            | Error::Unused { .. }
            | Error::BadCondition { .. } => Group::BadValue,
            _ => Group::Data,
        }
    }
}
