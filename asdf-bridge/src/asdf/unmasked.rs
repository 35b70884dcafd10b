//! Masked arrays without what has no value, for statistics; with other values in its place, to be compared and for files
//! that have no masks.

use dudley::{ByteOrder, Data, Primitive, Value};
use dudley_parser::layout::path::push_name;

use super::array::Array;
use super::array::missing::Missing;
use super::datatype::{Datatype, Field};
use super::error::{Error, Result};

/// An array, or a field of one, without what has no value.
#[derive(Clone, Debug)]
pub struct Unmasked {
    /// The suffix of the path of the array: nothing, or `.name` of a field.
    pub field: String,
    /// The elements that have a value, one after the other; if there is no mask, all as they are.
    pub data: Data,
}

/// A cell of an element.
struct Cell<'d> {
    /// Where it is in the element, and how many bytes it has.
    offset: usize,
    size: usize,
    datatype: &'d Datatype,
}

impl Array {
    /// The elements that have a value; if there are structs of which some cells have one and others not, those of each
    /// field.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let tree = "a: !core/ndarray-1.1.0 {data: [1, 7, 3], datatype: int8, mask: 7}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n{tree}\n...\n");
    /// let array = Open::new().bytes(text)?.array("/a")?;
    /// assert_eq!(array.unmasked()?[0].data.read::<i8>()?.as_slice(), Some(&[1, 3][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Self::missing`].
    pub fn unmasked(&self) -> Result<Vec<Unmasked>> {
        let field = String::new();
        let Some(missing) = self.missing()? else {
            return Ok(vec![Unmasked { field, data: self.data()? }]);
        };
        let data = self.data()?;
        if let Some(masked) = missing.elements() {
            let bytes = kept(&data.raw()?, masked.iter().copied(), masked.len());
            let size = self.datatype().size().unwrap_or(1).max(1);
            let shape = [bytes.len() as u64 / size];
            return Ok(vec![Unmasked { field, data: self.in_memory(bytes, &shape)? }]);
        }
        let mut found = Vec::new();
        self.fields(&field, self.datatype(), &data, &self.booleans(&missing)?, &mut found)?;
        Ok(found)
    }

    /// The cells of each field that have a value.
    fn fields(
        &self,
        before: &str,
        datatype: &Datatype,
        data: &Data,
        mask: &Data,
        found: &mut Vec<Unmasked>,
    ) -> Result<()> {
        let Datatype::Record(fields) = datatype else { return Ok(()) };
        for field in fields {
            let (data, mask) = (data.field(&field.name)?, mask.field(&field.name)?);
            let mut name = format!("{before}.");
            push_name(&mut name, &field.name);
            if matches!(field.datatype, Datatype::Record(_)) {
                self.fields(&name, &field.datatype, &data, &mask, found)?;
                continue;
            }
            let masked = mask.raw()?;
            let bytes = kept(&data.raw()?, masked.iter().map(|byte| *byte != 0), masked.len());
            let data = self.field_in_memory(field, bytes)?;
            found.push(Unmasked { field: name, data });
        }
        Ok(())
    }

    /// The array with zeros in place of what is missing, which is of its shape and type.
    ///
    /// # Errors
    /// As [`Self::data`]; [`dudley::Error::WrongShape`].
    pub fn zeroed(&self, missing: &Missing) -> Result<Data> {
        self.replaced(missing, &mut |cell, bytes| {
            bytes[..cell.size].fill(0);
            Ok(())
        })
    }

    /// The array with values in place of its cells that have none, each with the first one that its type holds; as it
    /// is, if it has no mask.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    /// use dudley::Value;
    ///
    /// let tree = "a: !core/ndarray-1.1.0 {data: [1, null], datatype: int8, shape: [2]}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n{tree}\n...\n");
    /// let array = Open::new().bytes(text)?.array("/a")?;
    /// let filled = array.filled(&[Value::Float(f64::NAN), Value::Int(-1)])?;
    /// assert_eq!(filled.read::<i8>()?.as_slice(), Some(&[1, -1][..]));
    /// assert!(array.filled(&[Value::Int(300)]).is_err());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Self::missing`]; [`Error::Unwritable`] if no value is one of a type of the cells.
    pub fn filled(&self, values: &[Value]) -> Result<Data> {
        let Some(missing) = self.missing()?.filter(Missing::any) else { return self.data() };
        let mut known: Vec<(&Datatype, Vec<u8>)> = Vec::new();
        self.replaced(&missing, &mut |cell, bytes| {
            let at = match known.iter().position(|(datatype, _)| *datatype == cell.datatype) {
                Some(at) => at,
                None => {
                    known.push((cell.datatype, self.encoded(cell.datatype, values)?));
                    known.len() - 1
                }
            };
            bytes[..cell.size].copy_from_slice(&known[at].1[..cell.size]);
            Ok(())
        })
    }

