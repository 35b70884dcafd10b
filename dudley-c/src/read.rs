//! Reading elements and texts, and looking at elements without a copy.

use std::borrow::Cow;
use std::ffi::{c_int, c_void};
use std::fmt::Write;
use std::sync::Arc;

use dudley::num_complex::Complex;
use dudley::read::select::Picked;
use dudley::{Data, Value};

use crate::abi::{BytesMut, Numbers, Out, Text, TextMut};
use crate::elements::{self, DUD_CHAR};
use crate::error::{Failure, run};
use crate::handle::Handle;
use crate::open::File;

/// Reads elements into memory, which has `rank` dimensions of `shape` elements of a type, such as `DUD_DOUBLE`, the last
/// dimension varying fastest. The path may have slices and fields: `/rho[2, ::2]`, `/hist[:]/t`, `/samples.channel`.
/// A number has rank 0; its shape may be NULL.
///
/// `start` and `stride` have a number for each dimension of what the path picks, be it of an array or, as in
/// `/hist[:]/t`, of a list: elements are read from `start` on, each `stride`-th, as many as `shape` says. With `start` NULL, all are, and `shape` must be that of the array; `stride` NULL
/// means each.
///
/// Elements of another type are converted if the type holds each value exactly: integers to integers and floats,
/// floats to floats, complex numbers to each other. Else it is an error, and the memory may have been changed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_read(
    file: Handle<File>,
    path: Text,
    to: BytesMut,
    ty: c_int,
    rank: usize,
    shape: Numbers,
    start: Numbers,
    stride: Numbers,
) -> c_int {
    run(|| {
        let (file, path, shape) = (file.get()?, path.get()?, shape.dims(rank)?);
        let path = with_slice(path, elements::shape_of_array(ty, shape), &start, &stride)?;
        elements::read(&file.pick(&path)?, &to, ty, shape).map_err(|failure| failure.of(&path))
    })
}

/// As `dud_read`, with the physical values that stored ones stand for (`scale_factor`, `add_offset`, `_Unsigned`,
/// `decimal`): NaN where they stand for none (`_FillValue`, `missing_value`). They are of type `DUD_DOUBLE`, or of what
/// `dud_scaled` says; read as `DUD_FLOAT` they are rounded.
#[unsafe(no_mangle)]
pub extern "C" fn dud_read_scaled(
    file: Handle<File>,
    path: Text,
    to: BytesMut,
    ty: c_int,
    rank: usize,
    shape: Numbers,
    start: Numbers,
    stride: Numbers,
) -> c_int {
    run(|| {
        let (file, path, shape) = (file.get()?, path.get()?, shape.dims(rank)?);
        let path = with_slice(path, elements::shape_of_array(ty, shape), &start, &stride)?;
        let picked = file.pick(&path)?;
        elements::read_scaled(&picked, &to, ty, shape).map_err(|failure| failure.of(&path))
    })
}

/// Whether (1 or 0) the physical values at a path differ from the stored values, which `dud_read` gives.
/// `type` (or NULL) gets the type of the physical ones, as `dud_type` gives it.
#[unsafe(no_mangle)]
pub extern "C" fn dud_scaled(
    file: Handle<File>,
    path: Text,
    is: Out<c_int>,
    ty: Out<c_int>,
) -> c_int {
    run(|| {
        let selected = file.get()?.select(&path)?;
        let mut data = selected.parts.iter().filter_map(|part| match part {
            Picked::Data(data) => Some(data),
            Picked::Value { .. } => None,
        });
        is.set(c_int::from(data.any(|it| !it.scalings().is_empty())))?;
        ty.set_if(elements::type_of_selected(&selected.scaled()?))
    })
}

/// The elements at a path that have no value, because the file masks them. `dud_read` reads their stored
/// values. There is a byte for each element, 1 if it has no value, into memory of `room` bytes. `count` (or
/// NULL) gets how many bytes there are, 0 if all elements have a value; `to` NULL asks for that alone.
#[unsafe(no_mangle)]
pub extern "C" fn dud_missing(
    file: Handle<File>,
    path: Text,
    to: BytesMut,
    room: usize,
    count: Out<usize>,
) -> c_int {
    run(|| {
        let missing = file.get()?.dataset.missing(path.get()?)?.unwrap_or_default();
        let missing: Vec<u8> = missing.into_iter().map(u8::from).collect();
        to.set(&missing, room, &count)
    })
}

/// Reads a text into memory of `room` bytes, with a NUL behind it. `length` (or NULL) gets its bytes without the NUL;
/// `to` NULL asks for these alone.
#[unsafe(no_mangle)]
pub extern "C" fn dud_read_text(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let path = path.get()?;
        match file.get()?.dataset.select(path)?.value()? {
            Value::Text(text) => to.set(&text, room, &length),
            _ => Err(Failure::bad(format!("`{path}`: it is not one text"))),
        }
    })
}

/// Elements that are looked at.
pub struct View(Data);

