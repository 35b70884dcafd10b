//! The elements that a path picks, as arrays of numpy: their type, slices of them, and reads into memory of numpy.

use dudley::numpy::types::{descr_of, descr_of_nothing};
use dudley::read::select::{Picked, Selected, Stacked};
use dudley::read::slice::{Index, resolve};
use dudley::{Data, Dtype, Primitive};
use numpy::PyArrayDescr;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{OrRaise, new};
use crate::memory::{Memory, Room};
use crate::value::of_value;

/// How numpy has elements.
pub(crate) enum Form {
    /// By their bytes.
    Plain(Arc<Literal>),
    /// As structs, with fields row by row that are stored otherwise.
    Rows(Arc<Literal>),
    /// As texts of this many characters at most; they are decoded.
    Text(u64),
    /// As booleans, of which other bytes than 0 and 1 are true.
    Bool,
    /// As bytes, each of which is a text.
    Characters,
    /// As objects, which stand in a heap: texts, or arrays of this type.
    Objects(Option<String>),
    /// As structs of this type, of which these fields are objects.
    Fields(String, Vec<String>),
}

/// The type of elements, which all slices of an array have.
pub(crate) struct Literal {
    /// As headers of `.npy` have it.
    descr: String,
    /// As numpy has it, in the byte order of the machine.
    native: PyOnceLock<Py<PyArrayDescr>>,
    /// Whether some of it are booleans.
    has_booleans: bool,
}

impl Literal {
    fn new(descr: String) -> Arc<Literal> {
        let has_booleans = descr.contains("b1");
        Arc::new(Literal { descr, native: PyOnceLock::new(), has_booleans })
    }

    fn native<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDescr>> {
        let make = || {
            let native = helper(py)?.getattr("native_of")?.call1((&self.descr,))?;
            PyResult::Ok(native.cast_into::<PyArrayDescr>()?.unbind())
        };
        Ok(self.native.get_or_try_init(py, make)?.bind(py).clone())
    }
}

/// What a path picks.
pub(crate) enum Elements {
    /// Elements of one size and type.
    Array {
        stacked: Stacked,
        form: Form,
        /// Elements in each dimension, as numpy has them.
        shape: Vec<u64>,
    },
    /// What numpy has no array for: structs of variable size, values.
    Other(Selected),
}

impl Elements {
    /// Of what is selected.
    pub(crate) fn of(selected: Selected) -> Elements {
        let Some(stacked) = Stacked::of(&selected) else { return Elements::Other(selected) };
        let first = stacked.first();
        let depth = stacked.depth();
        let primitive = first.dtype().primitive().map(|(primitive, _)| primitive);
        let whole = stacked.shape();
        if let Some(vlen) = first.vlen() {
            let of = Dtype::Primitive(vlen.primitive, vlen.order);
            let of = if vlen.primitive.is_text() { None } else { descr_of_nothing(&of) };
            return Elements::Array { form: Form::Objects(of), shape: whole, stacked };
        }
        if primitive == Some(Primitive::B1) {
            return Elements::Array { form: Form::Bool, shape: whole, stacked };
        }
        if let Some((descr, inner)) = descr_of(first, first.shape()) {
            let shape = [&whole[..depth], &inner].concat();
            if let (true, Dtype::Record(record)) = (first.has_vlen(), first.dtype()) {
                let is_object = |name: &&str| first.field(name).is_ok_and(|it| it.has_vlen());
                let names = record.fields.iter().map(|field| &*field.name).filter(is_object);
                let form = Form::Fields(descr, names.map(str::to_owned).collect());
                return Elements::Array { form, shape, stacked };
            }
            return Elements::Array { form: Form::Plain(Literal::new(descr)), shape, stacked };
        }
        if let (false, Ok(Some(rows))) = (first.is_resolved(), first.resolved())
            && let Some((descr, inner)) = descr_of(&rows, rows.shape())
        {
            let shape = [&whole[..depth], &inner].concat();
            return Elements::Array { form: Form::Rows(Literal::new(descr)), shape, stacked };
        }
        if primitive.is_some_and(Primitive::is_text) {
            let units = whole.len() - usize::from(!first.shape().is_empty());
            let longest = whole.get(units).copied().unwrap_or(1).max(1);
            let shape = whole[..units].to_vec();
            return Elements::Array { form: Form::Text(longest), shape, stacked };
        }
        Elements::Other(selected)
    }

