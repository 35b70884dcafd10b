//! Which cells of an array have no value: a boolean for each element, and of structs one for each cell of their fields.

use dudley::ndarray::{ArrayD, Axis, IxDyn};
use dudley::{Data, Primitive};

use crate::asdf::array::Array;
use crate::asdf::datatype::Datatype;
use crate::asdf::error::{Error, Result};

/// Cells without bytes that an array may have: what has bytes is bounded by them.
const SMALL: u64 = 1 << 20;

/// Which elements of an array have no value; of structs, which of their cells.
///
/// The cells of a struct are the numbers and texts of its fields: a field of three numbers has three, and one that is a
/// struct has those of its own fields.
///
/// ```
/// use asdf_bridge::asdf::Open;
///
/// let array = "{data: [[1, null], [2, 0.5]], datatype: [int8, float64], shape: [2]}";
/// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: !core/ndarray-1.1.0 {array}\n...\n");
/// let array = Open::new().bytes(text)?.array("/x")?;
/// let missing = array.missing()?.expect("one is null");
/// assert_eq!(missing.cells().iter().collect::<Vec<_>>(), [&false, &true, &false, &false]);
/// assert!(missing.elements().is_none());
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Missing {
    cells: ArrayD<bool>,
    of_structs: bool,
}

/// Elements that a mask is of.
#[derive(Clone, Copy)]
pub(crate) struct Elements<'e> {
    pub(crate) path: &'e str,
    /// Of texts they have a dimension more.
    pub(crate) data: &'e Data,
    pub(crate) datatype: &'e Datatype,
    pub(crate) shape: &'e [u64],
}

impl Elements<'_> {
    /// How many cells a struct has; `None` where elements are no structs.
    pub(crate) fn cells_of_struct(&self) -> Option<u64> {
        match self.datatype {
            Datatype::Record(_) => Some(self.datatype.cells().unwrap_or(u64::MAX)),
            _ => None,
        }
    }

    /// The dimensions of what says of each cell whether it has a value.
    pub(crate) fn dims(&self) -> Result<Vec<usize>> {
        let dims: Vec<u64> = self.shape.iter().copied().chain(self.cells_of_struct()).collect();
        let count = dims.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let most = self.data.bytes().max(SMALL);
        if count.is_none_or(|count| count > most) {
            let limit = format!("a mask of {most} cells").into();
            return Err(Error::Limit { what: format!("`{}`", self.path).into(), limit });
        }
        Ok(dims.into_iter().map(|dim| dim as usize).collect())
    }

    /// A boolean for each cell from one for each element.
    pub(crate) fn of_each(&self, masked: ArrayD<bool>) -> Result<Missing> {
        let found: Vec<u64> = masked.shape().iter().map(|dim| *dim as u64).collect();
        if found != self.shape {
            return Err(dudley::Error::wrong_shape(self.path, self.shape, &found).into());
        }
        let of_structs = self.cells_of_struct().is_some();
        let cells = if of_structs {
            let last = Axis(masked.ndim());
            let cells = masked.insert_axis(last);
            let dims = IxDyn(&self.dims()?);
            let wrong = || dudley::Error::wrong_shape(self.path, self.shape, &found);
            cells.broadcast(dims).ok_or_else(wrong)?.to_owned()
        } else {
            masked
        };
        Ok(Missing { cells, of_structs })
    }

    /// Booleans for each cell.
    pub(crate) fn of_cells(&self, cells: Vec<bool>) -> Result<Missing> {
        let count = cells.len() as u64;
        let cells = ArrayD::from_shape_vec(IxDyn(&self.dims()?), cells)
            .map_err(|_| dudley::Error::wrong_shape(self.path, self.shape, &[count]))?;
        Ok(Missing { cells, of_structs: self.cells_of_struct().is_some() })
    }
}

impl Missing {
    /// Booleans of the shape of the array; of structs with one dimension more, for their cells.
    pub(crate) fn new(cells: ArrayD<bool>, of_structs: bool) -> Missing {
        Missing { cells, of_structs }
    }

    /// For each cell whether it has no value, of the shape of the array: where elements are structs, with one dimension
    /// more, for the cells of each.
    pub fn cells(&self) -> &ArrayD<bool> {
        &self.cells
    }

    /// Whether elements are structs, which have several cells.
    pub fn is_of_structs(&self) -> bool {
        self.of_structs
    }

    /// Whether any cell has no value.
    pub fn any(&self) -> bool {
        self.cells.iter().any(|masked| *masked)
    }

    /// For each element whether it has no value; `None` if there are structs of which some cells have one and others not.
    pub fn elements(&self) -> Option<ArrayD<bool>> {
        if !self.of_structs {
            return Some(self.cells.clone());
        }
        let last = Axis(self.cells.ndim() - 1);
        let each = self.cells.map_axis(last, |cells| cells.iter().any(|masked| *masked));
        let all = self.cells.map_axis(last, |cells| cells.iter().all(|masked| *masked));
        // Structs without cells have a value.
        (each == all || self.cells.is_empty()).then_some(each)
    }

