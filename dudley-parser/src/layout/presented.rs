//! The presentation of an array by its attributes (spec 7.7).

use super::{Array, DocKey, Element, Layout, RecordId, Step};
use crate::comments::{AttrValue, Attribute};
use crate::span::Span;

/// The attributes that present an array as a strided view.
pub const VIEW: [&str; 3] = ["view_shape", "view_strides", "view_offset"];

/// How the dimensions are presented that an array has of its own, those of the type of its elements being others.
///
/// ```
/// use dudley_parser::layout::presented::Presented;
///
/// let layout = dudley_parser::check(b"x = f8[2, 3]  #: order = \"F\"").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert_eq!(layout.layers(x).unwrap()[0].presented, Presented::Columns);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Presented<'l> {
    /// As they are stored: the last one varies fastest.
    Rows,
    /// They are written as the program has them: the first one varies fastest.
    Columns,
    /// The one dimension as others.
    View(View<'l>),
}

/// A strided view of the elements of an array of one dimension.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8[6]  #: view_shape = [2, 3], view_strides = [8, 16]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let view = layout.view_of(x).unwrap();
/// assert_eq!((view.shape, view.strides), (&[2, 3][..], Some(&[8, 16][..])));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct View<'l> {
    /// Elements in each dimension, from 0 on.
    pub shape: &'l [i64],
    /// Bytes from one index to the next, for each dimension; `None` where elements are side by side.
    pub strides: Option<&'l [i64]>,
    /// Bytes from where the array begins to the element of indices 0, from 0 on.
    pub offset: i64,
    /// Its place in the text.
    pub span: Span,
}

/// Dimensions that are presented together.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8[2, 3]").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// let layers = layout.layers(x).unwrap();
/// assert_eq!((layers.len(), layers[0].rank), (1, 2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Layer<'l> {
    /// How many, as they are stored.
    pub rank: usize,
    /// How they are presented.
    pub presented: Presented<'l>,
}

/// Why an array cannot be presented as its attributes say.
///
/// ```
/// let layout = dudley_parser::check(b"x = f8[9]  #: chunks = 3").layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert!(layout.chunks(x.span).unwrap_err().why.contains("list of integers"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The attribute.
    pub span: Span,
    /// The fault, as part of a sentence.
    pub why: String,
    /// The cure.
    pub help: &'static str,
}

impl Attribute {
    /// Whether it says that dimensions are written fastest first.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[2, 3]  #: order = \"F\"").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert!(layout.attributes(dudley_parser::layout::DocKey::of(x.span))[0].is_columns());
    /// ```
    pub fn is_columns(&self) -> bool {
        self.name == "order" && self.text() == Some("F")
    }

    /// Whether it says how an item is presented.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[2, 3]  #: order = \"F\", unit = \"m\"").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let attributes = layout.attributes(dudley_parser::layout::DocKey::of(x.span));
    /// assert_eq!(attributes.iter().map(|it| it.presents()).collect::<Vec<_>>(), [true, false]);
    /// ```
    pub fn presents(&self) -> bool {
        self.is_columns() || VIEW.contains(&self.name.as_str())
    }
}

