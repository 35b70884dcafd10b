//! How dimensions are called (spec 7.6), and which kind of stream a layout is for.

use super::{Array, Count, DocKey, Layout};
use crate::comments::{AttrValue, Attribute};

impl Attribute {
    /// The names that it gives dimensions, if it is `dims` and gives any.
    pub(crate) fn dim_names(&self) -> Option<Vec<&str>> {
        match &self.value {
            AttrValue::Text(one) => Some(vec![one]),
            AttrValue::Texts(names) => Some(names.iter().map(String::as_str).collect()),
            _ => None,
        }
    }
}

impl Layout {
    /// The names of the dimensions of an array, those of -1 among them: what the attribute `dims` says, else those of the
    /// params that they are. A dimension that is a number or an expression has none.
    ///
    /// ```
    /// let text = "N : 2\nx = f8[N, 3]\ny = f8[N, 3]  #: dims = [\"time\", \"axis\"]";
    /// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
    /// let names: Vec<_> = layout.arrays().map(|(_, array)| layout.dim_names(array)).collect();
    /// assert_eq!(names, [[Some("N"), None], [Some("time"), Some("axis")]]);
    /// ```
    pub fn dim_names(&self, array: &Array) -> Vec<Option<&str>> {
        match self.stated_dims(DocKey::of(array.span), self.presented_rank(array)) {
            Some(names) => names.into_iter().map(Some).collect(),
            None => {
                let name = |count: Count| match count {
                    Count::Param(id, 0) => Some(self.name(self[id].name)),
                    _ => None,
                };
                let dims = self.dims(array).iter();
                let mut names: Vec<_> = dims.map(|dim| name(dim.count)).collect();
                if let Some(view) = self.view_of(array) {
                    names.truncate(names.len().saturating_sub(1));
                    names.extend(view.shape.iter().map(|_| None));
                }
                names
            }
        }
    }

    /// The names that the attribute `dims` of anything gives this many dimensions, if it does.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8[2, 3]  #: dims = [\"time\", \"axis\"]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.stated_dims(DocKey::of(x.span), 2), Some(vec!["time", "axis"]));
    /// ```
    pub fn stated_dims(&self, key: DocKey, rank: usize) -> Option<Vec<&str>> {
        let said = self.attribute(key, "dims").and_then(Attribute::dim_names);
        said.filter(|names| names.len() == rank)
    }

    /// Whether it says that it is the layout of raw streams, which have no signature: by the attribute
    /// `stream = "raw"` before any item.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"#: stream = \"raw\"\nx = f8").layout.unwrap();
    /// assert!(layout.is_of_raw());
    /// ```
    pub fn is_of_raw(&self) -> bool {
        self.attribute(DocKey::LAYOUT, "stream").is_some_and(|attribute| attribute.is_raw())
    }
}

impl Attribute {
    /// Whether `stream` says that streams are raw.
    fn is_raw(&self) -> bool {
        matches!(&self.value, AttrValue::Text(kind) if kind == "raw")
    }

    /// Whether `stream` says what streams are.
    pub(crate) fn is_stream_kind(&self) -> bool {
        self.is_raw() || matches!(&self.value, AttrValue::Text(kind) if kind == "native")
    }
}