    /// The bytes of the first of some values that a type holds.
    fn encoded(&self, datatype: &Datatype, values: &[Value]) -> Result<Vec<u8>> {
        let mut why = String::new();
        let parts = self.parts_of(datatype, None, &[])?;
        for value in values {
            match parts.encode(&fitting(datatype, value)) {
                Ok(bytes) => return Ok(bytes),
                Err(dudley::Error::WrongValue { found, .. }) => why = found.into(),
                Err(error) => why = error.to_string(),
            }
        }
        Err(Error::Unwritable {
            what: self.path().into(),
            expected: format!("a value of its type {} for what is masked", datatype.spell(&[]))
                .into(),
            found: why.into(),
        })
    }

    /// The array with other bytes in place of some cells.
    fn replaced<'a>(
        &'a self,
        missing: &Missing,
        replace: &mut dyn FnMut(&Cell<'a>, &mut [u8]) -> Result<()>,
    ) -> Result<Data> {
        let data = self.held()?;
        if missing.cells().shape() != self.elements(&data).dims()? {
            let found: Vec<u64> = missing.cells().shape().iter().map(|dim| *dim as u64).collect();
            return Err(dudley::Error::wrong_shape(self.path(), self.shape(), &found).into());
        }
        let mut cells = Vec::new();
        push_cells(self.datatype(), 0, &mut cells);
        let mut raw = data.raw()?;
        let size = self.datatype().size().unwrap_or(1).max(1) as usize;
        let mut masked = missing.cells().iter().copied();
        for element in raw.chunks_exact_mut(size) {
            for (cell, _) in cells.iter().zip(masked.by_ref()).filter(|(_, masked)| *masked) {
                replace(cell, &mut element[cell.offset..])?;
            }
        }
        self.in_memory(raw, self.shape())
    }

    /// The missing elements as an array of booleans; of structs as structs of booleans with the same fields.
    ///
    /// # Errors
    /// [`dudley::Error::WrongShape`] when read, if it is of another shape.
    pub fn booleans(&self, missing: &Missing) -> Result<Data> {
        let datatype = if missing.is_of_structs() {
            self.datatype().mask()
        } else {
            Datatype::Number(Primitive::B1, ByteOrder::Little)
        };
        Ok(self.parts_of(&datatype, None, self.shape())?.data(missing.bytes())?)
    }

    fn in_memory(&self, bytes: Vec<u8>, shape: &[u64]) -> Result<Data> {
        Ok(self.parts(shape)?.data(bytes)?)
    }

    /// Elements of a field, one after the other.
    fn field_in_memory(&self, field: &Field, bytes: Vec<u8>) -> Result<Data> {
        let datatype = match field.datatype {
            Datatype::Wide(_) => &Datatype::Number(Primitive::U1, ByteOrder::Little),
            _ => &field.datatype,
        };
        let shape = [bytes.len() as u64 / datatype.size().unwrap_or(1).max(1)];
        Ok(self.parts_of(datatype, field.numpy.as_deref(), &shape)?.data(bytes)?)
    }
}

/// The bytes of those of this many elements, all of one size, that are not masked.
fn kept(raw: &[u8], masked: impl Iterator<Item = bool>, count: usize) -> Vec<u8> {
    let size = raw.len().checked_div(count).unwrap_or(0).max(1);
    let there = raw.chunks_exact(size).zip(masked).filter(|(_, masked)| !masked);
    there.flat_map(|(element, _)| element).copied().collect()
}

/// A value as a type has it: a real number is a complex one too, and a boolean a number of 0 or 1.
fn fitting(datatype: &Datatype, value: &Value) -> Value {
    let complex = |re: f64| Value::Complex(re, 0.0);
    match (datatype, value) {
        (Datatype::Number(Primitive::C4 | Primitive::C8 | Primitive::C16, _), value) => match value
        {
            Value::Int(value) => complex(*value as f64),
            Value::Float(value) => complex(*value),
            value => value.clone(),
        },
        (_, value) => value.clone(),
    }
}

/// The cells of an element, in their order.
fn push_cells<'d>(datatype: &'d Datatype, at: usize, cells: &mut Vec<Cell<'d>>) {
    let Datatype::Record(fields) = datatype else {
        let size = datatype.size().unwrap_or(0) as usize;
        cells.push(Cell { offset: at, size, datatype });
        return;
    };
    let mut at = at;
    for Field { datatype, shape, .. } in fields {
        let size = datatype.size().unwrap_or(0) as usize;
        for _ in 0..shape.iter().product::<u64>() {
            match datatype {
                // Each of its bytes is a cell.
                Datatype::Wide(_) => (at..at + size)
                    .for_each(|offset| cells.push(Cell { offset, size: 1, datatype })),
                _ => push_cells(datatype, at, cells),
            }
            at += size;
        }
    }
}