impl Layout {
    /// The dimensions of an array from the outermost on: its own ones, and those of each type that it is a typedef of.
    ///
    /// ```
    /// let text = "M {\"\" = f8[2, 3]  #: order = \"F\"\n}\nx = M[4]";
    /// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
    /// let (_, x) = layout.arrays().find(|(_, array)| layout.name(array.name) == "x").unwrap();
    /// let layers = layout.layers(x).unwrap();
    /// assert_eq!(layers.iter().map(|layer| layer.rank).collect::<Vec<_>>(), [1, 2]);
    /// ```
    ///
    /// # Errors
    /// If attributes do not fit the array, or each other.
    pub fn layers(&self, array: &Array) -> Result<Vec<Layer<'_>>, Misfit> {
        let mut layers = Vec::new();
        let mut array = array;
        loop {
            let member = array.typedef.and_then(|id| self.first_member(id));
            let inner = member.map_or(0, |member| member.rank);
            let rank = array.rank.saturating_sub(inner) as usize;
            let presented = self.presented(array, rank, inner > 0)?;
            if let Presented::View(view) = &presented {
                self.only_view(member, view.span)?;
                layers.push(Layer { rank: array.rank as usize, presented });
                return Ok(layers);
            }
            layers.push(Layer { rank, presented });
            match member {
                Some(member) => array = member,
                None => return Ok(layers),
            }
        }
    }

    /// The dimensions among which the first one of an array is; `None` if it has none, or attributes do not fit.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[2, 3]  y = f8").layout.unwrap();
    /// let ranks = layout.arrays().map(|(_, array)| layout.outermost(array).map(|it| it.rank));
    /// assert_eq!(ranks.collect::<Vec<_>>(), [Some(2), None]);
    /// ```
    pub fn outermost(&self, array: &Array) -> Option<Layer<'_>> {
        self.layers(array).ok()?.into_iter().find(|layer| layer.rank > 0)
    }

    /// How many dimensions an array is presented with, those of -1 among them.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[6]  #: view_shape = [2, 3], view_strides = [8, 16]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.presented_rank(x), 2);
    /// ```
    pub fn presented_rank(&self, array: &Array) -> usize {
        match self.view_of(array) {
            Some(view) => (array.rank as usize).saturating_sub(1) + view.shape.len(),
            None => array.rank as usize,
        }
    }

    /// The view that the last dimension of an array is presented as.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8[6]  #: view_shape = [2, 3], view_strides = [8, 16]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.view_of(x).unwrap().shape, [2, 3]);
    /// ```
    pub fn view_of(&self, array: &Array) -> Option<View<'_>> {
        let layers = if array.presented { self.layers(array).ok()? } else { return None };
        match layers.into_iter().next_back()?.presented {
            Presented::View(view) => Some(view),
            _ => None,
        }
    }

    /// Whether attributes of an array, or of the types that it is a typedef of, say something of how it is presented.
    pub(crate) fn says_presented(&self, array: &Array) -> bool {
        let mut array = array;
        loop {
            let mut said = self.attributes(DocKey::of(array.span)).iter();
            if said.any(Attribute::presents) {
                return true;
            }
            match array.typedef.and_then(|id| self.first_member(id)) {
                Some(member) => array = member,
                None => return false,
            }
        }
    }

    /// What the attributes of one array say; `inner` if the type of its elements has dimensions, too.
    fn presented(&self, array: &Array, rank: usize, inner: bool) -> Result<Presented<'_>, Misfit> {
        let said = |name: &str| self.attribute(DocKey::of(array.span), name);
        let columns = said("order").filter(|it| it.is_columns());
        let Some(first) = VIEW.iter().find_map(|name| said(name)) else {
            return match columns {
                Some(order) if rank > 1 => self.columns(array, inner, order.span),
                _ => Ok(Presented::Rows),
            };
        };
        if let Some(order) = columns {
            let why = format!("`order` and `{}` both say how it is presented", first.name);
            return Err(Misfit { span: order.span, why, help: "strides can have any order" });
        }
        self.view(array, said, first)
    }

    fn columns(&self, array: &Array, inner: bool, span: Span) -> Result<Presented<'_>, Misfit> {
        let misfit = |why: &str, help| Err(Misfit { span, why: why.to_owned(), help });
        if self.elements(array).is_some_and(|it| it.is_text()) && !inner {
            let why =
                "the last dimension of text counts the characters of each, which are side by side";
            return misfit(
                why,
                "give the text a type: `NAME {\"\" = S1[8]}`, then `x = NAME[2, 3]`",
            );
        }
        if self.is_array_varying(array) {
            let why = "structs that differ in size follow each other as they are stored";
            return misfit(why, "write the dimensions slowest first, without `order`");
        }
        Ok(Presented::Columns)
    }

    fn view<'l>(
        &'l self,
        array: &Array,
        said: impl Fn(&str) -> Option<&'l Attribute>,
        first: &'l Attribute,
    ) -> Result<Presented<'l>, Misfit> {
        let at = |it: &Attribute, why: String, help| Err(Misfit { span: it.span, why, help });
        let Some(shape) = said("view_shape") else {
            let help = "add `view_shape = [2, 3]`";
            return at(first, format!("`{}` needs `view_shape`", first.name), help);
        };
        let help = "write `view_shape = [2, 3]`";
        let AttrValue::Ints(dims) = &shape.value else {
            return at(shape, "`view_shape` is a list of integers".to_owned(), help);
        };
        if let Some(dim) = dims.iter().find(|dim| **dim < 0) {
            return at(shape, format!("a dimension of {dim} in `view_shape`"), help);
        }
        let strides = match said("view_strides") {
            None => None,
            Some(it) => match &it.value {
                AttrValue::Ints(strides) if strides.len() == dims.len() => Some((it, strides)),
                _ => {
                    let why = format!(
                        "`view_strides` is a list of {} integers, one for each of `view_shape`",
                        dims.len()
                    );
                    return at(it, why, "strides are in bytes");
                }
            },
        };
        let offset = match said("view_offset").map(|it| (it, &it.value)) {
            None => 0,
            Some((_, AttrValue::Int(offset))) if *offset >= 0 => *offset,
            Some((it, _)) => {
                let why = "`view_offset` is an integer from 0 on".to_owned();
                return at(it, why, "it is in bytes from where the item begins");
            }
        };
        if array.rank != 1 {
            let why =
                format!("a view is one of an item of one dimension, and this has {}", array.rank);
            return at(shape, why, "write the item as it is stored: `x = f8[6]`");
        }
        if let Some(stated) = said("const") {
            let why = "`const` does not say of which elements it is".to_owned();
            return at(stated, why, "state it of another item at the same address");
        }
        if self.is_array_varying(array) {
            let why = "structs that differ in size are not a number of bytes apart".to_owned();
            return at(shape, why, "leave it out");
        }
        if let Some(text) = self.elements(array).filter(|it| it.is_text()) {
            let last = strides.map(|(_, strides)| strides.last().copied());
            let side_by_side = last.is_none_or(|last| last == Some(text.size() as i64));
            if dims.is_empty() || !side_by_side {
                let why = "the last dimension of text counts the characters of each, which are side by side";
                let help = "let the last stride be the bytes of a character";
                return at(strides.map_or(shape, |(it, _)| it), why.to_owned(), help);
            }
        }
        let strides = strides.map(|(_, strides)| &strides[..]);
        Ok(Presented::View(View { shape: dims, strides, offset, span: shape.span }))
    }

    /// Checks that no type within says how it is presented besides.
    fn only_view(&self, member: Option<&Array>, span: Span) -> Result<(), Misfit> {
        match member.filter(|member| self.says_presented(member)) {
            None => Ok(()),
            Some(_) => {
                let why = "the type of the item says how it is presented, too".to_owned();
                Err(Misfit { span, why, help: "say it in one of the two places" })
            }
        }
    }

    /// Whether elements are structs that differ in size, or hold such.
    pub(crate) fn is_array_varying(&self, array: &Array) -> bool {
        let Element::Record(id) = array.element else { return false };
        self.is_record_varying(id)
    }

    fn is_record_varying(&self, id: RecordId) -> bool {
        let record = &self[id];
        record.per_instance
            || record.transparent
            || self.run(record.members).iter().any(|step| match *step {
                Step::Array(member) => self.is_array_varying(&self[member]),
                _ => false,
            })
    }
}
