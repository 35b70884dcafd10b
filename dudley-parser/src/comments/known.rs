//! The attributes that mean something beyond one layout, and what they mean.

use crate::similar::distance;

/// Attributes that mean something to the language or to the tools: how an item is presented, which values it has, how
/// they are scaled.
const MEANT: &[(&str, &str)] = &[
    ("add_offset", "CF: is added after `scale_factor` is multiplied"),
    ("adler32", "the Adler-32 of the data, a checksum"),
    ("atol", "how far apart floats of two streams may be"),
    ("attribute_types", "the types of other attributes in a file that has such"),
    ("bits", "how many bits of the bytes are in use"),
    ("block", "the block of the ASDF file that has the data"),
    ("chunks", "the shape of the blocks that the item asks to be stored in"),
    ("const", "the only legal value: readers refuse any other, writers fill it in"),
    ("crc32", "the CRC-32 of the data, a checksum"),
    ("crc32c", "the CRC-32C of the data, a checksum"),
    ("decimal", "the texts are decimal numbers, of this number of bytes each"),
    ("decimals", "how many digits stand behind the point where a decimal number has no point"),
    ("dims", "the names of the dimensions"),
    ("dtype", "the type in another format, whose bits the elements are"),
    ("fill", "the value of elements that no block holds"),
    ("fill_bytes", "the bytes of elements that no block holds"),
    ("_FillValue", "CF: stands where nothing was written"),
    ("fletcher32", "the Fletcher-32 of the data, a checksum"),
    ("heap", "the path of the list that has the values of the rows"),
    ("integers", "the decimal numbers are integers"),
    ("masked", "the array of the ASDF file has a mask"),
    ("md5", "the MD5 of the data, a checksum"),
    ("missing_value", "CF: stands for a value that is not there"),
    ("names", "the names of the values of integers: of 0, 1 and so on, or of those in `values`"),
    (
        "netcdf_shape",
        "the shape that it has in a file of netCDF-4, where dimensions without end are as long as the longest array along them",
    ),
    ("numpy", "the type of numpy, of times and the like"),
    ("order", "\"F\": the dimensions are written fastest first"),
    ("presence", "the param is 0 or -1: whether the items of this dimension are there"),
    ("rtol", "how far apart floats of two streams may be, in relation to their size"),
    ("scale_factor", "CF: the factor to multiply stored values with"),
    ("sha1", "the SHA-1 of the data, a checksum"),
    ("sha256", "the SHA-256 of the data, a checksum"),
    ("start", "the indices in the whole at which the block begins"),
    ("stream", "which kind of stream the layout is for: \"raw\" or \"native\""),
    ("stream_bytes", "takes the length of the stream in bytes"),
    ("to_end", "takes what the stream has left"),
    ("ulp", "how many representable floats two floats of two streams may be apart"),
    ("units", "CF: the unit; wins over `(unit)` in the documentation"),
    ("unlimited_dims", "the dimensions of a netCDF file that count records"),
    ("_Unsigned", "CF: whether integers are of the other sign than their type"),
    ("values", "the integers that `names` names"),
    ("view_offset", "bytes from where the item begins to the first element of the view"),
    ("view_shape", "the shape of the view that the item is presented as"),
    ("view_strides", "bytes from one index to the next, for each dimension of the view"),
    (
        "vlen",
        "the type of the texts or sequences that a heap of the file holds, which the elements have the places of",
    ),
    ("whole", "the shape of the array that the items of the list are blocks of"),
    ("xxh3", "the XXH3 of the data, a checksum"),
];

/// Attributes that conventions, people or rules of `lint` read.
const OTHERS: &[(&str, &str)] = &[
    ("author", "who wrote the layout"),
    ("axis", "CF: which axis a coordinate is, X, Y, Z or T"),
    ("calendar", "CF: the calendar of times"),
    ("checksum", "a checksum of the data"),
    ("comment", "CF: remarks about the data"),
    ("coordinates", "CF: the items that hold the coordinates of this one"),
    ("flag_meanings", "CF: what the values of `flag_values` mean"),
    ("flag_values", "CF: the values that have a meaning"),
    ("history", "CF: what was done to the data"),
    ("institution", "CF: where the data were made"),
    ("license", "what may be done with the data"),
    ("lint_allow", "rules of `lint` whose findings are ignored here"),
    ("lint_deny", "rules of `lint` whose findings are errors here"),
    ("lint_note", "rules of `lint` whose findings are notes here"),
    ("lint_warn", "rules of `lint` whose findings are warnings here"),
    ("long_name", "CF: a name for people, for a plot"),
    ("references", "CF: publications about the data"),
    ("source", "CF: how the data were made"),
    ("standard_name", "CF: what the quantity is, in the table of standard names"),
    ("title", "CF: what the data are"),
    ("valid_max", "CF: values above are not valid"),
    ("valid_min", "CF: values below are not valid"),
    ("valid_range", "CF: the least and the greatest valid value"),
    ("version", "the version of what the layout describes"),
];

fn known() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    MEANT.iter().chain(OTHERS)
}

/// Whether an attribute of this name means something to the language or to the tools.
pub(crate) fn is_meant(name: &str) -> bool {
    MEANT.iter().any(|(known, _)| *known == name)
}

/// The meaning of an attribute beyond one layout, as part of a sentence.
///
/// ```
/// use dudley_parser::comments::meaning;
///
/// assert_eq!(meaning("dims"), Some("the names of the dimensions"));
/// assert_eq!(meaning("my_own"), None);
/// ```
pub fn meaning(name: &str) -> Option<&'static str> {
    known().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

/// Names near to a known one that layouts may well have for themselves.
const ORDINARY: [&str; 3] = ["file", "name", "value"];

/// The known attribute that a name is a slip of the pen for, if the name is near enough to one, or to its singular.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let is_ordinary = ORDINARY.iter().any(|word| word.eq_ignore_ascii_case(name));
    // Shorter names are near to too many words.
    if name.len() < 4 || name.len() > 64 || is_ordinary || meaning(name).is_some() {
        return None;
    }
    let bound = if name.len() < 8 { 1 } else { 2 };
    let far = |known: &str| {
        let singular = known.strip_suffix('s').unwrap_or(known);
        distance(name, known).min(distance(name, singular))
    };
    let near = known().map(|(known, _)| (far(known), *known));
    near.filter(|(far, _)| *far <= bound).min().map(|(_, known)| known)
}
