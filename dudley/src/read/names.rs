//! Names of integers, which attributes say, beside them where they are shown.

use std::collections::BTreeMap;

use dudley_parser::Layout;
use dudley_parser::comments::{Attribute, value_names};
use dudley_parser::layout::{DocKey, Element, RecordId, Step};

use crate::elements::value::{Scalar, Sink};
use crate::error::Result;
use crate::read::data::Data;
use crate::read::dtype::Dtype;

/// What shows an integer with the name that its attributes give it.
pub trait ShowsNames: Sink {
    /// Shows both.
    ///
    /// # Errors
    /// As those of a [`Sink`].
    fn named(&mut self, value: i128, name: &str) -> Result<()>;
}

/// The names of the values of an item, and of those of its fields: attributes `names` and `values` (rule 7.4).
#[derive(Debug, Default)]
pub struct Names {
    values: BTreeMap<i64, String>,
    fields: BTreeMap<String, Names>,
}

impl Names {
    /// Those of an array.
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
        let record = match data.dtype() {
            Dtype::Primitive(..) => None,
            Dtype::Record(record) => record.id,
            Dtype::Variable(id) => Some(*id),
        };
        Names::new(layout, data.attributes(), record)
    }

    /// Those that attributes give the values of a param.
    pub fn said(attributes: &[Attribute]) -> Names {
        let named = value_names(attributes).into_iter();
        let values = named.map(|(value, name)| (value, name.to_owned())).collect();
        Names { values, fields: BTreeMap::new() }
    }

    fn new(layout: &Layout, attributes: &[Attribute], record: Option<RecordId>) -> Names {
        let members = record.map_or(&[][..], |record| layout.run(layout[record].members));
        let fields = members.iter().filter_map(|step| {
            let (name, span, inner) = match *step {
                Step::Param(id) => (layout.param_key(record?, id), layout[id].span, None),
                Step::Array(id) => {
                    let inner = match layout[id].element {
                        Element::Record(inner) => Some(inner),
                        Element::Primitive(..) => None,
                    };
                    (layout.name(layout[id].name).to_owned(), layout[id].span, inner)
                }
                _ => return None,
            };
            Some((name, Names::new(layout, layout.attributes(DocKey::of(span)), inner)))
        });
        Names { fields: fields.collect(), ..Names::said(attributes) }
    }

    /// The name of a value.
    pub fn name(&self, value: i128) -> Option<&str> {
        let value = i64::try_from(value).ok()?;
        self.values.get(&value).map(String::as_str)
    }
}

/// Hands on what is decoded, with names.
pub struct Named<'n, S> {
    to: &'n mut S,
    /// Those of the item or field at hand, and of the structs around it.
    names: Option<&'n Names>,
    around: Vec<Option<&'n Names>>,
}

impl<'n, S: ShowsNames> Named<'n, S> {
    /// To what shows it.
    pub fn new(names: &'n Names, to: &'n mut S) -> Self {
        Named { to, names: Some(names), around: Vec::new() }
    }
}

impl<S: ShowsNames> Sink for Named<'_, S> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        if let (Some(names), Scalar::Int(value)) = (self.names, &value)
            && let Some(name) = names.name(*value)
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
