//! The nodes of a file, with their units, documentation and attributes.

use std::ffi::c_int;

use dudley::Value;
use dudley::model::Kind;

use crate::abi::{NumbersMut, Out, Text, TextMut};
use crate::elements::{element_size, type_of_selected};
use crate::error::{Failure, run};
use crate::handle::Handle;
use crate::open::File;

/// The kind of an item that has items by names.
pub const DUD_DICT: c_int = 1;
/// The kind of an item that has items by numbers.
pub const DUD_LIST: c_int = 2;
/// The kind of an array; one without dimensions is a number.
pub const DUD_ARRAY: c_int = 3;
/// The kind of a value that is no array: a param, a text or number of another format.
pub const DUD_VALUE: c_int = 4;

/// The kind of the item at a path: `DUD_DICT`, `DUD_LIST`, `DUD_ARRAY` or `DUD_VALUE`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_kind(file: Handle<File>, path: Text, kind: Out<c_int>) -> c_int {
    run(|| {
        kind.set(match file.get()?.dataset.get(path.get()?)?.kind() {
            Kind::Dict => DUD_DICT,
            Kind::List => DUD_LIST,
            Kind::Array => DUD_ARRAY,
            Kind::Value => DUD_VALUE,
        })
    })
}

/// How many items a dict or list has.
#[unsafe(no_mangle)]
pub extern "C" fn dud_len(file: Handle<File>, path: Text, length: Out<u64>) -> c_int {
    run(|| length.set(file.get()?.dataset.get(path.get()?)?.len()?))
}

/// The paths of all items of a dict, in the order of the file, each with a NUL behind it, into memory of `room` bytes.
/// `length` (or NULL) gets the bytes of all of them; `to` NULL asks for these alone. An item of a list has the number of
/// it behind the path of the list, from 0: `/list/2`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_children(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let node = file.get()?.dataset.get(path.get()?)?;
        if node.kind() != Kind::Dict {
            let text = format!("`{}` is no dict, whose items have names", node.path());
            return Err(Failure::bad(text));
        }
        let paths = node.children()?.map(|child| Ok(child?.path()));
        to.set_all(paths.collect::<Result<Vec<_>, Failure>>()?, room, &length)
    })
}

/// Elements in each dimension of an array, slowest varying first, into room for `room` numbers. `rank` (or NULL) gets how
/// many dimensions there are; `shape` NULL asks for that alone. The path may have slices: `/hist[:]/t`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_shape(
    file: Handle<File>,
    path: Text,
    shape: NumbersMut,
    room: usize,
    rank: Out<usize>,
) -> c_int {
    run(|| shape.set(&file.get()?.select(&path)?.shape(), room, &rank))
}

/// The type of the elements, such as `DUD_DOUBLE`, or `DUD_OTHER`. The path may have slices and fields.
#[unsafe(no_mangle)]
pub extern "C" fn dud_type(file: Handle<File>, path: Text, ty: Out<c_int>) -> c_int {
    run(|| ty.set(type_of_selected(&file.get()?.select(&path)?)))
}

/// The type of the elements as a layout has it, such as `<f8`; as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_dtype(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let name = file.get()?.select(&path)?.dtype_name().unwrap_or_default();
        to.set(&name, room, &length)
    })
}

/// Bytes of an element in memory: of a struct, from one to the next.
#[unsafe(no_mangle)]
pub extern "C" fn dud_element_size(file: Handle<File>, path: Text, bytes: Out<u64>) -> c_int {
    run(|| bytes.set(element_size(&file.get()?.select(&path)?)?))
}

/// The name of a dimension of an array, from 0, such as `JMAX`; empty if it has none; as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_dim(
    file: Handle<File>,
    path: Text,
    dim: usize,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let dims = file.get()?.dataset.get(path.get()?)?.dims()?;
        let none = || {
            let (path, rank) = (path.get().unwrap_or_default(), dims.len());
            Failure::bad(format!(
                "`{path}` has no dimension {dim}: there are {rank}, counted from 0"
            ))
        };
        to.set(dims.get(dim).ok_or_else(none)?.as_deref().unwrap_or_default(), room, &length)
    })
}

/// The unit of an item, or of a field of structs (`/samples.value`), empty if it has none; as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_unit(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let unit = file.get()?.about(&path)?.unit();
        to.set(&unit.unwrap_or_default(), room, &length)
    })
}

/// The documentation of an item or field, its lines with line feeds between them; as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_doc(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| to.set(&file.get()?.about(&path)?.doc().join("\n"), room, &length))
}

/// The paths of the params of a dict, such as `/:N`, as `dud_children` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_params(
    file: Handle<File>,
    path: Text,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let params = file.get()?.dataset.get(path.get()?)?.params();
        to.set_all(params.into_iter().map(|it| it.path()), room, &length)
    })
}

/// The value of a param, by its path: `/:N`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_param(file: Handle<File>, path: Text, value: Out<i64>) -> c_int {
    run(|| {
        let path = path.get()?;
        match file.get()?.dataset.get(path)?.value()? {
            Value::Int(number) => {
                let wide =
                    |_| Failure::bad(format!("`{path}` is {number}, which 64 bits do not hold"));
                value.set(i64::try_from(number).map_err(wide)?)
            }
            _ => Err(Failure::bad(format!("`{path}` is no integer"))),
        }
    })
}

/// Where the first byte of an array is, in bytes from the start of the stream.
#[unsafe(no_mangle)]
pub extern "C" fn dud_address(file: Handle<File>, path: Text, address: Out<u64>) -> c_int {
    run(|| {
        let place = file.get()?.dataset.get(path.get()?)?.place()?;
        let none = || Failure::bad("it has no address of its own");
        address.set(place.ok_or_else(none)?.address)
    })
}
