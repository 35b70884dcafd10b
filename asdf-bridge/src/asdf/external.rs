//! Other files that a tree names: where they may come from.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use dudley::bytes::Source;

use super::error::{Error, Result};

/// Finds the files that a tree names by a URI. A tree is no more to be trusted than any file, so
/// what it may reach is for the caller to say.
pub trait External: Send + Sync {
    /// The bytes of a file. The URI is relative to the file that was opened, its fragment is gone.
    ///
    /// # Errors
    /// [`Error::External`] if there is no such file, or it may not be reached.
    fn open(&self, uri: &str) -> Result<Arc<dyn Source>>;
}

/// The files in a folder and below it, by relative paths; no other ones, and nothing of a network.
#[derive(Clone, Debug)]
pub struct Folder {
    folder: PathBuf,
}

impl Folder {
    /// The files in a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Folder {
        Folder { folder: folder.into() }
    }

    /// Where the file lies that a URI means; there may be none.
    ///
    /// # Errors
    /// [`Error::External`] if it is not below the folder.
    pub fn path(&self, uri: &str) -> Result<PathBuf> {
        Ok(self.folder.join(relative(uri)?))
    }
}

/// No files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl External for Nothing {
    fn open(&self, uri: &str) -> Result<Arc<dyn Source>> {
        Err(refused(uri, "other files are not to be opened"))
    }
}

impl External for Folder {
    fn open(&self, uri: &str) -> Result<Arc<dyn Source>> {
        let path = self.path(uri)?;
        let failed = |error: std::io::Error| refused(uri, &error.to_string());
        let real = path.canonicalize().map_err(failed)?;
        // A link may lead anywhere.
        let within = if self.folder.as_os_str().is_empty() {
            Path::new(".").canonicalize()
        } else {
            self.folder.canonicalize()
        };
        if !real.starts_with(within.map_err(failed)?) {
            return Err(refused(uri, "it is not below the folder of the file"));
        }
        // A pipe would be waited for.
        if !real.metadata().map_err(failed)?.is_file() {
            return Err(refused(uri, "it is no file"));
        }
        Ok(Arc::new(dudley::bytes::FileSource::open(&real)?))
    }
}

/// The path that a URI means, below a folder.
fn relative(uri: &str) -> Result<PathBuf> {
    let scheme = uri.split(['/', '?', '#']).next().unwrap_or_default();
    if scheme.contains(':') || uri.starts_with(['/', '\\']) {
        return Err(refused(uri, "only relative paths are followed"));
    }
    let decoded = unescape(uri).ok_or_else(|| refused(uri, "it is no URI"))?;
    let mut path = PathBuf::new();
    for part in Path::new(&decoded).components() {
        let stays = match part {
            Component::Normal(name) => {
                path.push(name);
                true
            }
            Component::CurDir => true,
            Component::ParentDir => path.pop(),
            Component::RootDir | Component::Prefix(_) => false,
        };
        if !stays {
            return Err(refused(uri, "it is not below the folder of the file"));
        }
    }
    Ok(path)
}

/// Text of a URI without its `%20`s; `None` if they are none.
pub(super) fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| (byte? as char).to_digit(16);
                (digit(rest.next())? << 4 | digit(rest.next())?) as u8
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A name as a part of a URI.
pub(super) fn escape(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte))
        } else {
            text += &format!("%{byte:02X}")
        }
    }
    text
}

/// A URI beside another one: in the same folder.
pub(super) fn join(base: &str, uri: &str) -> String {
    let scheme = uri.split('/').next().unwrap_or_default();
    match base.rsplit_once('/') {
        Some((folder, _)) if !scheme.contains(':') && !uri.starts_with('/') => {
            format!("{folder}/{uri}")
        }
        _ => uri.to_owned(),
    }
}

/// What a source begins with that is an HDU of the FITS file in which a file of ASDF lies, as stdatamodels writes it.
const HDU: &str = "fits:";

fn refused(uri: &str, why: &str) -> Error {
    let why = if uri.starts_with(HDU) {
        "it is an HDU of the FITS file in which this file of ASDF lies, and no other file: it is not read through ASDF"
    } else {
        why.split(" (os error").next().unwrap_or_default()
    };
    Error::External { uri: uri.into(), why: why.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_of_the_folder_is_reached() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = outer.path().join("in");
        std::fs::create_dir_all(folder.join("sub")).expect("a folder");
        std::fs::write(outer.path().join("secret"), "x").expect("a file");
        std::fs::write(folder.join("sub/a b"), "y").expect("a file");
        let files = Folder::new(&folder);
        for good in ["sub/a%20b", "./sub/../sub/a b"] {
            assert_eq!(files.open(good).expect(good).len(), 1);
        }
        let absolute = folder.join("sub/a b").display().to_string();
        for bad in [
            "../secret",
            "sub/../../secret",
            "%2e%2e/secret",
            "file:///etc/hostname",
            "http://example.com/x",
            "none",
            "%zz",
            &absolute,
        ] {
            assert!(matches!(files.open(bad), Err(Error::External { .. })), "{bad}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret"), folder.join("link"))
                .expect("a link");
            assert!(matches!(files.open("link"), Err(Error::External { .. })));
        }
        assert!(Nothing.open("sub/a%20b").is_err());
        for refused in [files.open("fits:SCI,1"), Nothing.open("fits:SCI,1")] {
            let error = refused.err().expect("it is no file").to_string();
            assert!(error.contains("an HDU of the FITS file"), "{error}");
        }
    }

    #[test]
    fn uris_are_joined_to_the_folder_of_the_base() {
        assert_eq!(join("", "x"), "x");
        assert_eq!(join("a.asdf", "x"), "x");
        assert_eq!(join("sub/a.asdf", "x"), "sub/x");
        assert_eq!(join("sub/a.asdf", "http://x/y"), "http://x/y");
    }
}
