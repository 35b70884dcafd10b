//! Pages about changes of a layout: what they break, and what one does instead.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::change("change-removed", "something is gone", "LAYOUT (what takes space), READ, SOURCE", [
"What programs ask for by its name is not there any more, nor are its bytes. Streams written with the
old layout can be read all the same, but for it. Keep what is no longer used, and say so.",
        "x = i4\ny = i4", "x = i4", "x = i4\ny = i4  ## not used any more"]),
    Page::change("change-added", "something is new", "nothing", [
"Streams written with the old layout do not have it. What is added at the end moves nothing; what is
added elsewhere moves what follows, which `change-address` says.",
        "x = i4", "x = i4\ny = i4", "x = i4"]),
    Page::change("change-renamed", "something has another name", "READ, SOURCE", [
"It stands behind the same neighbour and is of the same type and shape, so it is taken for the same
thing. Its bytes are where they were; programs that ask for the old name find nothing.",
        "x = i4\ny = f4[3]", "x = i4\nz = f4[3]", "x = i4\ny = f4[3]  ## called z elsewhere"]),
    Page::change("change-address", "something lies elsewhere", "LAYOUT", [
"For some values of the params, and the example has the simplest, the bytes of an item are not where
they were, or the new layout cannot place it, as where a dimension is below 0. A stream that
does not bring its own layout is misread. Add items at the end only.",
        "N : i4\nx = i1[N]\ny = i4", "N : i4\nz = i4\nx = i1[N]\ny = i4", "N : i4\nx = i1[N]\ny = i4\nz = i4"]),
    Page::change("change-size", "something takes another number of bytes", "LAYOUT", [
"The item begins where it did, but for some values of the params it takes more or fewer bytes, its
elements are further apart, or its list has another number of items.",
        "T {a = i4}\nx = T[4]", "T {a = i4  b = i4}\nx = T[4]", "T {a = i4}\nx = T[4]\ny = i4[4]"]),
    Page::change("change-dtype", "another type", "READ, SOURCE; LAYOUT where its size changes, and of params", [
"The bytes mean something else; where the type is as large as it was, they lie where they lay. Of a param
whose sign is read otherwise, all that depends on it is looked for elsewhere. Add an item of the new type,
and keep the old one.",
        "x = f8", "x = u8", "x = f8\nn = u8"]),
    Page::change("change-rank", "another number of dimensions", "READ, SOURCE; LAYOUT where the size changes", [
"Programs index the array with as many numbers as it had dimensions.",
        "x = f8[6]", "x = f8[2, 3]", "x = f8[6]"]),
    Page::change("change-shape", "other dimensions", "READ, SOURCE; LAYOUT where elements move", [
"A dimension is another number, or depends on another param. Where dimensions change places the bytes
are as many as they were, but each is another element.",
        "I : i4\nJ : i4\nx = f8[J, I]", "I : i4\nJ : i4\nx = f8[I, J]", "I : i4\nJ : i4\nx = f8[J, I]"]),
    Page::change("change-view", "elements in another order", "READ, SOURCE", [
"The attribute `order`, or a view of the item, is another one: the bytes lie where they lay, but an index is
that of another element.",
        "x = f8[2, 3]", "x = f8[2, 3]  #: order = \"F\"", "x = f8[2, 3]\ny = f8[2, 3]  #: order = \"F\""]),
    Page::change("change-length", "a list is repeated by another number", "nothing; LAYOUT where it has other items, or may have", [
"The number or param behind the `*` of a list is another one. `[i4]*2` for `[i4, i4]` breaks nothing: numbers
are compared one by one. Other items in other brackets may be others, and nothing is said of the
addresses that follow.",
        "l [i4]*3", "l [i4]*4", "l [i4]*3\nm [i4]*1"]),
    Page::change("change-order", "another byte order", "LAYOUT, READ", [
"Numbers have their bytes the other way round. A layout without an order takes that of the
stream. The order of a layout breaks nothing if none of its numbers has that order and several bytes.",
        "<\nx = f8", ">\nx = f8", "<\nx = f8\ny = >f8"]),
    Page::change("change-filter", "stored in another way", "LAYOUT, READ; SOURCE for arguments that only a writer heeds", [
"The stream holds what a filter made of the array. Another filter or another count of stored bytes, and
the bytes that are there cannot be decoded. The arguments of filters that every program knows, as the
level of `zlib`, are for who writes alone: they break no stream.",
        "x = f8[9] -> zlib", "x = f8[9] -> zstd", "x = f8[9] -> zlib"]),
    Page::change("change-const", "another constant", "LAYOUT, READ, SOURCE; SOURCE where it was removed", [
"A reader refuses streams in which an item with the attribute `const` has another value: so those
that were written before, if they do.",
        "x = u1  #: const = 3", "x = u1  #: const = 4", "x = u1  #: const = 3"]),
    Page::change("change-param", "a param moves between text and stream", "LAYOUT, READ, SOURCE", [
"The value stood in the text and is read from the stream now, or the other way round. What is in the
stream takes space; what is in the text holds for all streams.",
        "N : 3\nx = f8[N]", "N : i4\nx = f8[N]", "N : 3\nx = f8[N]"]),
    Page::change("change-value", "a fixed param has another value", "SOURCE", [
"What depends on it may lie elsewhere or have another shape, which other codes say. Code made from the
layout has the value in it.",
        "N : 3\nx = f8[N]", "N : 4\nx = f8[N]", "N : 3\nx = f8[N]\ny = f8[N+]"]),
    Page::change("change-kind", "an item, a dict or a list becomes another of these", "READ, SOURCE; LAYOUT", [
"The name stands for something of another kind. Where the members of a record without a name (3.10) become
items of their own, or the other way round, their names stay. What of a single one lies elsewhere then
`change-address` says; those of several take turns.",
        "x = f8", "x [f8]", "x = f8\ny [f8]"]),
    Page::change("change-align", "another alignment", "nothing", [
"Where that moves something for some values of the params, `change-address` says so.",
        "x = i4\ny = i4", "x = i4\ny = i4 %8", "x = i4\ny = i4"]),
    Page::change("change-place", "an address is written, or written otherwise", "nothing", [
"Where that moves something for some values of the params, `change-address` says so.",
        "x = i4\ny = i4", "x = i4\ny = i4 @20", "x = i4\ny = i4"]),
    Page::change("change-type", "a type has another name", "SOURCE", [
"Code made from a layout names structs by their types.",
        "T {a = i4}\nx = T", "S {a = i4}\nx = S", "T {a = i4}\nx = T"]),
    Page::change("change-summary", "another summary", "READ, SOURCE", [
"Catalogs of families hold the summary of each stream as a struct. A catalog that was made with
another summary does not fit.",
        "{ time = f8 }\nx = f8", "{ time = f8  dt = f8 }\nx = f8", "{ time = f8 }\nx = f8\ndt = f8"]),
    Page::change("change-unit", "another unit", "SOURCE", [
"The numbers are read as before, and mean something else: whoever computes with them has to know.",
        "x = f8  ## (cm) radius", "x = f8  ## (m) radius", "x = f8  ## (cm) radius of the shell"]),
    Page::change("change-doc", "another documentation", "nothing", [
"The text of the `##` comments of something is another one.",
        "x = f8  ## (cm) radius", "x = f8  ## (cm) outer radius", "x = f8  ## (cm) radius"]),
    Page::change("change-attribute", "another attribute", "nothing; SOURCE for `presence`", [
"An attribute of something was added, removed or changed. `presence` makes typed code give an option.",
        "x = f8  #: valid_min = 0.0", "x = f8  #: valid_min = 1.0", "x = f8  #: valid_min = 0.0"]),
];
