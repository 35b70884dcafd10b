//! What is written of arrays of ASDF files: what stands in the place of masked elements where there are no masks.

use asdf_bridge::asdf::{Array, AsdfFile, Mask};
use clap::Args;
use dudley::{Data, Value};

use crate::asdf::taken;
use crate::expansion::Expansion;
use crate::failure::{Failure, Result, printable};

/// What is written in the place of masked elements.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Fill {
    /// Writes this in the place of masked elements of ASDF files where the output has no masks: `nan`, a number, a text,
    /// `true` or `false`, of which the first counts that the type of an element holds; or `stored`, what is stored there.
    /// Otherwise masked elements are refused
    #[arg(long = "fill", value_name = "VALUE", allow_hyphen_values = true)]
    values: Vec<String>,
    #[command(flatten)]
    expansion: Expansion,
}

/// What asks for the values as they are stored.
const STORED: &str = "stored";

impl Fill {
    /// Whether it says anything.
    pub(crate) fn is_given(&self) -> bool {
        !self.values.is_empty()
    }

    /// Whether masked elements are written as they are stored.
    fn is_stored(&self) -> bool {
        self.values.iter().any(|value| value == STORED)
    }

    fn parsed(&self) -> Vec<Value> {
        self.values.iter().map(|text| parse(text)).collect()
    }

    /// What is written of an array under a path: as it is, if nothing of it is masked.
    ///
    /// # Errors
    /// If something is masked, and nothing is said of that; if it is far more than is stored; what reading says.
    pub(crate) fn array(&self, array: &Array, path: &str) -> Result<Data> {
        let data = array.data()?;
        self.expansion.add(array, data.bytes(), path)?;
        if !array.missing()?.is_some_and(|missing| missing.any()) {
            return Ok(data);
        }
        self.check(Some(array), path)?;
        Ok(if self.is_stored() { data } else { array.filled(&self.parsed())? })
    }

    /// What is written of what a path picks of a file.
    ///
    /// # Errors
    /// As [`Self::array`].
    pub(crate) fn select(&self, file: &AsdfFile, path: &str) -> Result<dudley::select::Selected> {
        let stored = file.select_stored(path)?;
        self.bound(file, path, stored.data())?;
        if !taken::is_masked(file, path)? {
            return Ok(stored);
        }
        self.check(file.array(&taken::whole(path)?).ok().as_ref(), path)?;
        if self.is_stored() { Ok(stored) } else { Ok(file.select_filled(path, &self.parsed())?) }
    }

    /// What is written, with masks, of what a path picks of a file.
    ///
    /// # Errors
    /// If it is far more than is stored; what reading says.
    pub(crate) fn masked(&self, file: &AsdfFile, path: &str) -> Result<dudley::select::Selected> {
        let selected = file.select(path)?;
        // What has a mask is held in memory, which has limits of its own.
        self.bound(file, path, selected.data())?;
        Ok(selected)
    }

    /// That data which a path picks of an array of a file are not far more than is stored.
    ///
    /// # Errors
    /// If they are; what finding the block says.
    pub(crate) fn bound(&self, file: &AsdfFile, path: &str, data: Option<&Data>) -> Result<()> {
        match (file.array(&taken::whole(path)?), data) {
            (Ok(array), Some(data)) => self.expansion.add(&array, data.bytes(), path),
            _ => Ok(()),
        }
    }

    /// That it says what is written in the place of what is masked.
    fn check(&self, array: Option<&Array>, path: &str) -> Result<()> {
        let path = printable(path);
        if !self.is_given() {
            return Err(Failure::input(format!(
                "`{path}` has masked elements, and the output has no masks: `--fill nan` or another value is \
                 written in their place, `--fill {STORED}` what is stored there; an .asdf keeps the mask"
            )));
        }
        let is_null = |array: &Array| matches!(array.mask(), Ok(Some(Mask::Nulls(_))));
        let nulls = |array: &Array| is_null(array) || array.chunks().any(is_null);
        if self.is_stored() && array.is_some_and(nulls) {
            Err(Failure::input(format!(
                "`{path}` has null in the tree, and nothing is stored there: `--fill nan` or another value is \
                 written in its place"
            )))
        } else {
            Ok(())
        }
    }
}

/// A value of the command line.
fn parse(text: &str) -> Value {
    match (text, text.parse::<i128>(), text.parse::<f64>()) {
        ("true", ..) => Value::Bool(true),
        ("false", ..) => Value::Bool(false),
        (_, Ok(value), _) => Value::Int(value),
        (_, _, Ok(value)) => Value::Float(value),
        _ => Value::Text(text.to_owned()),
    }
}
