//! Arrays that no layout declares: a format says where elements are and of which type.

use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::DocKey;
pub use dudley_parser::layout::words::Words;

use super::Data;
use crate::bytes::source::Source;
use crate::bytes::work::Work;
use crate::elements::borrowed::Kept;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::dtype::{Dtype, strides};
use crate::read::presented::Presented;
use crate::read::stream::{Open, Stream};

/// The parts of an array that a format declares, and not a layout: the type of its elements, its
/// shape, and their place in a source.
///
/// ```
/// use dudley::read::{Parts, Words};
/// use dudley::read::{Field, Record};
/// use dudley::{ByteOrder, Dtype, Primitive};
///
/// let mut words = Words::default();
/// let i2 = Dtype::Primitive(Primitive::I2, ByteOrder::Big);
/// let across = Field::new("x", 0, i2.clone(), &[]).said(words.add("(mm) across", []));
/// let point = Record::new(4, vec![across, Field::new("y", 2, i2, &[])]);
/// let said = words.add("where they are", []);
/// // Two of them, the last one first.
/// let points = Parts::new(point, &[2]).at(4).strides(&[-4]).words(words.layout(), said).path("/points");
/// let points = points.data(vec![0, 1, 0, 2, 0, 3, 0, 4])?;
/// let x = points.field("x")?;
/// assert_eq!((x.read::<i16>()?.as_slice(), x.unit()), (Some(&[3, 1][..]), Some("mm")));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Parts {
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<u64>,
    strides: Vec<i64>,
    address: u64,
    pub(crate) path: String,
    words: Arc<Layout>,
    doc: DocKey,
    work: Work,
}

impl Parts {
    /// Elements of a type that belongs to no layout, in a shape; the last dimension of text counts its units. By
    /// default they are contiguous from the start of the source on.
    pub fn new(dtype: impl Into<Dtype>, shape: &[u64]) -> Parts {
        Parts {
            dtype: dtype.into(),
            shape: shape.to_vec(),
            strides: Vec::new(),
            address: 0,
            path: String::new(),
            words: Arc::new(Words::default().layout()),
            doc: DocKey::NOTHING,
            work: Work::default(),
        }
    }

    /// The address of the element of indices 0.
    #[must_use]
    pub fn at(self, address: u64) -> Parts {
        Parts { address, ..self }
    }

    /// Bytes from one index to the next, for the first dimensions or all; they may be negative. In those behind elements
    /// are side by side.
    #[must_use]
    pub fn strides(self, strides: &[i64]) -> Parts {
        Parts { strides: strides.to_vec(), ..self }
    }

    /// The path by which messages name it.
    #[must_use]
    pub fn path(self, path: impl Into<String>) -> Parts {
        Parts { path: path.into(), ..self }
    }

    /// The [words](Words) of the fields of its type and, by its key, of the array.
    #[must_use]
    pub fn words(self, words: impl Into<Arc<Layout>>, array: DocKey) -> Parts {
        Parts { words: words.into(), doc: array, ..self }
    }

    /// The options of reads.
    #[must_use]
    pub fn work(self, work: Work) -> Parts {
        Parts { work, ..self }
    }

    /// The array, in a source. Nothing is read, and where its elements are is checked when they are.
    ///
    /// # Errors
    /// [`Error::WrongShape`] if there are more strides than dimensions; [`Error::TooLarge`] if an element has no
    /// address; [`Error::Variable`] for structs of a layout.
    pub fn data(self, source: impl Source + 'static) -> Result<Data> {
        let stream = self.stream(source)?;
        let mut strides = strides(&self.shape, self.dtype.size().unwrap_or(0));
        strides.splice(..self.strides.len().min(strides.len()), self.strides);
        let mut data = Data {
            stream,
            path: self.path,
            array: None,
            dtype: self.dtype,
            shape: self.shape,
            strides,
            address: self.address,
            bytes: 0,
            filter: None,
            decoded: None,
            node: None,
            doc: Some(self.doc),
            kept: Kept::default(),
            extent: None,
            presented: Presented::default(),
        };
        data.bytes = data.region()?.byte_len();
        Ok(data)
    }

    /// The array in the bytes of a stream, independent of its layout.
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn data_in(self, stream: &Stream) -> Result<Data> {
        self.work((*stream.work).clone()).data(stream.inner.source.clone())
    }

    /// A stream that has no items.
    pub(crate) fn stream(&self, source: impl Source + 'static) -> Result<Stream> {
        if !self.dtype.is_free() {
            return Err(Error::Variable { path: self.path.as_str().into() });
        }
        let open = Open::new().raw().layout(self.words.clone()).work(self.work.clone());
        open.filters(Registry::default()).source(source)
    }
}
