//! Creating streams from a layout, and filling them.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use dudley::Data;
use dudley::create::{Coverage, Create, Writer};
use dudley::read::path::without_slices;

use crate::abi::{Bytes, BytesMut, Numbers, NumbersMut, Out, Text};
use crate::elements;
use crate::error::run;
use crate::handle::Handle;
use crate::open::order_of;
use crate::read::with_slice;

/// The layout and params of a stream that is to be written.
pub struct Plan(Mutex<Create>);

impl Plan {
    fn change(&self, change: impl FnOnce(Create) -> Create) {
        let mut create = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *create = change(create.clone());
    }

    fn create(&self) -> Create {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Makes a plan of a stream from the text of a layout: little-endian, the layout attached. Free it with `dud_plan_free`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_new(layout: Text, plan: Out<Handle<Plan>>) -> c_int {
    run(|| {
        plan.give(|| {
            let create = Create::text(layout.get()?)?.filters(dudley_formats::registry());
            Ok(Plan(Mutex::new(create)))
        })
    })
}

/// Frees a plan. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_free(plan: Handle<Plan>) -> c_int {
    run(|| plan.close().map(drop))
}

/// Gives a param. The name may be a path: `N`, `/grp/N`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_param(plan: Handle<Plan>, name: Text, value: i64) -> c_int {
    run(|| {
        let name = name.get()?;
        plan.get()?.change(|create| create.param(name, value));
        Ok(())
    })
}

/// Gives the byte order: "<" or ">".
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_order(plan: Handle<Plan>, order: Text) -> c_int {
    run(|| {
        let order = order_of(&order)?;
        plan.get()?.change(|create| create.order(order));
        Ok(())
    })
}

/// Plans a stream without a signature and layout.
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_raw(plan: Handle<Plan>) -> c_int {
    run(|| {
        plan.get()?.change(Create::raw);
        Ok(())
    })
}

/// Whether (not 0) a file that is there may be replaced.
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_overwrite(plan: Handle<Plan>, overwrite: c_int) -> c_int {
    run(|| {
        plan.get()?.change(|create| create.overwrite(overwrite != 0));
        Ok(())
    })
}

/// Whether (not 0) the checksum of a file is computed while it is written, for `dud_finish_summed`; of a shared file all processes
/// ask for it.
#[unsafe(no_mangle)]
pub extern "C" fn dud_plan_checksum(plan: Handle<Plan>, checksum: c_int) -> c_int {
    run(|| {
        plan.get()?.change(|create| create.checksum(checksum != 0));
        Ok(())
    })
}

/// Begins a file, which appears when the writer is finished. The plan may be used again.
#[unsafe(no_mangle)]
pub extern "C" fn dud_create(plan: Handle<Plan>, path: Text, writer: Out<Handle<Writer>>) -> c_int {
    run(|| writer.give(|| Ok(plan.get()?.create().file(path.get()?)?)))
}

/// Begins a file that several processes write in place, each its part: one makes it so, and the others call `dud_join`
/// after that. Each calls `dud_sync` when it has written its part, and then one calls `dud_finish`: it has to know by
/// `dud_cover` or `dud_mark_written` what the others have written.
#[unsafe(no_mangle)]
pub extern "C" fn dud_create_shared(
    plan: Handle<Plan>,
    path: Text,
    writer: Out<Handle<Writer>>,
) -> c_int {
    run(|| writer.give(|| Ok(plan.get()?.create().shared(path.get()?)?)))
}

/// Writes to a file that another process has begun with `dud_create_shared`, by the same plan.
#[unsafe(no_mangle)]
pub extern "C" fn dud_join(plan: Handle<Plan>, path: Text, writer: Out<Handle<Writer>>) -> c_int {
    run(|| writer.give(|| Ok(plan.get()?.create().join(path.get()?)?)))
}

/// Elements in each dimension of an item that is written, as `dud_shape` gives them.
#[unsafe(no_mangle)]
pub extern "C" fn dud_writer_shape(
    writer: Handle<Writer>,
    path: Text,
    shape: NumbersMut,
    room: usize,
    rank: Out<usize>,
) -> c_int {
    run(|| shape.set(&writer.get()?.get(path.get()?)?.shape()?, room, &rank))
}

