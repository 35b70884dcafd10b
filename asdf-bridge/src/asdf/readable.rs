//! Whether an array can be obtained: its elements and its mask are where the tree says, and fit each other.

use super::array::Array;
use super::array::mask::{Mask, OF_STRUCTS, masks};
use super::datatype::Datatype;
use super::error::{Error, Result};
use super::ndarray::Source;

impl Array {
    /// Looks whether it can be obtained: its elements are within their block, and its mask is one, as [`Self::check_mask`]
    /// has it. Nothing is read but what small compressed blocks are decompressed to.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let mut bytes = Builder::new().put("x", NewArray::from(vec![1_u8, 2])).to_bytes()?;
    /// let shape = bytes.windows(3).position(|at| at == b"[2]").expect("a shape");
    /// assert!(Open::new().bytes(&*bytes)?.array("/x")?.check().is_ok());
    /// bytes[shape + 1] = b'3';
    /// let error = Open::new().bytes(&*bytes)?.array("/x")?.check().unwrap_err();
    /// assert!(error.to_string().contains("needs bytes 0 to 3"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Self::check_mask`]; [`Error::External`] for all that is wrong with another file that it is
    /// in, which may be cut off.
    pub fn check(&self) -> Result<()> {
        self.check_elements()?;
        self.check_mask()
    }

    /// As [`Self::check`], of its elements alone.
    pub(super) fn check_elements(&self) -> Result<()> {
        self.chunks().try_for_each(|chunk| chunk.check_elements())?;
        let Some(Source::External(uri)) = self.source() else { return self.data().map(drop) };
        // What is wrong with another file is said with its name. Of this one the walk along its blocks says what is cut.
        self.check_other().map_err(|error| match error {
            error @ Error::External { .. } => error,
            why => Error::External { uri: uri.as_str().into(), why: why.to_string().into() },
        })
    }

    /// As [`Self::check_elements`], of one in another file, which may be cut off.
    fn check_other(&self) -> Result<()> {
        self.data()?;
        match self.stored_in()? {
            Some((home, block)) if !block.is_streamed() => {
                let there = home.source().len();
                Ok(dudley::bytes::check(there, block.data.start, block.used())?)
            }
            _ => Ok(()),
        }
    }

    /// Looks whether its mask can be obtained, if it has one: an array that can be obtained, of numbers, whose shape is that of
    /// the array or is repeated to it, or of structs of booleans with the fields of the array; a number only where elements
    /// are numbers.
    ///
    /// # Errors
    /// As [`Self::mask`], and [`Self::data`] of the mask; [`Error::Engine`] with [`dudley::Error::WrongShape`] for
    /// another shape; [`Error::Node`] for a mask that no element can be compared with.
    pub fn check_mask(&self) -> Result<()> {
        self.chunks().try_for_each(Array::check_mask)?;
        let numbers = |datatype: &Datatype| matches!(datatype, Datatype::Number(..));
        match self.mask()? {
            None | Some(Mask::Nulls(_) | Mask::Chunks(_)) => Ok(()),
            Some(Mask::Array(mask)) => {
                mask.check_elements()?;
                if !repeats(mask.shape(), self.shape()) {
                    let wrong = dudley::Error::wrong_shape(mask.path(), self.shape(), mask.shape());
                    return Err(wrong.into());
                }
                let (own, of) = (mask.datatype(), self.datatype());
                match (own, of) {
                    (Datatype::Number(..), _) => Ok(()),
                    (Datatype::Record(_), Datatype::Record(_)) if masks(own, of) => Ok(()),
                    (_, Datatype::Record(_)) => Err(mask.node()?.error(mask.path(), OF_STRUCTS)),
                    _ => Err(mask.node()?.error(mask.path(), "a mask of booleans")),
                }
            }
            Some(_) if numbers(self.datatype()) => Ok(()),
            Some(_) => Err(self.node()?.error(self.path(), "a mask that is an array, or none")),
        }
    }

    /// The array that is its mask; `None` if it has no mask or one that cannot be obtained, or that is no array.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, NewMask, Open};
    ///
    /// let x = NewArray::from(vec![1_u8, 2]).masked(NewMask::Array(NewArray::from(vec![true, false])));
    /// let file = Open::new().bytes(Builder::new().put("x", x).to_bytes()?)?;
    /// assert_eq!(file.array("/x")?.mask_array().expect("a mask").path(), "/x/mask");
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn mask_array(&self) -> Option<Array> {
        match self.mask() {
            Ok(Some(Mask::Array(mask))) => Some(*mask),
            _ => None,
        }
    }
}

/// Whether an array of a shape is repeated to another one, as numpy does.
fn repeats(own: &[u64], whole: &[u64]) -> bool {
    let fits = |(own, whole): (&u64, &u64)| *own == 1 || own == whole;
    own.len() <= whole.len() && own.iter().rev().zip(whole.iter().rev()).all(fits)
}
