//! Elements of an array as lists in the tree.

use dudley::elements::{Part, Scalar as Shown, Sink};
use dudley::{Data, Primitive};

use super::super::array::mask::{Booleans, Mask, Masked, repeated};
use super::super::array::missing::cells_of;
use super::super::array::missing::{Elements, Missing};
use super::super::array::too_large;
use super::super::datatype::Datatype;
use super::super::error::Result;
use super::yaml::array::{NewArray, NewMask};
use super::yaml::{Content, LITERALS, Yaml};

/// The elements in lists; `None` if the tree cannot have them: integers of more than 63 bits, text of ASCII that
/// is none. Masked elements are null.
pub(super) fn lists(array: &NewArray<'_>, path: &str) -> Result<Option<Yaml<'static>>> {
    if array.shape.is_empty() || has_wide(&array.datatype) {
        return Ok(None);
    }
    let data = data(array, path)?;
    let mut lists = Lists { ascii: has_ascii(&array.datatype), ..Lists::default() };
    match &array.mask {
        None => data.emit(&mut lists, false)?,
        Some(mask) => {
            let (datatype, shape) = (&array.datatype, &array.shape);
            let missing = missing(mask, &Elements { path, data: &data, datatype, shape })?;
            data.emit(&mut Masked::new(&mut lists, &missing), false)?;
        }
    }
    Ok(lists.done.filter(|_| !lists.unfit))
}

/// The array of the engine that a new array is.
fn data(array: &NewArray<'_>, path: &str) -> Result<Data> {
    let parts = array.datatype.parts(None, &array.shape).ok_or_else(too_large)?;
    let strides = array.strides.as_deref().unwrap_or_default();
    let bytes = array.pieces.bytes()?.into_owned();
    Ok(parts.at(array.offset).strides(strides).path(path).data(bytes)?)
}

/// Which elements, or cells of structs, have no value.
fn missing(mask: &NewMask<'_>, elements: &Elements<'_>) -> Result<Missing> {
    match mask {
        NewMask::Nan => Mask::Nan.of(elements),
        NewMask::Int(value) => Mask::Int(*value).of(elements),
        NewMask::Number(re, im) => Mask::Number(*re, *im).of(elements),
        NewMask::Array(array) => {
            let data = data(array, elements.path)?;
            let booleans = match array.datatype {
                Datatype::Record(_) => Booleans::OfCells(cells_of(&data)?),
                _ => Booleans::OfElements(data.read::<bool>()?),
            };
            repeated(&booleans, elements)
        }
    }
}

fn has_wide(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::Wide(_) => true,
        Datatype::Record(fields) => fields.iter().any(|field| has_wide(&field.datatype)),
        _ => false,
    }
}

fn has_ascii(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::Text(primitive, ..) => *primitive == Primitive::S1,
        Datatype::Record(fields) => fields.iter().any(|field| has_ascii(&field.datatype)),
        _ => false,
    }
}

/// Builds lists of values.
#[derive(Default)]
struct Lists {
    open: Vec<Vec<Yaml<'static>>>,
    done: Option<Yaml<'static>>,
    ascii: bool,
    /// Something that the tree cannot have.
    unfit: bool,
}

impl Lists {
    fn push(&mut self, yaml: Yaml<'static>) {
        match self.open.last_mut() {
            Some(list) => list.push(yaml),
            None => self.done = Some(yaml),
        }
    }

    fn end(&mut self) {
        if let Some(list) = self.open.pop() {
            self.push(Yaml::new(Content::Sequence(list)).flow());
        }
    }
}

impl Sink for Lists {
    fn scalar(&mut self, value: Shown<'_>) -> dudley::Result<()> {
        let yaml = match value {
            Shown::Null => Yaml::null(),
            Shown::Bool(value) => Yaml::from(value),
            Shown::Int(value) => {
                self.unfit |= !LITERALS.contains(&value);
                Yaml::plain(value.to_string())
            }
            Shown::Float(value, size) => float(value, size),
            Shown::Complex(Part::Float(re, _), Part::Float(im, _)) => {
                Yaml::from(dudley::num_complex::Complex::new(re, im))
            }
            Shown::Text(text) => {
                self.unfit |= self.ascii && !text.is_ascii();
                Yaml::from(text)
            }
            Shown::Complex(..) | Shown::Bits(_) => {
                self.unfit = true;
                Yaml::null()
            }
        };
        self.push(yaml);
        Ok(())
    }

    fn begin_array(&mut self, _: u64) -> dudley::Result<()> {
        self.open.push(Vec::new());
        Ok(())
    }

    fn end_array(&mut self) -> dudley::Result<()> {
        self.end();
        Ok(())
    }

    fn begin_struct(&mut self) -> dudley::Result<()> {
        self.open.push(Vec::new());
        Ok(())
    }

    fn end_struct(&mut self) -> dudley::Result<()> {
        self.end();
        Ok(())
    }
}

/// A float by the fewest digits that give back one of its size.
fn float(value: f64, size: u64) -> Yaml<'static> {
    if size < 8 { Yaml::from(value as f32) } else { Yaml::from(value) }
}
