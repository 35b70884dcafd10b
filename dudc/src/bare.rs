//! Layouts without a stream: addresses as formulas.

use dudley_parser::Layout;

use crate::commands::ls::LsArgs;
use crate::failure::{Failure, Result};

/// Lists a layout.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn list(args: &LsArgs, _layout: &Layout) -> Result<()> {
    let _ = args;
    Err(Failure::usage("not yet"))
}
