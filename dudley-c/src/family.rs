//! Catalogs of many streams of one layout.

use std::ffi::c_int;

use dudley::Value;
use dudley::family::{Build, Family, MemberId, Read};

use crate::abi::{BytesMut, Numbers, NumbersMut, Out, Text, TextMut, Texts};
use crate::elements;
use crate::error::{Failure, run};
use crate::handle::Handle;

/// Makes a catalog of `count` streams, which carry the same layout. A catalog that is there is replaced.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_create(catalog: Text, files: Texts, count: usize) -> c_int {
    run(|| {
        let files: Result<Vec<&str>, _> = files.get(count)?.iter().map(Text::get).collect();
        if count == 0 {
            return Err(Failure::bad("a catalog needs at least one file"));
        }
        let build = Build::new().filters(dudley_formats::registry());
        build.create(catalog.get()?, &files?, true)?;
        Ok(())
    })
}

/// Opens a catalog. Close it with `dud_family_close`.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_open(catalog: Text, family: Out<Handle<Family>>) -> c_int {
    run(|| family.give(|| Ok(Family::open(catalog.get()?)?.filters(dudley_formats::registry()))))
}

/// Closes a catalog. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_close(family: Handle<Family>) -> c_int {
    run(|| family.close().map(drop))
}

/// How many members there are. Their numbers begin at 0.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_len(family: Handle<Family>, members: Out<u64>) -> c_int {
    run(|| members.set(family.get()?.len()))
}

/// The numbers of the members that a condition picks, such as `time > 0.5`, into room for `room` numbers. `count` (or
/// NULL) gets how many members the condition picks; with `members` NULL nothing else is done.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_select(
    family: Handle<Family>,
    condition: Text,
    members: NumbersMut,
    room: usize,
    count: Out<usize>,
) -> c_int {
    run(|| {
        let found = family.get()?.select(condition.get()?)?;
        let numbers: Vec<u64> = found.into_iter().map(|id| id.0).collect();
        members.set(&numbers, room, &count)
    })
}

/// The file of a member, as `dud_read_text` gives texts.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_file(
    family: Handle<Family>,
    member: u64,
    to: TextMut,
    room: usize,
    length: Out<usize>,
) -> c_int {
    run(|| {
        let file = family.get()?.member(MemberId(member))?.file()?;
        to.set(&file.to_string_lossy(), room, &length)
    })
}

/// A number of the summary of a member, by the name of its column.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_value(
    family: Handle<Family>,
    member: u64,
    column: Text,
    value: Out<f64>,
) -> c_int {
    run(|| {
        let column = column.get()?;
        value.set(match family.get()?.member(MemberId(member))?.value(column)? {
            Value::Float(number) => number,
            Value::Int(number) => number as f64,
            _ => return Err(Failure::bad(format!("the column `{column}` is no number"))),
        })
    })
}

/// Reads a path of `count` members into memory of `rank` dimensions of `shape` elements of a type: the first
/// dimension is the member. The path may have slices. Elements are converted as `dud_read` converts them.
#[unsafe(no_mangle)]
pub extern "C" fn dud_family_read(
    family: Handle<Family>,
    path: Text,
    members: Numbers,
    count: usize,
    to: BytesMut,
    ty: c_int,
    rank: usize,
    shape: Numbers,
) -> c_int {
    run(|| {
        let (path, shape) = (path.get()?, shape.dims(rank)?);
        let ids: Vec<MemberId> = members.get(count)?.iter().copied().map(MemberId).collect();
        let stack = Read::new().run(&*family.get()?, path, &ids)?;
        elements::read(&stack.selected, &to, ty, shape).map_err(|failure| failure.of(path))
    })
}