/// The elements of an array without a copy: `data` points to `bytes` bytes of a type, until the view is closed with
/// `dud_view_close`; the file may be closed before. It is an error if the elements are of another type or byte order, not
/// side by side, or compressed. The file is mapped: if another program cuts it off meanwhile, the system ends the
/// program that looks (SIGBUS).
#[unsafe(no_mangle)]
pub extern "C" fn dud_view_open(
    file: Handle<File>,
    path: Text,
    ty: c_int,
    view: Out<Handle<View>>,
    data: Out<*const c_void>,
    bytes: Out<usize>,
) -> c_int {
    run(|| {
        view.check()?;
        data.check()?;
        let selected = file.get()?.select(&path)?;
        let path = path.get()?;
        let several = || Failure::bad(format!("`{path}` picks several arrays: read it"));
        let looked_at = Arc::new(View(selected.data().ok_or_else(several)?.clone()));
        let (at, size) = memory(&looked_at.0, ty)?;
        data.set(at)?;
        bytes.set_if(size)?;
        view.set(Handle::of(looked_at))
    })
}

/// Closes a view. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_view_close(view: Handle<View>) -> c_int {
    run(|| view.close().map(drop))
}

/// Where elements are in memory, and their bytes.
fn memory(data: &Data, ty: c_int) -> Result<(*const c_void, usize), Failure> {
    macro_rules! of {
        ($type:ty) => {{
            let view = data.view::<$type>()?;
            (view.as_ptr().cast(), view.len() * size_of::<$type>())
        }};
    }
    let primitive =
        data.dtype().primitive().map_or(elements::DUD_OTHER, |it| elements::type_of(it.0));
    if ty != primitive {
        let (path, name) = (data.path(), data.dtype_name());
        let wanted = elements::primitive_of(ty)?.name();
        return Err(Failure::bad(format!(
            "`{path}`: its elements are `{name}`, and not `{wanted}`: they can be read"
        )));
    }
    Ok(match ty {
        elements::DUD_INT8 => of!(i8),
        elements::DUD_INT16 => of!(i16),
        elements::DUD_INT32 => of!(i32),
        elements::DUD_INT64 => of!(i64),
        elements::DUD_UINT8 | DUD_CHAR => of!(u8),
        elements::DUD_UINT16 => of!(u16),
        elements::DUD_UINT32 => of!(u32),
        elements::DUD_UINT64 => of!(u64),
        elements::DUD_FLOAT => of!(f32),
        elements::DUD_DOUBLE => of!(f64),
        elements::DUD_COMPLEX_FLOAT => of!(Complex<f32>),
        elements::DUD_COMPLEX_DOUBLE => of!(Complex<f64>),
        _ => {
            let (path, name) = (data.path(), data.dtype_name());
            return Err(Failure::bad(format!(
                "`{path}`: elements of type `{name}` can only be read"
            )));
        }
    })
}

/// A path with a slice of C: its first dimensions are those of the lists that the path takes whole, as `/hist[:]/t` does,
/// and those that are left are of the array at its end.
pub(crate) fn with_slice<'p>(
    path: &'p str,
    count: &[u64],
    start: &Numbers,
    stride: &Numbers,
) -> Result<Cow<'p, str>, Failure> {
    let rank = count.len();
    let (start, stride) = (start.dims_or_null(rank)?, stride.dims_or_null(rank)?);
    let Some(start) = start.filter(|_| rank > 0) else {
        return match stride {
            Some(_) if rank > 0 => Err(Failure::bad("a stride needs a start")),
            _ => Ok(path.into()),
        };
    };
    let mut slices = Vec::with_capacity(rank);
    for dim in 0..rank {
        let (first, count, step) = (start[dim], count[dim], stride.map_or(1, |it| it[dim]));
        let stop = count.checked_mul(step).and_then(|span| span.checked_add(first));
        let Some(stop) = stop.filter(|stop| step > 0 && i64::try_from(*stop).is_ok()) else {
            let text = format!("there are no {count} elements from {first} by a stride of {step}");
            return Err(Failure::bad(text));
        };
        let stop = if count == 0 { first } else { stop - step + 1 };
        slices.push(format!("{first}:{stop}:{step}"));
    }
    let mut text = String::new();
    let (mut rest, mut slices) = (path, slices.into_iter());
    for at in whole_lists(path) {
        if let Some(slice) = slices.next() {
            let begin = path.len() - rest.len();
            let _ = write!(text, "{}[{slice}]", &path[begin..at]);
            rest = &path[at + WHOLE.len()..];
        }
    }
    text += rest;
    let left: Vec<String> = slices.collect();
    if !left.is_empty() {
        let _ = write!(text, "[{}]", left.join(", "));
    }
    Ok(text.into())
}

const WHOLE: &str = "[:]";

/// Where a path takes all of a list: before what is named in its items, and in no quoted name.
fn whole_lists(path: &str) -> impl Iterator<Item = usize> + '_ {
    let mut quote = None;
    let places = path.char_indices().filter(move |(at, c)| {
        match quote {
            Some(open) if open == *c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(*c),
            _ => {}
        }
        quote.is_none() && path[*at..].starts_with("[:]/")
    });
    places.map(|(at, _)| at)
}
