//! The keywords by which a header says where its data are, and what they are.

/// What the layout says itself, and sums that are of the file alone.
pub(super) const OF_LAYOUT: [&str; 12] = [
    "SIMPLE", "XTENSION", "BITPIX", "NAXIS", "PCOUNT", "GCOUNT", "GROUPS", "TFIELDS", "THEAP",
    "EXTEND", "CHECKSUM", "DATASUM",
];

/// Cards with a number that are about a column.
pub(super) const OF_COLUMNS: [&str; 22] = [
    "TTYPE", "TFORM", "TUNIT", "TNULL", "TSCAL", "TZERO", "TDISP", "TDIM", "TBCOL", "TCOMM",
    "TLMIN", "TLMAX", "TDMIN", "TDMAX", "TCTYP", "TCUNI", "TCRPX", "TCRVL", "TCDLT", "TRPOS",
    "TUCD", "TUTYP",
];

/// Whether a keyword is one of those by which a header says where its data are.
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
