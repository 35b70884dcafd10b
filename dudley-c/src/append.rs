//! Streams that grow.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use dudley::append::Append;

use crate::abi::{Bytes, Columns, Numbers, Out, Text};
use crate::elements;
use crate::error::{DUD_CLOSED, Failure, run};
use crate::handle::Handle;

/// A stream that grows.
pub struct Appender(Mutex<Option<Append>>);

impl Appender {
    /// What is done with it by one thread at a time.
    pub(crate) fn with<T>(
        &self,
        act: impl FnOnce(&mut Append) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut append = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = || Failure::new(DUD_CLOSED, "the file is closed: nothing more can be added");
        act(append.as_mut().ok_or_else(closed)?)
    }
}

/// Opens a stream with its layout to append to it, and locks it against other writers. What an interrupted writer left
/// behind the last commit is taken away. Close it with `dud_append_close`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_append_open(path: Text, appender: Out<Handle<Appender>>) -> c_int {
    run(|| {
        appender.give(|| {
            let mut append = Append::open(path.get()?)?;
            append.filters(dudley_formats::registry())?;
            Ok(Appender(Mutex::new(Some(append))))
        })
    })
}

/// Adds `records` records to a list, or to an array whose first dimension grows. There is a column for each part of a
/// record, by its name: the elements of all records one after the other, and the shape that it has in one record. Where
/// a record is one item, there is one column without a name. `length` (or NULL) gets how many records there are then.
/// Others see them after `dud_append_commit`. After an error none of them was added.
#[unsafe(no_mangle)]
pub extern "C" fn dud_append_push(
    appender: Handle<Appender>,
    path: Text,
    records: u64,
    columns: Columns,
    count: usize,
    length: Out<u64>,
) -> c_int {
    run(|| {
        let (path, columns) = (path.get()?, columns.get(count)?);
        let mut parts = Vec::new();
        for column in columns {
            let name = column.name.get_or_null()?.unwrap_or_default();
            let mut shape = vec![records];
            shape.extend_from_slice(column.shape.dims(column.rank)?);
            let input = elements::input(&column.from, column.ty, &shape, None);
            parts.push((name, input.map_err(|failure| failure.of(name))?));
        }
        let there = appender.get()?.with(|append| {
            let mut list = append.records(path)?;
            match parts.pop() {
                Some(("", whole)) if parts.is_empty() => list.push_values(whole)?,
                Some(last) => {
                    parts.push(last);
                    list.push_many(&parts)?;
                }
                None => return Err(Failure::bad(format!("`{path}`: no columns were given"))),
            }
            Ok(list.len())
        })?;
        length.set_if(there)
    })
}

/// Writes over elements that are there, from memory of `rank` dimensions of `shape` elements of a type. The path may have
/// slices: `/rho[2, ::2]`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_append_write(
    appender: Handle<Appender>,
    path: Text,
    from: Bytes,
    ty: c_int,
    rank: usize,
    shape: Numbers,
) -> c_int {
    run(|| {
        let (path, shape) = (path.get()?, shape.dims(rank)?);
        appender.get()?.with(|append| {
            let selected = append.stream().select(path)?;
            let dtype = selected.parts.first().and_then(|part| part.dtype());
            let input = elements::input(&from, ty, shape, dtype);
            Ok(append.write(path, input.map_err(|failure| failure.of(path))?)?)
        })
    })
}

/// Makes durable what was added, and lets readers see it.
#[unsafe(no_mangle)]
pub extern "C" fn dud_append_commit(appender: Handle<Appender>) -> c_int {
    run(|| appender.get()?.with(|append| Ok(append.sync()?)))
}

/// Takes records away from the end of a list or array, so that `records` stay.
#[unsafe(no_mangle)]
pub extern "C" fn dud_append_truncate(
    appender: Handle<Appender>,
    path: Text,
    records: u64,
) -> c_int {
    run(|| {
        let path = path.get()?;
        appender.get()?.with(|append| Ok(append.truncate(path, records)?))
    })
}

/// Commits, and closes the file. The handle is closed even if that fails. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_append_close(appender: Handle<Appender>) -> c_int {
    run(|| {
        let Some(appender) = appender.close()? else { return Ok(()) };
        let append = appender.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        Ok(append.map_or(Ok(()), Append::close)?)
    })
}
