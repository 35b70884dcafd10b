//! A signature of which one byte is wrong: what was it, and is the stream sound with it?

use std::path::Path;
use std::sync::Arc;

use dudley_parser::Severity;

use super::{Finding, verify};
use crate::bytes::lock::Lock;
use crate::bytes::positioned::Positioned;
use crate::bytes::signature::{LEN, Signature, candidates};
use crate::bytes::source::{FileSource, Source};
use crate::error::{Error, Result, file_name};
use crate::read::stream::Open;

/// Corrects one wrong byte of a signature, if the right value is known: with it, the stream has a layout
/// without errors. Returns the address of the byte; `None` if nothing was changed.
///
/// # Errors
/// [`Error::Locked`], [`Error::Io`].
///
/// ```
/// use dudley::verify::mend_signature;
/// # use dudley::{Open, Writer, parse_layout};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// let layout = parse_layout(b"x = i4[3]")?;
/// let mut bytes = Writer::new(layout).put("/x", &[1, 2, 3]).attach(true).to_bytes()?;
/// bytes[2] = b'b';
/// std::fs::write(&path, &bytes).expect("space");
/// assert!(Open::new().native().file(&path).is_err());
/// assert_eq!(mend_signature(&path)?, Some(2));
/// assert!(Open::new().native().file(&path).is_ok());
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn mend_signature(path: impl AsRef<Path>) -> Result<Option<u64>> {
    let path = path.as_ref();
    let cannot = |error| Error::io(format!("cannot write `{}`", file_name(&path)), error);
    // Only what needs it is opened to be written.
    if candidates(&FileSource::open(path)?)?.is_none() {
        return Ok(None);
    }
    let (file, _lock) = Lock::open(path)?;
    let source: Arc<dyn Source> = Arc::new(FileSource::new(file.try_clone().map_err(cannot)?)?);
    let Some((address, heads)) = candidates(&*source)? else { return Ok(None) };
    let sound: Vec<_> = heads.into_iter().filter(|head| is_sound(&source, *head)).collect();
    let [head] = sound[..] else { return Ok(None) };
    let file = Positioned::new(file);
    file.write_at(address, &head[address as usize..][..1]).map_err(cannot)?;
    file.file().sync_all().map_err(cannot)?;
    Ok(Some(address))
}

fn is_sound(source: &Arc<dyn Source>, head: [u8; LEN as usize]) -> bool {
    if !matches!(Signature::detect(&head, source.len()), Ok(Some(it)) if it.layout_address.is_some())
    {
        return false;
    }
    let mut sound = true;
    let with = WithHead { source: source.clone(), head };
    let mut found = |it: Finding| sound &= it.severity != Severity::Error;
    verify(Open::new(), with, &mut found, &mut |_| ());
    sound
}

/// A source with other first bytes.
struct WithHead {
    source: Arc<dyn Source>,
    head: [u8; LEN as usize],
}

impl Source for WithHead {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        self.source.read_at(address, buf)?;
        for (byte, right) in buf.iter_mut().zip(self.head.iter().skip(address.min(LEN) as usize)) {
            *byte = *right;
        }
        Ok(())
    }
}
