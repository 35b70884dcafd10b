//! Names of integers, which attributes say, beside them where they are shown.

use std::collections::BTreeMap;

use dudley_parser::comments::{Attribute, value_names};

use crate::elements::value::{Scalar, Sink};
use crate::error::Result;
use crate::read::data::Data;
use crate::read::data::fields::Fields;

/// The text of an integer with the name from its attributes.
pub trait ShowsNames: Sink {
    /// Shows both.
    ///
    /// # Errors
    /// As those of a [`Sink`].
    fn named(&mut self, value: i128, name: &str) -> Result<()>;
}

/// The names of the values of an item and of its fields: attributes `names` and `values` (rule 7.4).
#[derive(Debug, Default)]
pub struct Names(Fields<BTreeMap<i64, String>>);

impl Names {
    /// The names of an array.
    ///
    /// ```
    /// let text = "phase = u1[2]  #: names = [\"solid\", \"gas\"]";
    /// let stream = dudley::Open::new().layout_text(text)?.bytes([1, 0])?;
    /// let names = dudley::read::Names::of(&stream.get("/phase")?.data()?);
    /// assert_eq!(names.name(1), Some("gas"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn of(data: &Data) -> Names {
        let layout = data.layout();
        if !layout.has_attribute("names") {
            return Names::default();
        }
        Names(Fields::of(data, named))
    }

    /// The names that attributes give the values of a param.
    pub fn said(attributes: &[Attribute]) -> Names {
        Names(Fields { here: named(attributes), fields: BTreeMap::new() })
    }

    /// The name of a value.
    pub fn name(&self, value: i128) -> Option<&str> {
        name_of(&self.0.here, value)
    }
}

fn named(attributes: &[Attribute]) -> BTreeMap<i64, String> {
    let named = value_names(attributes).into_iter();
    named.map(|(value, name)| (value, name.to_owned())).collect()
}

fn name_of(names: &BTreeMap<i64, String>, value: i128) -> Option<&str> {
    let value = i64::try_from(value).ok()?;
    names.get(&value).map(String::as_str)
}

/// Passes decoded values on, with names.
pub struct Named<'n, S> {
    to: &'n mut S,
    /// Those of the item or field at hand, and of the structs around it.
    names: Option<&'n Fields<BTreeMap<i64, String>>>,
    around: Vec<Option<&'n Fields<BTreeMap<i64, String>>>>,
}

impl<'n, S: ShowsNames> Named<'n, S> {
    /// The next sink.
    pub fn new(names: &'n Names, to: &'n mut S) -> Self {
        Named { to, names: Some(&names.0), around: Vec::new() }
    }
}

impl<S: ShowsNames> Sink for Named<'_, S> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        if let (Some(names), Scalar::Int(value)) = (self.names, &value)
            && let Some(name) = name_of(&names.here, *value)
        {
            return self.to.named(*value, name);
        }
        self.to.scalar(value)
    }

    fn begin_array(&mut self, length: u64) -> Result<()> {
        self.to.begin_array(length)
    }

    fn end_array(&mut self) -> Result<()> {
        self.to.end_array()
    }

    fn begin_struct(&mut self) -> Result<()> {
        self.around.push(self.names);
        self.to.begin_struct()
    }

    fn field(&mut self, name: &str) -> Result<()> {
        let around = self.around.last().copied().flatten();
        self.names = around.and_then(|names| names.fields.get(name));
        self.to.field(name)
    }

    fn end_struct(&mut self) -> Result<()> {
        self.names = self.around.pop().flatten();
        self.to.end_struct()
    }
}
