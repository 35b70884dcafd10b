//! Writes streams with an HDF5 face.

use hashbrown::HashSet;
use std::sync::{Mutex, PoisonError};

use dudley::model::Doubt;
use dudley::numpy::arrays::Named;
use dudley::write::Extra;
use dudley::{Error, Result, Stream};

use super::face::{Face, SUPERBLOCK_BYTES};
use crate::texts::as_utf8;

/// The address of HDF5's superblock in a stream whose data begin at [`BEHIND_SUPERBLOCK`].
const SUPERBLOCK_AT: u64 = 512;

/// The address after HDF5's superblock at its first possible place. If the first item begins here, HDF5 shows all items
/// in place.
pub const BEHIND_SUPERBLOCK: u64 = SUPERBLOCK_AT + SUPERBLOCK_BYTES as u64;

/// An HDF5 face for a writer: as an extra, it makes the stream an HDF5 file as well. The layout needs a gap for HDF5's
/// superblock, for example an item at [`BEHIND_SUPERBLOCK`]. The output must be readable, as files and memory are.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley::{Open, Writer, parse_layout};
/// use dudley_formats::hdf5::face::Face;
/// use dudley_formats::hdf5::written::WithFace;
///
/// # let folder = tempfile::tempdir().map_err(|error| dudley::Error::io("cannot make a folder", error))?;
/// # let path = folder.path().join("run.h5");
/// let layout = parse_layout(b"N : i8 @560\nrho = f4[N]  ## (g/cc) density\n")?;
/// let face = Arc::new(WithFace::default());
/// let writer = Writer::new(layout).put("/rho", &[1.5_f32, 2.5][..]).param("/N", 2);
/// writer.attach(true).extra(face.clone()).write_file(&path, false)?;
/// // The items that HDF5 does not show.
/// assert!(face.left_out().is_empty());
///
/// // h5py.File("run.h5")["rho"] is the same array.
/// let stream = Open::new().file(&path)?;
/// assert_eq!(stream.get("/rho")?.read::<f32>()?.sum(), 4.0);
/// assert_eq!(Face::find(&stream)?, Some(512));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct WithFace {
    left_out: Mutex<Vec<Doubt>>,
}

impl WithFace {
    /// The items of the last written stream that HDF5 does not show, and the reasons.
    ///
    /// ```
    /// assert!(dudley_formats::hdf5::written::WithFace::default().left_out().is_empty());
    /// ```
    pub fn left_out(&self) -> Vec<Doubt> {
        self.left_out.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Extra for WithFace {
    fn parts(&self, stream: &Stream, end: u64) -> Result<Vec<(u64, Vec<u8>)>> {
        // After the signature, if there are no data.
        let data_end = stream.data_end()?.max(dudley_parser::place::NATIVE_START);
        if data_end != end {
            let why = format!(
                "the data end at address {end}, and at {data_end} for who reads the layout: HDF5's headers have no place"
            );
            return Err(Error::Foreign(why.into()));
        }
        let Face { superblock_at, superblock, headers_at, headers, left_out } =
            Face::of(stream, data_end)?;
        *self.left_out.lock().unwrap_or_else(PoisonError::into_inner) = left_out;
        Ok(vec![(superblock_at, superblock), (headers_at, headers)])
    }
}

/// Converts arrays to the forms of HDF5. Text in UTF-16 or UTF-32 becomes UTF-8, padded with NULs to the longest text.
/// Names with slashes, which FITS extensions from dicts have, become paths in groups if these are free.
///
/// ```
/// use dudley::numpy::arrays::Named;
/// use dudley_formats::hdf5::written::fitted;
///
/// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
/// let array = Named::new(vec!["grp/x".into()], false, stream.get("/x")?.data()?);
/// assert_eq!(fitted(vec![array])?[0].parts, ["grp", "x"]);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// If reading fails.
pub fn fitted(arrays: Vec<Named>) -> Result<Vec<Named>> {
    let apart = |name: &String| -> Vec<String> {
        name.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let wanted: Vec<Vec<String>> =
        arrays.iter().map(|array| array.parts.iter().flat_map(apart).collect()).collect();
    let has_room = are_apart(&wanted);
    let fit = |(array, parts): (Named, Vec<String>)| {
        let primitive = array.source.units().map(|(primitive, ..)| primitive);
        let source = match primitive {
            Some(it) if it.is_text() && it.size() > 1 => as_utf8(&array.source)?,
            _ => array.source,
        };
        Ok(if has_room && array.parts.iter().any(|part| part.contains('/')) {
            Named { parts, keyed: Vec::new(), source, ..array }
        } else {
            Named { source, ..array }
        })
    };
    arrays.into_iter().zip(wanted).map(fit).collect()
}

/// Whether all paths differ and none leads into another.
fn are_apart(paths: &[Vec<String>]) -> bool {
    let ends: HashSet<&[String]> = paths.iter().map(Vec::as_slice).collect();
    let leads = |path: &Vec<String>| (1..path.len()).any(|depth| ends.contains(&path[..depth]));
    ends.len() == paths.len() && !paths.iter().any(|path| path.is_empty() || leads(path))
}
