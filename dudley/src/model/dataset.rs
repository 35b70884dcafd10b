//! A file that is open, of whatever format.

use std::any::Any;
use std::sync::Arc;

use super::node::Node;
use crate::error::Result;
use crate::select::Selected;
use crate::value::Value;

/// What a format gives a [`Dataset`] of.
pub trait Content: Any + Send + Sync {
    /// What it is, with its article: "an ASDF file".
    fn describe(&self) -> &'static str;

    /// The dict that all is in.
    ///
    /// # Errors
    /// If it cannot be read.
    fn root(&self) -> Result<Node>;

    /// What is at a path without slices.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`](crate::Error::NoSuchItem) if there is nothing; what is wrong with the path.
    fn get(&self, path: &str) -> Result<Node>;

    /// What a path picks that may have slices and fields.
    ///
    /// # Errors
    /// As [`select`](crate::select::select).
    fn select(&self, path: &str) -> Result<Selected>;

    /// Whether arrays are decoded when they are read, so that their addresses are none of the file.
    fn is_decoded(&self) -> bool {
        false
    }

    /// What only this format knows of the whole, by names: no program interprets it.
    fn facts(&self) -> Vec<(String, Value)> {
        Vec::new()
    }
}

/// A file that is open, or bytes, of whatever format. Cheap to clone: clones share what was found out so far.
#[derive(Clone)]
pub struct Dataset {
    name: Arc<str>,
    content: Arc<dyn Content>,
}

impl Dataset {
    /// One of a format, and what to call it in messages.
    pub fn new(name: impl Into<Arc<str>>, content: impl Content) -> Dataset {
        Dataset { name: name.into(), content: Arc::new(content) }
    }

    /// What to call it in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, with its article: "an ASDF file".
    pub fn describe(&self) -> &'static str {
        self.content.describe()
    }

    /// The dict that all is in.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn root(&self) -> Result<Node> {
        self.content.root()
    }

    /// What is at a path without slices: `/run/rho`, `/list/3`.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`](crate::Error::NoSuchItem) if there is nothing; what is wrong with the path.
    pub fn get(&self, path: &str) -> Result<Node> {
        self.content.get(path)
    }

    /// What a path picks that may have slices and fields: `/rho[10:20, ::2]`, `/list[:]/x`.
    ///
    /// # Errors
    /// As [`select`](crate::select::select).
    pub fn select(&self, path: &str) -> Result<Selected> {
        self.content.select(path)
    }

    /// Whether arrays are decoded when they are read, so that their addresses are none of the file.
    pub fn is_decoded(&self) -> bool {
        self.content.is_decoded()
    }

    /// What only its format knows of the whole, by names.
    pub fn facts(&self) -> Vec<(String, Value)> {
        self.content.facts()
    }

    /// The file as the type of its own format, for what only that can do; none if it is of another one.
    ///
    /// ```
    /// use dudley::model::{Formats, Streamed};
    ///
    /// let open = dudley::Open::new().layout_text("x = u1[3]")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
    /// let stream = dataset.content::<Streamed>().expect("a stream").stream()?;
    /// assert_eq!(stream.layout().text(), "x = u1[3]");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn content<T: Content>(&self) -> Option<&T> {
        (&*self.content as &dyn Any).downcast_ref()
    }
}

impl std::fmt::Debug for Dataset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Dataset({:?}, {})", self.name, self.describe())
    }
}
