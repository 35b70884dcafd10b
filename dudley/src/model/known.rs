//! Formats that are only recognised and not read, by their first bytes.

/// What a file of some format has, where, and what to call it.
struct Known {
    at: usize,
    bytes: &'static [u8],
    name: &'static str,
}

const fn known(at: usize, bytes: &'static [u8], name: &'static str) -> Known {
    Known { at, bytes, name }
}

/// Formats of which no file is a layout by accident.
const KNOWN: &[Known] = &[
    known(0, b"\x89HDF\r\n\x1a\n", "an HDF5 file (or netCDF-4)"),
    known(0, b"\x0e\x03\x13\x01", "an HDF4 file"),
    known(0, b"MATLAB 5.0 MAT-file", "a MATLAB file (version 5)"),
    known(0, b"MATLAB 7.3 MAT-file", "a MATLAB file (version 7.3, HDF5)"),
    known(0, b"ply\nformat ", "a PLY file"),
    known(0, b"ply\r\nformat ", "a PLY file"),
    known(0, b"# vtk DataFile Version ", "a VTK file"),
    known(128, b"DICM", "a DICOM file"),
    known(0, b"GRIB", "a GRIB file"),
    known(0, b"BUFR", "a BUFR file"),
    known(0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    known(0, b"\xff\xd8\xff", "a JPEG image"),
    known(0, b"GIF87a", "a GIF image"),
    known(0, b"GIF89a", "a GIF image"),
    known(0, b"II*\0", "a TIFF image"),
    known(0, b"MM\0*", "a TIFF image"),
    known(0, b"II+\0", "a TIFF image (BigTIFF)"),
    known(0, b"MM\0+", "a TIFF image (BigTIFF)"),
    known(0, b"RIFF", "a RIFF file (WAV, AVI)"),
    known(0, b"%PDF-", "a PDF document"),
    known(0, b"PAR1", "a Parquet file"),
    known(0, b"ARROW1\0\0", "an Arrow file"),
    known(0, b"SQLite format 3\0", "an SQLite database"),
    known(0, b"\x7fELF", "a program or library (ELF)"),
    known(0, b"\x1f\x8b", "a file packed with gzip, to be unpacked with `gunzip` first"),
    known(0, b"BZh", "a file packed with bzip2, to be unpacked with `bunzip2` first"),
    known(0, b"\xfd7zXZ\0", "a file packed with xz, to be unpacked with `unxz` first"),
    known(0, b"\x28\xb5\x2f\xfd", "a file packed with zstd, to be unpacked with `unzstd` first"),
    known(0, b"\x04\x22\x4d\x18", "a file packed with lz4, to be unpacked with `unlz4` first"),
    known(0, b"7z\xbc\xaf\x27\x1c", "an archive of 7-Zip"),
    known(257, b"ustar", "a tar archive"),
];

/// Texts that are no layouts, by the usual ending of their names.
const TEXTS: &[(&str, &str)] = &[
    ("csv", "a table with commas"),
    ("tsv", "a table with tabs"),
    ("json", "JSON"),
    ("xml", "XML"),
    ("yaml", "YAML"),
    ("yml", "YAML"),
    ("toml", "TOML"),
    ("ini", "a file of settings"),
    ("md", "Markdown"),
    ("py", "a program in Python"),
    ("c", "a program in C"),
    ("h", "a header in C"),
    ("f90", "a program in Fortran"),
];

/// The probable kind of a text that is no layout, by the ending of its name.
pub(super) fn text_of_ending(ending: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending)).map(|(_, text)| *text)
}

/// The probable format of a file that is not read, by its first bytes, with its article; `None` if it is not
/// known. A mark without any byte that no text has counts only where the file is no text.
///
/// ```
/// use dudley::model::probably;
///
/// assert_eq!(probably(b"\x89HDF\r\n\x1a\n", false), Some("an HDF5 file (or netCDF-4)"));
/// assert_eq!(probably(b"GRIB : i4", true), None);
/// ```
pub fn probably(head: &[u8], is_text: bool) -> Option<&'static str> {
    let has = |it: &&Known| head.get(it.at..).is_some_and(|rest| rest.starts_with(it.bytes));
    // Short words may begin a layout as well.
    let is_sure = |it: &&Known| !is_text || it.bytes.len() > 8;
    KNOWN.iter().filter(is_sure).find(has).map(|it| it.name)
}