    /// What has no value in the one or the other.
    pub(crate) fn or(mut self, other: &Missing) -> Missing {
        if self.cells.shape() == other.cells.shape() {
            self.cells.zip_mut_with(&other.cells, |one, other| *one |= other);
        }
        self
    }

    /// The elements without a value in this mask or in that of another array; `None` if the arrays differ in shape or type.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, NewMask, Open};
    ///
    /// let masked = |mask| NewArray::from(vec![1_i8, 2, 3]).masked(NewMask::Int(mask));
    /// let file = Builder::new().put("a", masked(1)).put("b", masked(3)).to_bytes()?;
    /// let file = Open::new().bytes(file)?;
    /// let missing = |path| Ok::<_, asdf_bridge::asdf::Error>(file.array(path)?.missing()?.expect("a mask"));
    /// let both = missing("/a")?.with(&missing("/b")?).expect("of one shape");
    /// assert_eq!(both.cells().as_slice(), Some(&[true, false, true][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn with(&self, other: &Missing) -> Option<Missing> {
        let alike =
            self.of_structs == other.of_structs && self.cells.shape() == other.cells.shape();
        alike.then(|| self.clone().or(other))
    }

    /// A byte for each cell.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.cells.iter().map(|masked| u8::from(*masked)).collect()
    }

    /// What is picked of a mask, beside what is picked of the data: structs of booleans, or booleans, of which those of
    /// the units of a text are one.
    pub(crate) fn picked(mask: &Data, data: &Data) -> Result<Missing> {
        if mask.dtype().primitive().is_none() {
            let cells = cells_of(mask)?;
            return Ok(Missing { cells, of_structs: true });
        }
        let mut cells = mask.read::<bool>()?;
        let is_text =
            matches!(data.dtype().primitive(), Some((primitive, _)) if primitive.is_text());
        if is_text && cells.ndim() > 0 {
            let last = Axis(cells.ndim() - 1);
            cells = cells.map_axis(last, |units| units.iter().any(|masked| *masked));
        }
        Ok(Missing { cells, of_structs: false })
    }
}

/// The bytes of structs of booleans, as their last dimension.
pub(crate) fn cells_of(data: &Data) -> Result<ArrayD<bool>> {
    let raw = data.raw()?;
    let mut dims: Vec<usize> = data.shape().iter().map(|dim| *dim as usize).collect();
    dims.push(data.dtype().size().unwrap_or(0) as usize);
    let wrong = |_| dudley::Error::wrong_length(data.bytes(), raw.len() as u64);
    let cells = raw.iter().map(|byte| *byte != 0).collect();
    Ok(ArrayD::from_shape_vec(IxDyn(&dims), cells).map_err(wrong)?)
}

impl Array {
    /// Which of its elements have no value, and of structs which of their cells; `None` if it has no mask.
    ///
    /// # Errors
    /// As [`Self::mask`] and [`Self::read`]; [`Error::Limit`] for a mask of very many cells.
    pub fn missing(&self) -> Result<Option<Missing>> {
        match self.mask()? {
            Some(mask) => mask.of(&self.elements(&self.held()?)).map(Some),
            None => Ok(None),
        }
    }

    /// For each element whether it is masked; `None` if the array has no mask.
    ///
    /// # Errors
    /// As [`Self::missing`]; [`Error::Node`] for structs of which some cells have a value and others not.
    pub fn masked(&self) -> Result<Option<ArrayD<bool>>> {
        self.missing()?.map(|missing| self.whole(&missing)).transpose()
    }

    /// For each element whether it has no value.
    pub(crate) fn whole(&self, missing: &Missing) -> Result<ArrayD<bool>> {
        match missing.elements() {
            Some(masked) => Ok(masked),
            None => Err(self.node()?.error(self.path(), "a mask of whole structs, and no cells")),
        }
    }

    /// Its elements, to be masked.
    pub(crate) fn elements<'e>(&'e self, data: &'e Data) -> Elements<'e> {
        let (datatype, shape) = (self.datatype(), self.shape());
        Elements { path: self.path(), data, datatype, shape }
    }
}

impl Datatype {
    /// The type of a mask of elements of this type: booleans, or structs of them with the same fields.
    pub(crate) fn mask(&self) -> Datatype {
        let boolean = Datatype::Number(Primitive::B1, dudley::ByteOrder::Little);
        let Datatype::Record(fields) = self else { return boolean };
        let fields = fields.iter().map(|field| {
            let mut field = field.clone();
            if let Datatype::Wide(bytes) = field.datatype {
                field.shape.push(bytes);
            }
            field.datatype = field.datatype.mask();
            field.numpy = None;
            field
        });
        Datatype::Record(fields.collect())
    }

    /// How many cells an element has, each of which has a value or none; `None` if 64 bits cannot count them.
    pub(crate) fn cells(&self) -> Option<u64> {
        self.mask().size()
    }
}
