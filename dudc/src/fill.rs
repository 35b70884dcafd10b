//! What replaces masked elements in outputs without masks?

use clap::Args;
use dudley::model::{Content, Kind, Masked, Node};
use dudley::read::select::{Picked, Selected};
use dudley::{Data, Value};

use crate::expansion::Expansion;
use crate::failure::{Failure, Result, printable};

/// The replacement of masked elements.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Fill {
    /// Replaces masked elements of ASDF files if the output has no masks: with `nan`, a number, a
    /// text, `true` or `false` (the first one that the type of an element can hold), or with
    /// `stored`, the stored value. Without it, masked elements are refused
    #[arg(long = "fill", value_name = "VALUE", allow_hyphen_values = true)]
    values: Vec<String>,
    #[command(flatten)]
    expansion: Expansion,
}

/// The word that requests stored values.
const STORED: &str = "stored";

impl Fill {
    /// Whether a replacement is given.
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

    /// The array to write under a path: the array itself, if nothing in it is masked.
    ///
    /// # Errors
    /// If something is masked and has no replacement; if it is much larger than the stored data; if reading
    /// fails.
    pub(crate) fn array(&self, array: &Node, path: &str) -> Result<Data> {
        let data = array.stored()?;
        self.expansion.add(&array.extents()?, data.bytes(), path)?;
        if !array.is_masked()? {
            return Ok(data);
        }
        self.check(array.has_holes()?, path)?;
        Ok(if self.is_stored() { data } else { array.filled(&self.parsed())? })
    }

    /// The selection to write.
    ///
    /// # Errors
    /// As [`Self::array`].
    pub(crate) fn select(&self, content: &dyn Content, path: &str) -> Result<Selected> {
        let stored = content.select_with(path, Masked::Stored)?;
        self.bound_all(content, path, &stored)?;
        if !content.is_masked(path)? {
            return Ok(stored);
        }
        let mut has_holes = false;
        for path in content.paths(path)? {
            has_holes |= content.whole(&path)?.has_holes()?;
        }
        self.check(has_holes, path)?;
        if self.is_stored() {
            Ok(stored)
        } else {
            Ok(content.select_with(path, Masked::Filled(&self.parsed()))?)
        }
    }

    /// The selection to write, with its masks.
    ///
    /// # Errors
    /// If it is far more than is stored; if reading fails.
    pub(crate) fn masked(&self, content: &dyn Content, path: &str) -> Result<Selected> {
        let selected = content.select(path)?;
        // An array with a mask is held in memory, which has its own limits.
        self.bound_all(content, path, &selected)?;
        Ok(selected)
    }

    /// As [`Self::bound`], of each array that a path picks something of.
    fn bound_all(&self, content: &dyn Content, path: &str, selected: &Selected) -> Result<()> {
        let paths = content.paths(path)?;
        paths.iter().zip(&selected.parts).try_for_each(|(path, part)| match part {
            Picked::Data(data) => self.bound(content, path, Some(data)),
            Picked::Value { .. } => Ok(()),
        })
    }

    /// Checks that the data that a path selects from an array is not much larger than the stored
    /// data.
    ///
    /// # Errors
    /// If it is; if the stored data cannot be found.
    pub(crate) fn bound(
        &self,
        content: &dyn Content,
        path: &str,
        data: Option<&Data>,
    ) -> Result<()> {
        let Some(data) = data else { return Ok(()) };
        let node = content.whole(path)?;
        match node.kind() {
            Kind::Array => self.expansion.add(&node.extents()?, data.bytes(), path),
            _ => Ok(()),
        }
    }

    /// Checks that there is a replacement for masked elements, which may have no stored value.
    fn check(&self, has_holes: bool, path: &str) -> Result<()> {
        let path = printable(path);
        if !self.is_given() {
            return Err(Failure::input(format!(
                "`{path}` has masked elements, and the output has no masks: `--fill nan` or another value is \
                 written in their place, `--fill {STORED}` what is stored there; an .asdf keeps the mask"
            )));
        }
        if self.is_stored() && has_holes {
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
