//! Streams that are objects of stores: `https://host/run.bd`, `s3://bucket/run.bd`.

use std::path::Path;

use crate::failure::{Failure, Result};

/// The address, if the name of the file is one.
pub(crate) fn address(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_scheme.then_some(text)
}

/// The object at an address.
///
/// # Errors
/// If it cannot be requested.
#[cfg(feature = "store")]
pub(crate) fn open(address: &str) -> Result<dudley::bytes::StoreSource> {
    dudley::bytes::StoreSource::open(address).map_err(|error| Failure::of_file(address, error))
}

/// Reports that this program cannot open addresses.
#[cfg(not(feature = "store"))]
pub(crate) fn open(address: &str) -> Result<Vec<u8>> {
    Err(Failure::input(format!(
        "{address}: this dudc was built without the feature `store`, which reads from servers"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_files() {
        let is = |text: &str| address(Path::new(text)).is_some();
        assert!(is("https://example.org/a.bd") && is("s3://bucket/a.bd"));
        assert!(!is("a.bd") && !is("C://a.bd") && !is("./http://a") && !is("://a") && !is("-"));
    }
}
