//! The attributes that mean something beyond one layout, and what they mean.

use crate::similar::distance;

/// Attributes of the language (spec 7), and those that many layouts use.
const KNOWN: &[(&str, &str)] = &[
    ("add_offset", "CF: is added after `scale_factor` is multiplied"),
    ("atol", "how far apart floats of two streams may be"),
    ("attribute_types", "the types of other attributes in a file that has such"),
    ("author", "who wrote the layout"),
    ("axis", "CF: which axis a coordinate is, X, Y, Z or T"),
    ("calendar", "CF: the calendar of times"),
    ("checksum", "a checksum of the data"),
    ("chunks", "the shape of the blocks that the item asks to be stored in"),
    ("comment", "CF: remarks about the data"),
    ("const", "the only legal value: readers refuse any other, writers fill it in"),
    ("coordinates", "CF: the items that hold the coordinates of this one"),
    ("decimal", "the texts are decimal numbers, of this number of bytes each"),
    ("decimals", "how many digits stand behind the point where a decimal number has no point"),
    ("dims", "the names of the dimensions"),
    ("fill", "the value of elements that no block holds"),
    ("fill_bytes", "the bytes of elements that no block holds"),
    ("_FillValue", "CF: stands where nothing was written"),
    ("flag_meanings", "CF: what the values of `flag_values` mean"),
    ("flag_values", "CF: the values that have a meaning"),
    ("history", "CF: what was done to the data"),
    ("institution", "CF: where the data were made"),
    ("integers", "the decimal numbers are integers"),
    ("license", "what may be done with the data"),
    ("lint_allow", "rules of `lint` whose findings are ignored here"),
    ("lint_deny", "rules of `lint` whose findings are errors here"),
    ("lint_note", "rules of `lint` whose findings are notes here"),
    ("lint_warn", "rules of `lint` whose findings are warnings here"),
    ("long_name", "CF: a name for people, for a plot"),
    ("missing_value", "CF: stands for a value that is not there"),
    ("names", "the names of the values of integers: of 0, 1 and so on, or of those in `values`"),
    (
        "netcdf_shape",
        "the shape that it has in a file of netCDF-4, where dimensions without end are as long as the longest array along them",
    ),
    ("order", "\"F\": the dimensions are written fastest first"),
    ("presence", "the param is 0 or -1: whether the items of this dimension are there"),
    ("references", "CF: publications about the data"),
    ("rtol", "how far apart floats of two streams may be, in relation to their size"),
    ("scale_factor", "CF: the factor to multiply stored values with"),
    ("source", "CF: how the data were made"),
    ("standard_name", "CF: what the quantity is, in the table of standard names"),
    ("start", "the indices in the whole at which the block begins"),
    ("stream", "which kind of stream the layout is for: \"raw\" or \"native\""),
    ("stream_bytes", "takes the length of the stream in bytes"),
    ("title", "CF: what the data are"),
    ("to_end", "takes what the stream has left"),
    ("ulp", "how many representable floats two floats of two streams may be apart"),
    ("units", "CF: the unit; wins over `(unit)` in the documentation"),
    ("_Unsigned", "CF: whether integers are of the other sign than their type"),
    ("valid_max", "CF: values above are not valid"),
    ("valid_min", "CF: values below are not valid"),
    ("valid_range", "CF: the least and the greatest valid value"),
    ("values", "the integers that `names` names"),
    ("version", "the version of what the layout describes"),
    ("view_offset", "bytes from where the item begins to the first element of the view"),
    ("view_shape", "the shape of the view that the item is presented as"),
    ("view_strides", "bytes from one index to the next, for each dimension of the view"),
    (
        "vlen",
        "the type of the texts or sequences that a heap of the file holds, which the elements have the places of",
    ),
    ("whole", "the shape of the array that the items of the list are blocks of"),
];

/// The meaning of an attribute beyond one layout, as part of a sentence.
///
/// ```
/// use dudley_parser::comments::meaning;
///
/// assert_eq!(meaning("dims"), Some("the names of the dimensions"));
/// assert_eq!(meaning("my_own"), None);
/// ```
pub fn meaning(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
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
    let near = KNOWN.iter().map(|(known, _)| (far(known), *known));
    near.filter(|(far, _)| *far <= bound).min().map(|(_, known)| known)
}
