//! Quantities: a number or an array with its unit.

use dudley::ByteOrder;
use dudley::read::path::{Part, parse, spell};

use super::array::Array;
use super::datatype::Datatype;
use super::error::Result;
use super::file::AsdfFile;
use super::item::Item;
use super::ndarray::{Inline, Spec};
use super::tag::complex_of;
use super::tree::{Node, NodeKind};

/// A number or an array with its unit: `!unit/quantity {unit: g / cm3, value: …}`.
#[derive(Clone, Debug)]
pub struct Quantity {
    unit: String,
    value: Item,
    /// The type of a single number, where it is said.
    datatype: Option<Item>,
}

impl Item {
    /// The quantity that it is: a number or array with a unit, and nothing else but the type of the number.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let quantity = "!unit/quantity-1.3.0 {datatype: float32, unit: !unit/unit-1.0.0 Jy, value: 2.5}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: {quantity}\n...\n");
    /// let file = Open::new().bytes(text)?;
    /// let quantity = file.get("/x")?.quantity().expect("it is one");
    /// assert_eq!((quantity.unit(), quantity.value().path()), ("Jy", "/x/value"));
    /// let number = quantity.array()?.expect("it has a type");
    /// assert_eq!((number.shape(), number.read::<f32>()?.sum()), (&[][..], 2.5));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn quantity(&self) -> Option<Quantity> {
        let node = self.node();
        let tagged = node.short_tag().is_some_and(|tag| tag.starts_with("unit/quantity"));
        let datatype = node.get("datatype");
        let known = 2 + usize::from(datatype.is_some());
        if !tagged || node.kind() != NodeKind::Mapping || node.len() != known {
            return None;
        }
        let unit = node.get("unit").and_then(Node::text)?.to_owned();
        let below =
            |node: Node<'_>| self.items().into_iter().find(|it| it.node().id() == node.id());
        let value = below(node.get("value")?)?;
        let single = value.node().kind() == NodeKind::Scalar;
        let number = value.node().as_f64().is_some() || complex_of(value.node()).is_some();
        let datatype = datatype.and_then(below).filter(|_| single);
        let fits = value.is_array() || single && (number || datatype.is_some());
        fits.then_some(Quantity { unit, value, datatype })
    }
}

impl AsdfFile {
    /// A path, of which slices and fields are those of the value if it leads to a quantity: `/q/value[1:]` of `/q[1:]`.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml};
    ///
    /// let q = Yaml::quantity(NewArray::from(vec![1.5, 2.5]), "m");
    /// let file = Open::new().bytes(Builder::new().put("q", q).to_bytes()?)?;
    /// assert_eq!(file.path_of_value("/q[1:]")?, "/q/value[1:]");
    /// assert_eq!(file.path_of_value("/q/value[1:]")?, "/q/value[1:]");
    /// assert_eq!(file.path_of_value("/q")?, "/q");
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it is no path.
    pub fn path_of_value(&self, path: &str) -> Result<String> {
        let parts = parse(path)?;
        let is_slice = |part: &Part| matches!(part, Part::Slice(_) | Part::Field(_));
        let Some(at) = parts.iter().position(is_slice) else { return Ok(path.to_owned()) };
        // That there is nothing of it is said by the code that looks for all of the path.
        let found = self.get(&spell(&parts[..at])).ok();
        let Some(quantity) = found.and_then(|item| item.quantity()) else {
            return Ok(path.to_owned());
        };
        let mut value = parse(quantity.value().path())?;
        value.extend_from_slice(&parts[at..]);
        Ok(spell(&value))
    }
}

impl Item {
    /// The array without dimensions that it is, if it is the number of a quantity that says its type.
    pub(super) fn typed(&self) -> Result<Option<Array>> {
        if self.node().kind() != NodeKind::Scalar {
            return Ok(None);
        }
        let quantity = self.parent().and_then(|parent| parent.quantity());
        let quantity = quantity.filter(|quantity| quantity.value.node().id() == self.node().id());
        // It is named as it was found.
        quantity.map_or(Ok(None), |it| Quantity { value: self.clone(), ..it }.array())
    }
}

impl Quantity {
    /// Its unit, as the tree spells it.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Its value.
    pub fn value(&self) -> &Item {
        &self.value
    }

    /// The array that its value is. A number whose type is said is one without dimensions; `None` for a number without.
    ///
    /// # Errors
    /// As [`Item::array`]; [`Error::Node`](super::Error::Node) for what is no type, or a number that is none of its type.
    pub fn array(&self) -> Result<Option<Array>> {
        let (file, path) = (self.value.file(), self.value.path());
        let Some(datatype) = &self.datatype else {
            return if self.value.is_array() { self.value.array().map(Some) } else { Ok(None) };
        };
        let datatype = Datatype::parse(datatype.node(), ByteOrder::Little, datatype.path())?;
        let node = self.value.node();
        let (datatype, shape) = (Some(datatype), Some(Vec::new()));
        let spec = Spec::Inline(Inline { data: node.id(), datatype, shape, mask: None });
        let array = Array::stated_by(file, node, path, spec)?;
        // That the number is one of the type.
        array.data()?;
        Ok(Some(array))
    }
}
