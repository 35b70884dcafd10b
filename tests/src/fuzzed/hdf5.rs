//! Any bytes as an HDF5 file: opening, listing, reading and verifying it ends.

use super::netcdf3::in_place;
use crate::root;

/// Whatever bytes an HDF5 file is, reading it ends, and its layout has no errors.
pub(super) fn hdf5(data: &[u8]) {
    if data.starts_with(b"\x89HDF") {
        in_place("hdf5", data);
    }
}

/// What fuzzing starts from: files that h5py wrote.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = root().join("tests/corpus/hdf5");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = files.filter(|file| file.path().extension().is_some_and(|it| it == "h5"));
    let mut seeds: Vec<(String, Vec<u8>)> = files
        .filter_map(|file| {
            let name = file.file_name().to_string_lossy().into_owned();
            Some((format!("{name}-hdf5"), std::fs::read(file.path()).ok()?))
        })
        .collect();
    seeds.sort();
    seeds
}