/// Writes elements from memory, which has `rank` dimensions of `shape` elements of a type, such as `DUD_DOUBLE`, the last
/// dimension varying fastest. The path may have slices: `/rho[2, ::2]`, `/hist[:]/t`. A number has rank 0; its shape may
/// be NULL.
///
/// `start` and `stride` have a number for each dimension of what the path picks: elements are written from `start` on,
/// to each `stride`-th place, as many as `shape` says. With `start` NULL, the item is written, and `shape` must be that of
/// the item; `stride` NULL means each. Elements are converted as `dud_read` converts them.
///
/// Items can be written in any order. Threads may write different parts at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn dud_write(
    writer: Handle<Writer>,
    path: Text,
    from: Bytes,
    ty: c_int,
    rank: usize,
    shape: Numbers,
    start: Numbers,
    stride: Numbers,
) -> c_int {
    run(|| {
        let (writer, path, shape) = (writer.get()?, path.get()?, shape.dims(rank)?);
        // Texts are of several types.
        let dtype = match ty {
            elements::DUD_CHAR => {
                writer.get(&without_slices(path)?).and_then(|item| item.data()).ok()
            }
            _ => None,
        };
        let dtype = dtype.as_ref().map(Data::dtype);
        let input = elements::input(&from, ty, shape, dtype);
        let input = input.map_err(|failure| failure.of(path))?;
        Ok(writer.write(
            &with_slice(path, elements::shape_of_array(ty, shape), &start, &stride)?,
            input,
        )?)
    })
}

/// Writes a text to an item of text, which is as long or longer: what is left is filled with NULs.
#[unsafe(no_mangle)]
pub extern "C" fn dud_write_text(writer: Handle<Writer>, path: Text, text: Text) -> c_int {
    run(|| Ok(writer.get()?.write(path.get()?, text.get()?)?))
}

/// Says that an item was written by other processes.
#[unsafe(no_mangle)]
pub extern "C" fn dud_mark_written(writer: Handle<Writer>, path: Text) -> c_int {
    run(|| Ok(writer.get()?.mark_written(path.get()?)?))
}

/// What was written so far by this writer, as bytes for `dud_cover` of another process, into memory of `room` bytes.
/// `length` (or NULL) gets the number of bytes; with `to` NULL nothing else is done.
#[unsafe(no_mangle)]
pub extern "C" fn dud_coverage(
    writer: Handle<Writer>,
    to: BytesMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| to.set(&writer.get()?.coverage().to_bytes(), room, &length))
}

/// Takes for written what another process has written, by the bytes of its `dud_coverage`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_cover(writer: Handle<Writer>, from: Bytes, bytes: usize) -> c_int {
    run(|| Ok(writer.get()?.cover(&Coverage::from_bytes(from.get(bytes)?)?)?))
}

/// Makes durable what was written so far, as each process must before one of them finishes a shared file.
#[unsafe(no_mangle)]
pub extern "C" fn dud_sync(writer: Handle<Writer>) -> c_int {
    run(|| Ok(writer.get()?.sync()?))
}

/// Completes the file and closes the writer. If items are missing, that is an error with their paths, and the writer
/// stays open: they can be written, or the writer be aborted.
#[unsafe(no_mangle)]
pub extern "C" fn dud_finish(writer: Handle<Writer>) -> c_int {
    run(|| {
        writer.get()?.finish()?;
        writer.close().map(drop)
    })
}

/// As `dud_finish`; gives the length of the file and the CRC-32C of all of it, for `dud_draft_checksum`. `known` gets 1, or 0 if they
/// are not known, and 0 then: `dud_plan_checksum` did not ask for them, or elements were written twice or by other code.
#[unsafe(no_mangle)]
pub extern "C" fn dud_finish_summed(
    writer: Handle<Writer>,
    known: Out<c_int>,
    bytes: Out<u64>,
    crc32c: Out<u32>,
) -> c_int {
    run(|| {
        known.check()?;
        bytes.check()?;
        crc32c.check()?;
        let open = writer.get()?;
        open.finish()?;
        let checksum = open.checksum();
        writer.close()?;
        known.set(c_int::from(checksum.is_some()))?;
        bytes.set(checksum.map_or(0, |it| it.bytes))?;
        crc32c.set(checksum.map_or(0, |it| it.crc32c))
    })
}

/// Closes the writer without completing the file, which does not appear. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_abort(writer: Handle<Writer>) -> c_int {
    run(|| {
        if let Some(writer) = writer.close()? {
            writer.abort();
        }
        Ok(())
    })
}
