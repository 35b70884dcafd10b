//! What is wrong with a file, as findings of `dudc verify`.

use asdf_bridge::asdf::{AsdfFile, Finding as Own};
use dudley::Severity;
use dudley::verify::Finding;

use crate::failure::Result;

/// All that is odd or wrong.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn verify(file: &AsdfFile) -> Result<Vec<Finding>> {
    Ok(file.verify()?.findings.into_iter().map(finding).collect())
}

fn finding(own: Own) -> Finding {
    let severity = if own.code.is_error() { Severity::Error } else { Severity::Warning };
    let block = own.block.map_or(String::new(), |block| format!("block {block}: "));
    Finding {
        code: own.code.as_str(),
        severity,
        address: Some(own.address),
        bytes: None,
        path: None,
        message: block + &own.reason,
    }
}