    /// Texts as their characters, of which a dimension of the file counts those of one text.
    pub(crate) fn characters(self) -> Elements {
        match self {
            Elements::Array { stacked, .. } => {
                let shape = stacked.shape();
                Elements::Array { form: Form::Characters, shape, stacked }
            }
            other => other,
        }
    }

    /// Elements in each dimension, as numpy has them.
    pub(crate) fn shape(&self) -> Cow<'_, [u64]> {
        match self {
            Elements::Array { shape, .. } => Cow::Borrowed(shape),
            Elements::Other(selected) => Cow::Owned(selected.shape()),
        }
    }

    /// The array that it is, if nothing is stacked.
    pub(crate) fn single(&self) -> Option<&Data> {
        match self {
            Elements::Array { stacked, .. } => stacked.single(),
            Elements::Other(selected) => selected.data(),
        }
    }

    /// The first array, which tells what is said of all.
    pub(crate) fn first(&self) -> Option<&Data> {
        match self {
            Elements::Array { stacked, .. } => Some(stacked.first()),
            Elements::Other(selected) => match selected.parts.first() {
                Some(Picked::Data(data)) => Some(data),
                _ => None,
            },
        }
    }

    /// The type of numpy, in the byte order of the file.
    pub(crate) fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let literal = match self {
            Elements::Array { form: Form::Plain(of) | Form::Rows(of), .. } => of.descr.clone(),
            Elements::Array { form: Form::Text(longest), .. } => format!("'<U{longest}'"),
            Elements::Array { form: Form::Bool, .. } => "'|b1'".to_owned(),
            Elements::Array { form: Form::Characters, .. } => "'|S1'".to_owned(),
            Elements::Array { form: Form::Fields(descr, names), .. } => {
                return helper(py)?.getattr("with_objects")?.call1((descr, names.clone()));
            }
            Elements::Array { form: Form::Objects(_), .. } | Elements::Other(_) => {
                "'|O'".to_owned()
            }
        };
        helper(py)?.getattr("dtype")?.call1((literal,))
    }

    /// Whether each dimension that numpy has is one of the file, and what numpy has as one element lies together.
    fn has_own_dims(&self, data: &Data) -> bool {
        let rank = self.shape().len();
        let Some(within) = data.strides().get(rank..) else { return false };
        let size = data.dtype().size().unwrap_or(0) as i64;
        matches!(within, []) || matches!(within, [stride] if *stride == size)
    }

    /// Whether slices of it are slices of what is in the file, so that no more is read than they pick.
    pub(crate) fn has_slices(&self) -> bool {
        match self {
            Elements::Array { stacked, shape, .. } => {
                shape.len() <= stacked.depth() + stacked.first().shape().len()
            }
            Elements::Other(_) => false,
        }
    }

    /// What indices pick, one for each dimension that numpy has.
    pub(crate) fn slice(&self, py: Python<'_>, indices: &[Index]) -> PyResult<Elements> {
        let picked = self.picked(py, indices)?;
        let is_characters = matches!(self, Elements::Array { form: Form::Characters, .. });
        Ok(if is_characters { picked.characters() } else { picked })
    }

    fn picked(&self, py: Python<'_>, indices: &[Index]) -> PyResult<Elements> {
        let Elements::Array { stacked, form, shape } = self else {
            return Err(new(
                py,
                "BadIndex",
                "structs of variable size have no slices: `.value()` has them all",
            ));
        };
        let depth = stacked.depth();
        let (outer, inner) = indices.split_at(depth.min(indices.len()));
        let within = |data: &Data| data.slice(inner);
        if depth == 0 {
            let data = within(stacked.first()).or_raise(py)?;
            return Ok(match form {
                // Their type has none of the dimensions, so all slices have it.
                Form::Plain(of) if shape.len() == stacked.first().shape().len() => {
                    let (form, shape) = (Form::Plain(of.clone()), data.shape().to_vec());
                    Elements::Array { form, shape, stacked: data.into() }
                }
                _ => Elements::of(Selected::from(data)),
            });
        }
        let dims = &stacked.shape()[..depth];
        let picked = resolve(outer, dims).or_raise(py)?;
        let parts: Vec<&Data> = stacked.parts().collect();
        let mut found = Vec::new();
        let mut at = vec![0_u64; depth];
        let total = picked.iter().map(|it| it.count).product::<u64>();
        for _ in 0..total {
            let place = at.iter().zip(&picked).zip(dims).fold(0_u64, |place, ((at, it), dim)| {
                place * dim + it.start.wrapping_add_signed(*at as i64 * it.step)
            });
            found.push(Picked::Data(within(parts[place as usize]).or_raise(py)?));
            for (at, it) in at.iter_mut().zip(&picked).rev() {
                *at += 1;
                if *at < it.count {
                    break;
                }
                *at = 0;
            }
        }
        let stacked: Vec<u64> = picked.iter().filter(|it| !it.single).map(|it| it.count).collect();
        if found.is_empty() {
            // There is nothing, of the type of the first.
            let nothing = Index::Range { start: Some(0), stop: Some(0), step: 1 };
            let Some(first) = parts.first() else {
                return Ok(Elements::Other(Selected { stacked, parts: found }));
            };
            let data = within(first).or_raise(py)?;
            let shape = [&stacked, data.shape()].concat();
            if data.shape().is_empty() {
                let strides = vec![0; shape.len()];
                return Ok(Elements::of(Selected::from(
                    data.as_strided(data.address(), &shape, &strides).or_raise(py)?,
                )));
            }
            let none = data.slice(&[nothing]).or_raise(py)?;
            let strides = vec![0; shape.len()];
            return Ok(Elements::of(Selected::from(
                none.as_strided(none.address(), &shape, &strides).or_raise(py)?,
            )));
        }
        Ok(Elements::of(Selected { stacked, parts: found }))
    }

    /// All elements in a new array of numpy in the byte order of the machine.
    pub(crate) fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Elements::Array { shape, form, .. } = self else { return self.object(py, None) };
        match form {
            Form::Objects(of) => return self.object(py, of.as_deref()),
            Form::Fields(_, names) => {
                let parts = (
                    self.value(py)?,
                    PyTuple::new(py, shape)?,
                    helper(py)?.getattr("native")?.call1((self.dtype(py)?,))?,
                    names.clone(),
                );
                return helper(py)?.getattr("structs")?.call1(parts);
            }
            _ => {}
        }
        let dtype = match form {
            Form::Plain(of) | Form::Rows(of) => of.native(py)?,
            _ => self.dtype(py)?.cast_into()?,
        };
        self.check_there(py)?;
        let array = Room::empty(dtype, shape)?;
        self.read_into(py, &array)?;
        Ok(array)
    }

    /// That what is to be read is there, before memory is taken for it.
    fn check_there(&self, py: Python<'_>) -> PyResult<()> {
        match self {
            Elements::Array { stacked, .. } => {
                stacked.parts().try_for_each(|part| part.check_there()).or_raise(py)
            }
            Elements::Other(_) => Ok(()),
        }
    }

    /// All elements into an array of numpy of this shape and the type that [`Self::read`] gives.
    pub(crate) fn read_into(&self, py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<()> {
        let Elements::Array { stacked, form, .. } = self else { return Ok(()) };
        let mut room = Room::of(array)?;
        match form {
            Form::Text(longest) => texts(py, stacked, *longest, room.bytes())?,
            Form::Objects(_) | Form::Fields(..) => return Ok(()),
            Form::Plain(_) | Form::Rows(_) | Form::Bool | Form::Characters => {
                let read = |part: &Data, room: &mut [u8]| match form {
                    Form::Rows(_) => {
                        part.resolved()?.unwrap_or_else(|| part.clone()).native_into(room)
                    }
                    _ => part.native_into(room),
                };
                let room = room.bytes();
                let count = stacked.parts().count().max(1);
                let each = room.len() / count;
                py.detach(|| {
                    let mut parts = stacked.parts();
                    match each {
                        0 => parts.try_for_each(|part| read(part, &mut [])),
                        each => room
                            .chunks_exact_mut(each)
                            .zip(parts)
                            .try_for_each(|(room, part)| read(part, room)),
                    }
                })
                .or_raise(py)?;
            }
        }
        let has_booleans = match form {
            Form::Bool => true,
            Form::Plain(of) | Form::Rows(of) => of.has_booleans,
            _ => false,
        };
        if has_booleans {
            helper(py)?.getattr(intern!(py, "as_booleans"))?.call1((array,))?;
        }
        Ok(())
    }

    /// The elements where they are, without a copy; `None` if they are decoded, stacked, or not in memory.
    pub(crate) fn view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Elements::Array { stacked, form: Form::Plain(_), shape } = self else {
            return Ok(None);
        };
        let Some(data) = stacked.single() else { return Ok(None) };
        if data.filter().is_some() || data.is_decoded() {
            return Ok(None);
        }
        data.check_there().or_raise(py)?;
        let Some(memory) = Memory::of(py, data.stream())? else { return Ok(None) };
        if !self.has_own_dims(data) {
            return Ok(None);
        }
        let address = if data.is_empty() { 0 } else { data.address() };
        let strides = &data.strides()[..shape.len()];
        let parts = (
            PyTuple::new(py, shape)?,
            self.dtype(py)?,
            memory,
            address,
            PyTuple::new(py, strides)?,
        );
        let found = helper(py)?.getattr("view")?.call1(parts)?;
        Ok((!found.is_none()).then_some(found))
    }

    /// All of it as a value of Python.
    pub(crate) fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let value = match self {
            Elements::Array { stacked, .. } => py.detach(|| stacked.value()),
            Elements::Other(selected) => py.detach(|| selected.value()),
        };
        of_value(py, &value.or_raise(py)?)
    }

    /// Whether elements are texts.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, Elements::Array { form: Form::Text(_) | Form::Objects(None), .. })
    }

    /// Whether elements are read into the memory of an array of numpy.
    pub(crate) fn has_bytes(&self) -> bool {
        match self {
            Elements::Array { form, .. } => !matches!(form, Form::Objects(_) | Form::Fields(..)),
            Elements::Other(_) => false,
        }
    }

    /// An array of objects of what has no type of numpy.
    fn object<'py>(&self, py: Python<'py>, of: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let shape = PyTuple::new(py, self.shape().iter())?;
        helper(py)?.getattr("objects")?.call1((self.value(py)?, shape, of))
    }
}

/// Texts as characters of UTF-32, each as long as the longest may be.
fn texts(py: Python<'_>, stacked: &Stacked, longest: u64, room: &mut [u8]) -> PyResult<()> {
    let each = usize::try_from(longest).ok().and_then(|it| it.checked_mul(4)).unwrap_or(usize::MAX);
    py.detach(|| {
        let mut rooms = room.chunks_exact_mut(each.max(1));
        stacked.for_each_text(&mut |text| {
            let Some(room) = rooms.next() else { return Ok(()) };
            let mut units = room.chunks_exact_mut(4);
            let mut characters = text.chars();
            for unit in &mut units {
                let character = characters.next().map_or(0, u32::from);
                unit.copy_from_slice(&character.to_ne_bytes());
            }
            Ok(())
        })
    })
    .or_raise(py)
}

/// The part of the package that asks numpy.
pub(crate) fn helper(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static HELPER: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let helper = HELPER.get_or_try_init(py, || py.import("dudley._numpy").map(Bound::unbind))?;
    Ok(helper.bind(py))
}
