//! The instances of a struct of variable size, one after the other as they are measured, with what is in them.

use dudley_parser::layout::RecordId;
use dudley_parser::resolve::{Flow, Resolver};

use crate::error::{Error, Result};
use crate::read::dtype::{Dtype, Field, fields_at};
use crate::read::path::{field_path, instance_path};
use crate::read::stream::Stream;

/// An array of structs of variable size.
#[derive(Clone, Copy, Debug)]
pub struct Instances<'a> {
    /// The struct.
    pub record: RecordId,
    /// The path of the array.
    pub path: &'a str,
    /// Its shape; none for one struct.
    pub shape: &'a [u64],
    /// Its address, in bytes from the start of the stream.
    pub address: u64,
}

/// An event on the way through instances: an instance, or a field of the previous one.
#[derive(Clone, Copy, Debug)]
pub struct Met<'m> {
    /// Its path: `/x[1]`, `/x[1].n`.
    pub path: &'m str,
    /// Its address in bytes.
    pub address: u64,
    /// The address of the instance that it lies in; of an instance, its own.
    pub base: u64,
    /// Its bytes; those of an instance are rounded up to the alignment of the struct.
    pub bytes: u64,
    /// The row-major number of the instance; 0 for a field.
    pub index: u64,
    /// `None` for an instance.
    pub field: Option<&'m Field>,
}

/// The place where the walk stopped.
#[derive(Debug)]
pub struct Stopped {
    /// The instance that could not be measured.
    pub path: String,
    /// Its address, in bytes from the start of the stream.
    pub address: u64,
    /// Why.
    pub error: Error,
}

/// The callback for each event. It decides whether to continue.
type Show<'s> = dyn FnMut(&mut Resolver<'_>, Met<'_>) -> Result<Flow> + 's;

/// Visits the instances of an array, fields in fields included; fixed params are skipped. The
/// resolver must stand where the array does: in a listing that has come to it.
///
/// # Errors
/// The first instance that cannot be measured, for example behind the end of a stream that was cut off;
/// the errors of `show`.
///
/// ```
/// use dudley::Open;
/// use dudley::read::listing::{Instances, Met, instances};
/// use dudley_parser::layout::Element;
/// use dudley_parser::resolve::{Flow, Resolver};
///
/// // Of three texts with their lengths the last one is cut off before its length.
/// let open = Open::new().layout_text("N : 3\nx = {n : u1  v = u1[n]}[N]")?;
/// let stream = open.bytes([1, 7, 2, 8, 9])?;
/// let (_, x) = stream.layout().arrays().find(|(_, x)| x.dict.is_some()).unwrap();
/// let Element::Record(record) = x.element else { unreachable!() };
/// let (mut paths, array) = (Vec::new(), Instances { record, path: "/x", shape: &[3], address: 0 });
/// let stopped = stream.with_resolver(|resolver| {
///     instances(&stream, resolver, &array, &mut |_: &mut Resolver<'_>, met: Met<'_>| {
///         paths.push(met.path.to_owned());
///         Ok(Flow::Continue)
///     })
/// });
/// assert_eq!(paths, ["/x[0]", "/x[0].n", "/x[0].v", "/x[1]", "/x[1].n", "/x[1].v"]);
/// assert_eq!(stopped.unwrap_err().address, 5);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn instances(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    array: &Instances<'_>,
    show: &mut Show<'_>,
) -> std::result::Result<(), Stopped> {
    Walk { stream, show }.array(resolver, array).map(|_| ())
}

struct Walk<'w, 's> {
    stream: &'w Stream,
    show: &'w mut Show<'s>,
}

impl Walk<'_, '_> {
    fn array(
        &mut self,
        resolver: &mut Resolver<'_>,
        array: &Instances<'_>,
    ) -> std::result::Result<Flow, Stopped> {
        if array.shape.contains(&0) {
            return Ok(Flow::Continue);
        }
        let mut at = vec![0; array.shape.len()];
        let (mut address, mut index) = (array.address, 0);
        loop {
            let path = instance_path(array.path, &at);
            let stopped = |error| Stopped { path: path.clone(), address, error };
            let (flow, bytes) = self.instance(resolver, array.record, &path, (index, address))?;
            if flow == Flow::Stop {
                return Ok(flow);
            }
            let next = address.checked_add(bytes);
            address = next.ok_or_else(|| stopped(Error::too_large(u64::MAX)))?;
            index += 1;
            if !advance(&mut at, array.shape) {
                return Ok(Flow::Continue);
            }
        }
    }

    /// One instance with what is in it; gives its size.
    fn instance(
        &mut self,
        resolver: &mut Resolver<'_>,
        record: RecordId,
        path: &str,
        (index, base): (u64, u64),
    ) -> std::result::Result<(Flow, u64), Stopped> {
        let stopped = |error| Stopped { path: path.to_owned(), address: base, error };
        let bytes = resolver.instance_size(record, base).map_err(|error| stopped(error.into()))?;
        let met = Met { path, address: base, base, bytes, index, field: None };
        if (self.show)(resolver, met).map_err(stopped)? == Flow::Stop {
            return Ok((Flow::Stop, bytes));
        }
        let fields = fields_at(resolver, record, base, self.stream.order());
        for field in &fields.map_err(|error| stopped(error.into()))? {
            if field.is_fixed(self.stream.layout()) {
                continue;
            }
            let (path, address) = (field_path(path, &field.name), base + field.offset);
            let bytes = field.bytes;
            let met = Met { path: &path, address, base, bytes, index: 0, field: Some(field) };
            if (self.show)(resolver, met).map_err(stopped)? == Flow::Stop {
                return Ok((Flow::Stop, bytes));
            }
            if let Dtype::Variable(record) = field.dtype {
                let inner = Instances { record, path: &path, shape: &field.shape, address };
                if self.array(resolver, &inner)? == Flow::Stop {
                    return Ok((Flow::Stop, bytes));
                }
            }
        }
        Ok((Flow::Continue, bytes))
    }
}

/// The next indices in row-major order; false behind the last.
fn advance(at: &mut [u64], shape: &[u64]) -> bool {
    for (index, length) in at.iter_mut().zip(shape).rev() {
        *index += 1;
        if *index < *length {
            return true;
        }
        *index = 0;
    }
    false
}
