//! The values of many members, as one array.

use std::path::PathBuf;
use std::sync::Arc;

use ndarray::ArrayD;

use super::{Family, MemberId};
use crate::elements::borrowed::Kept;
use crate::elements::element::Element;
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::read::data::{Data, Decoded};
use crate::read::dtype::Dtype;
use crate::read::native::native_dtype;
use crate::read::select::{Picked, Selected};
use crate::read::stream::{Stream, StreamKind};

/// The arrays of many members at one path. The first dimension is the member.
#[derive(Debug)]
pub struct Stack {
    /// The member of each index of the first dimension.
    pub members: Vec<MemberId>,
    /// The members that could not be read, and were omitted or filled.
    pub unserved: Vec<Unserved>,
    /// The arrays: one, or one for each member where they cannot be one.
    pub selected: Selected,
}

/// Members that could not be read.
#[derive(Debug)]
pub struct Unserved {
    /// Their numbers.
    pub members: Vec<MemberId>,
    /// Their file.
    pub file: PathBuf,
    /// Why not.
    pub error: Error,
}

impl Stack {
    /// The shape, the members first.
    pub fn shape(&self) -> Vec<u64> {
        self.selected.shape()
    }

    /// All of it as one array in memory; `None` where the members' parts differ in shape, or are
    /// structs of variable size.
    pub fn data(&self) -> Option<&Data> {
        self.selected.data()
    }

    /// The elements.
    ///
    /// # Errors
    /// [`Error::WrongType`]; [`Error::Variable`] where it is not one array.
    pub fn array<T: Element>(&self) -> Result<ArrayD<T>> {
        match self.data() {
            Some(data) => data.read(),
            None => Err(Error::Variable { path: "/".into() }),
        }
    }

    /// All of it as a value.
    ///
    /// # Errors
    /// If decoding fails.
    pub fn value(&self) -> Result<Value> {
        self.selected.value()
    }
}

/// Elements in memory that are as those of a pattern.
pub(super) fn in_memory(
    home: &Stream,
    pattern: &Data,
    dtype: Dtype,
    shape: Vec<u64>,
    bytes: Vec<u8>,
) -> Data {
    Data {
        stream: home.clone(),
        path: pattern.path.clone(),
        array: pattern.array,
        strides: crate::read::dtype::strides(&shape, dtype.size().unwrap_or(0)),
        dtype,
        shape,
        address: 0,
        bytes: bytes.len() as u64,
        filter: None,
        decoded: Some(Decoded::Filtered(Arc::new(bytes))),
        node: None,
        // What is constant was checked in each member.
        doc: pattern.doc.filter(|_| pattern.constant().is_none()),
        kept: Kept::default(),
        extent: None,
        presented: Default::default(),
    }
}

/// A stream without bytes, for arrays in memory to belong to.
pub(super) fn home(family: &Family) -> Stream {
    let facts = super::without_bytes::Facts {
        layout: &family.catalog.template,
        kind: StreamKind::Native,
        order: dudley_parser::layout::dtype::ByteOrder::Little,
        bytes: 0,
        params: Vec::new(),
        held: Vec::new(),
        filters: &family.filters,
    };
    facts.stream().0
}

/// How an array is called where members are compared: its type, whatever its byte order, and shape.
pub(super) fn described(data: &Data, shape: &[u64]) -> String {
    let dtype = native_dtype(data.dtype());
    let name = dtype.describe(data.stream.layout(), data.stream.order());
    format!("{}{shape:?}", name.trim_start_matches(['<', '>', '|']))
}

/// One array of what was picked in each member, or all of it side by side.
///
/// # Errors
/// [`Error::Unlike`] if they differ in type or shape and may not.
pub(super) fn join(
    home: &Stream,
    path: &str,
    members: &[MemberId],
    picked: Vec<Selected>,
    ragged: bool,
) -> Result<Selected> {
    let names: Vec<Option<String>> = picked
        .iter()
        .map(|picked| match picked.parts.first() {
            Some(Picked::Data(data)) => Some(described(data, &picked.shape())),
            Some(Picked::Value { .. }) => None,
            None => Some(format!("{:?}", picked.shape())),
        })
        .collect();
    let unlike = names.iter().position(|name| *name != names[0]);
    if let (Some(at), false) = (unlike, ragged) {
        let named = |at: usize| names[at].clone().unwrap_or_else(|| "values".to_owned()).into();
        return Err(Error::Unlike {
            item: crate::error::Item::new(path),
            first: members[0].0,
            expected: named(0),
            other: members[at].0,
            found: named(at),
        });
    }
    let count = picked.len() as u64;
    let alike = unlike.is_none() && names.first().is_some_and(Option::is_some);
    if let (true, Some(data)) = (alike, picked.first().and_then(first_data)) {
        let shape = std::iter::once(count).chain(picked[0].shape()).collect();
        let dtype = native_dtype(data.dtype());
        let mut bytes = Vec::new();
        for part in picked.iter().flat_map(|picked| &picked.parts) {
            if let Picked::Data(data) = part {
                bytes.extend(data.native()?);
            }
        }
        let data = in_memory(home, data, dtype, shape, bytes);
        return Ok(Selected { stacked: Vec::new(), parts: vec![Picked::Data(data)] });
    }
    if unlike.is_some() {
        // Side by side they are no array, whatever the first of them is.
        let values = picked.iter().map(Selected::value).collect::<Result<_>>()?;
        let one = picked.first().and_then(|picked| picked.parts.first()?.dtype().cloned());
        let name = picked.first().and_then(Selected::dtype_name);
        let same = picked.iter().all(|picked| picked.dtype_name() == name);
        let dtype = if same { one } else { None };
        let value = Picked::of_value(Value::Array(values), dtype);
        return Ok(Selected { stacked: Vec::new(), parts: vec![value] });
    }
    let inner = picked.first().map(|picked| picked.stacked.clone()).unwrap_or_default();
    let stacked = std::iter::once(count).chain(inner).collect();
    Ok(Selected { stacked, parts: picked.into_iter().flat_map(|picked| picked.parts).collect() })
}

fn first_data(picked: &Selected) -> Option<&Data> {
    match picked.parts.first()? {
        Picked::Data(data) => Some(data),
        Picked::Value { .. } => None,
    }
}

/// What was picked, without the file it is in.
///
/// # Errors
/// If reading fails.
pub(super) fn detached(home: &Stream, picked: Selected) -> Result<Selected> {
    let detach = |part| -> Result<Picked> {
        match part {
            Picked::Data(data) if data.dtype().size().is_some() => {
                if data.constant().is_some() {
                    // Decoding checks it.
                    data.value()?;
                }
                let data = data.decoded()?;
                let (dtype, shape) = (native_dtype(data.dtype()), data.shape().to_vec());
                let bytes = data.native()?;
                Ok(Picked::Data(in_memory(home, &data, dtype, shape, bytes)))
            }
            Picked::Data(data) => Ok(Picked::of_value(data.value()?, None)),
            value => Ok(value),
        }
    };
    let parts = picked.parts.into_iter().map(detach).collect::<Result<_>>()?;
    Ok(Selected { stacked: picked.stacked, parts })
}
