//! Pages about extensions of the language; `check --strict` reports where they are used.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::new("ext-sum", "an expression of params and integers", "4.6", [
"As an extension a dimension, a repeat, an address or a count of stored bytes may be an expression
such as `N+16` or `BYTES/2`. It is plain arithmetic. Other programs may know only params with `+`
and `-` suffixes.",
        "N : 3\nx = f8[N+2]", "N : 3\nx = f8[N++]"]),
    Page::new("ext-align", "an alignment above 16", "6.2", [
"As an extension alignments go up to 2^30, for cache lines, pages, and stripes of file systems. Other
programs may know only 1, 2, 4, 8 and 16.",
        "x = f8 %4096", "x = f8 %16"]),
    Page::new("ext-pack", "packing", "3.11", [
"As an extension `%n` behind the `{` of a struct, or before all items of the layout, is the greatest
default alignment inside, as `#pragma pack(n)` is for compilers of C. Other programs may only know
`%n` behind each member.",
        "x = {%1 a = i1  b = f8}", "x = {a = i1  b = f8 %1}"]),
    Page::new("ext-unsigned-param", "a param of an unsigned type", "4.1", [
"As an extension params may be `u1 u2 u4 u8`. Other programs may know only `i1 i2 i4 i8`.",
        "N : u4\nx = f8[N]", "N : i4\nx = f8[N]"]),
    Page::new("ext-filter", "a filter", "10", [
"As an extension the stream may hold what a filter made of an array. Other programs may not know
filters, and then cannot read any part of the layout.",
        "x = f8[3] -> zlib", "x = f8[3]"]),
    Page::new("ext-to-end", "the attribute `to_end`", "4.9", [
"As an extension a fixed param of a dict with the attribute `to_end` takes what the stream has left: the
greatest value with which the item that it is a length of ends at or before the end of the stream.",
        "N : 0  #: to_end\nx = f8[N]", "N : 3\nx = f8[N]"]),
    Page::new("ext-stream-bytes", "the attribute `stream_bytes`", "4.7", [
"As an extension a fixed param of the root dict with the attribute `stream_bytes` takes the length of
the stream. To other programs the attribute is a comment and the param has the value in the text.",
        "SIZE : 24  #: stream_bytes\nx = u1[SIZE]", "SIZE : 24\nx = u1[SIZE]"]),
    Page::new("ext-const", "the attribute `const`", "7.3", [
"As an extension the attribute `const` states the only legal value of an item or field: a reader that
decodes it fails on any other, a writer fills it in. To other programs it is a comment.",
        "magic = u1[2]  #: const = [0xd3, 0x42]", "magic = u1[2]"]),
    Page::new("ext-list-suffix", "a suffix of how many items to add", "5.3", [
"As an extension the number of items that `name[N+]` adds to a list may have suffixes. Other programs may
know only an integer or a param there.",
        "N : 1\nl = [f4]\nl[N+]", "N : 1\nl = [f4]\nl[N]"]),
    Page::new("ext-whole", "the attribute `whole`", "7.5", [
"As an extension the attribute `whole` makes a list of blocks one array of that shape, with `start` and
`fill`. To other programs these are comments, and the list has its items.",
        "l = [f4[3], f4[3]]  #: whole = [6]", "l = [f4[3], f4[3]]"]),
    Page::new("ext-escape", "an escape beyond backslash and quotes", "1.3", [
"In quotes a backslash, and a quote behind one, are escapes. As an extension so are \\n, \\t, \\r and
\\u{…}. Other programs may not know them.",
        "\"a\\tb\" = f8", "\"a b\" = f8"]),
];
