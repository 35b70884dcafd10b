//! The keywords of a header that describe the place and the form of its data.

/// Keywords that the layout replaces, and checksums that apply to the file alone.
pub(super) const OF_LAYOUT: [&str; 12] = [
    "SIMPLE", "XTENSION", "BITPIX", "NAXIS", "PCOUNT", "GCOUNT", "GROUPS", "TFIELDS", "THEAP",
    "EXTEND", "CHECKSUM", "DATASUM",
];

/// The roots of numbered cards that describe a column.
pub(super) const OF_COLUMNS: [&str; 22] = [
    "TTYPE", "TFORM", "TUNIT", "TNULL", "TSCAL", "TZERO", "TDISP", "TDIM", "TBCOL", "TCOMM",
    "TLMIN", "TLMAX", "TDMIN", "TDMAX", "TCTYP", "TCUNI", "TCRPX", "TCRVL", "TCDLT", "TRPOS",
    "TUCD", "TUTYP",
];

/// Whether a keyword describes the place or the form of data.
pub(super) fn is_structural(keyword: &str) -> bool {
    let root = numbered(keyword).map_or(keyword, |(root, _)| root);
    let own = ["END", "CONTINUE", "BSCALE", "BZERO", "BLANK", "BUNIT"];
    OF_LAYOUT.contains(&root) || OF_COLUMNS.contains(&root) || own.contains(&keyword)
}

/// A keyword and the number at its end.
pub(super) fn numbered(keyword: &str) -> Option<(&str, u64)> {
    let root = keyword.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((root, keyword[root.len()..].parse().ok()?))
}
