//! Pages about names and types: what is declared twice, not at all, or used as something else.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::new("unknown-type", "no such type", "2.8", [
"A type is a primitive (`i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c4 c8 c16 b1 S1 U1 U2 U4 p4 p8`) or was
declared earlier in the text. Types are global: the dict does not matter. A struct cannot hold
itself.",
        "x = float64", "x = f8"]),
    Page::new("unknown-param", "no such param in scope", "4.2", [
"A param is declared before its first use, in the dict of the item, in one of the dicts around it,
or in the struct. Names in a type mean what is in force where the type is used. A data item
(`N = i4`) is no param (`N : i4`).",
        "x = f8[N]\nN : 3", "N : 3\nx = f8[N]"]),
    Page::new("unknown-name", "neither a type nor a param", "5.3", [
"When the brackets of `name [ … ]` hold one bare name, it is a type, and the list gets an item of
that type; or else it is a param, and the list is extended by that number of its last item.",
        "l [f8]\nl [M]", "M : 2\nl [f8]\nl [M]"]),
    Page::new("redeclared-item", "an item is declared twice", "2.7", [
"Data items, dicts and lists of one dict share one name space, and members of one struct another.
Only dicts and lists can be opened again. A path such as `a/x = f8` stays in `a`, so the next item
is declared there too.",
        "x = f8\nx = i4", "x = f8\ny = i4"]),
    Page::new("kind-clash", "one name for two kinds of things", "2.7", [
"Data items, dicts and lists of one dict share one name space: a name is one of them. Params have a
name space of their own.",
        "x = f8\nx/ y = f8", "x = f8\nd/ y = f8"]),
    Page::new("redeclared-type", "a type is declared twice", "2.7", [
"Types are global to the layout, whatever dict they are declared in, so each has a name of its own.",
        "T {a = f8}\nT {b = f8}", "T {a = f8}\nU {b = f8}"]),
    Page::new("redefined-twice", "a primitive is redefined twice", "3.6", [
"A typedef may bear the name of a primitive to change its alignment or byte order in the whole
layout. It does so once.",
        "f4 {\"\" = f4} %2\nf4 {\"\" = >f4}", "f4 {\"\" = >f4} %2"]),
    Page::new("redefined-late", "a primitive is redefined after its use", "3.6", [
"A primitive is redefined before it occurs anywhere, with or without prefix, so that it means the
same in the whole layout.",
        "x = f4\nf4 {\"\" = >f4}", "f4 {\"\" = >f4}\nx = f4"]),
    Page::new("redefined-bad", "a primitive is redefined as something else", "3.6", [
"The typedef of a primitive has one member `\"\"` of the same primitive, with an optional prefix and
`%n`, and nothing else.",
        "f4 {\"\" = f8}", "f4 {\"\" = >f4} %2"]),
    Page::new("bad-prefix", "an order prefix before a declared type", "1.4", [
"Only primitives take `<`, `>` or `|`. The primitives inside of a type are given the prefix where
the type is declared.",
        "T {a = f8}\nx = <T", "T {a = <f8}\nx = T"]),
    Page::new("bad-param-type", "a param of a type that is no integer", "4.1", [
"A param is a named integer: fixed (`N : 5`), or streamed with one of the types `i1 i2 i4 i8` (and,
as an extension, `u1 u2 u4 u8`). Data is declared with `=`.",
        "x : f8", "x = f8"]),
    Page::new("param-shape", "a param with a shape", "4.1", [
"A param is one integer. Several integers are a data item; they cannot be dimensions.",
        "N : i4[2]", "N = i4[2]"]),
    Page::new("fixed-param-place", "a fixed param with a place", "4.1", [
"A fixed param takes no space in the stream, so it has neither an address nor an alignment. With a
type instead of a value it is read from the stream.",
        "N : 3 %8", "N : i8 %8"]),
    Page::new("text-no-shape", "text without a length", "3.2", [
"`S1`, `U1`, `U2` and `U4` are one unit of text; an item has at least one dimension of them, and the
last one counts the units. In a typedef the dimension may come from the use.",
        "title = S1", "title = S1[80]"]),
    Page::new("typedef-at", "an address in a typedef", "3.5", [
"A typedef is another name for its member, so there is nothing that an address could be relative
to. It may have an alignment.",
        "T {\"\" = f8 @8}\nx = T", "T {\"\" = f8} %8\nx = T"]),
    Page::new("extend-empty", "nothing to repeat", "5.3", [
"`name [n]` adds n more of the last item that was written in brackets of that list. There must be
one; `name [f8]*0` writes one without placing it.",
        "l []\nl [2]", "l [f8]*0\nl [2]"]),
    Page::new("splice-variable", "a record of variable size stands for items", "3.10", [
"`\"\" = { … }` presents the members as items of the dict, each strided through the records. So all
instances have the same size.",
        "\"\" = {N : i4  a = f8[N]}[3]", "N : i4\n\"\" = {a = f8[N]}[3]"]),
    Page::new("splice-nested", "a member without a name in a record without a name", "3.10", [
"The members of `\"\" = { … }` become items of the dict, so they need names, and none of them can be
such a record itself.",
        "\"\" = {\"\" = {a = f8}  b = f8}[2]", "\"\" = {c = {a = f8}  b = f8}[2]"]),
    Page::new("splice-clash", "a member has the name of an item", "3.10", [
"The members of `\"\" = { … }` become items of the dict, so their names differ from those of the other
items.",
        "a = f8\n\"\" = {a = f8}[2]", "b = f8\n\"\" = {a = f8}[2]"]),
    Page::new("filter-target", "something that cannot be filtered", "10", [
"Filters apply to arrays whose decoded size is known: not to structs of variable size, params, and
records that are presented as items of a dict.",
        "x = {N : i4  a = f8[N]} -> zlib", "N : i4\nx = {a = f8[N]} -> zlib"]),
    Page::new("dotdot-root", "`..` where there is no parent", "2.6", [
"`..` goes to the parent dict. At the root, and at an anonymous dict of a list, it does nothing.",
        "..\nx = f8", "a/ y = f8\n..\nx = f8"]),
    Page::new("dotdot-slash", "`../` goes to the root", "2.5", [
"A path is a sequence of items: `..` goes to the parent and `/` to the root, so `../b` means `/b`.
Without the slash, `.. b = f8` declares `b` in the parent.",
        "a/ b/ x = f8\n../y = f8", "a/ b/ x = f8\n.. y = f8"]),
    Page::new("path-continues", "an item is declared in a dict that a path left open", "2.5", [
"`a/b/x = f8` enters `a`, then `b`, and stays there. So what follows on the next line is declared in
`b` too, which a reader would not expect. Say `/` or `..`, or enter the dict on its own line.",
        "a/b/x = f8\ny = f8", "a/b/x = f8\n/y = f8"]),
    Page::new("stream-bytes", "`stream_bytes` without effect", "4.7", [
"The attribute `stream_bytes` gives a fixed param of the root dict the length of the stream. It does
nothing anywhere else.",
        "SIZE : i8  #: stream_bytes", "SIZE : 0  #: stream_bytes\nx = u1[SIZE]"]),
    Page::new("to-end", "`to_end` where it cannot be", "4.9", [
"The attribute `to_end` gives a fixed param what the stream has left. So the param is declared in a dict that
occurs once, and used once, without suffixes: as the first dimension of an item of a dict, or as the repeat
of a list. What is filtered has a length that the stream does not tell, and a list with an `@` inside has
repetitions that do not follow each other.",
        "N : 0  #: to_end\nx = f8[3, N]", "N : 0  #: to_end\nx = f8[N, 3]"]),
    Page::new("behind-to-end", "an item behind what takes all that is left", "4.9", [
"What takes all that the stream has left by a param with the attribute `to_end` is the last item of the stream.
An item that stands behind it in the text has an address of its own.",
        "N : 0  #: to_end\nx = f8[N]\ny = f8", "N : 0  #: to_end\nx = f8[N] @24\ny = f8 @16"]),
    Page::new("bad-dims", "names of dimensions that are none", "7.6", [
"The attribute `dims` names the dimensions of an item: a text for each. A dimension that is a
param bears the name of that otherwise.",
        "x = f8[3, 4]  #: dims = [\"time\"]", "x = f8[3, 4]  #: dims = [\"time\", \"cell\"]"]),
    Page::new("bad-names", "names that no value gets", "7.4", [
"The attribute `names` is a list of texts, which name the values 0, 1 and so on of an item of integers. Where
they are others, `values` lists them: one integer for each name, none twice, each one a value of the type.",
        "x = u1  #: names = [\"solid\", \"gas\"], values = [1]",
        "x = u1  #: names = [\"solid\", \"gas\"], values = [1, 7]"]),
    Page::new("bad-stream", "a kind of stream that is said in vain", "7.6", [
"The attribute `stream` of the layout itself, before any item, says what kind of
stream it is for: \"raw\" ones have no signature, \"native\" ones have one. Tools assume that where
neither the file nor an option says it. Said of an item it has no effect.",
        "#: stream = \"naked\"\nx = f8", "#: stream = \"raw\"\nx = f8"]),
    Page::new("bad-tolerance", "a tolerance that says nothing", "7.4", [
"`rtol` and `atol` say how far apart numbers may be where two streams are compared, and `ulp` how many floats
may lie from one to the other: numbers from 0 on, the last one an integer. Anything else has no effect.",
        "x = f8  #: rtol = -1", "x = f8  #: rtol = 1e-9"]),
    Page::new("bad-const", "a constant that no stream can have", "7.3", [
"The attribute `const` states the only legal value. If the type cannot hold it, or an array has
another number of elements than the list, no stream is legal. Nothing is compared of dicts, lists,
types and fixed params.",
        "x = u1  #: const = 300", "x = u2  #: const = 300"]),
    Page::new("bad-view", "an array that cannot be presented as it is said", "7.7", [
"`view_shape`, `view_strides` and `view_offset` (in bytes) present an item of one dimension as that strided
view, which lies within the item. `order = \"F\"` says that dimensions are written fastest first, which those
of text are not: the last one counts its characters. Nor do structs that differ in size have strides.",
        "x = f8[5]  #: view_shape = [2, 3]", "x = f8[6]  #: view_shape = [2, 3]"]),
    Page::new("bad-blocks", "a list that is no array in blocks, as it is said", "7.5", [
"`whole` makes a list one array of that shape. Its items are arrays of one type, with as many dimensions.
They stand in order on the grid whose cells have the shape of the first one that has elements, or where
`start` says; they do not overlap, nor begin outside of the whole. An item whose first dimension is 0 is a
missing block.",
        "l [f8[2], f8[2], f8[2]]  #: whole = [3]", "l [f8[2], f8[2]]  #: whole = [3]"]),
    Page::new("bad-order", "an attribute that presents no array", "7.7", [
"`order` is \"F\" where the dimensions of an item are written fastest first, or \"C\". It and `view_shape`
are said of a data item or field, behind it; of a dict, a list, a type or a param they have no effect.",
        "x = f8[2, 3]  #: order = \"fortran\"", "x = f8[2, 3]  #: order = \"F\""]),
    Page::new("filter-argument", "an argument that a filter does not take", "10", [
"`zlib` and `gzip` take a level from 0 to 9, `bzip2` one from 1 to 9, `zstd` one of its own range, `lz4`
nothing. Readers need no arguments, so that such an item can be read, but not written.",
        "x = f8[3] -> zlib(12)", "x = f8[3] -> zlib(9)"]),
    Page::new("unknown-filter", "a filter that is not known", "10", [
"Known are `zlib gzip bzip2 lz4 zstd blosc2 blosc_chunk asdf_lz4 xz`, but a program need not have them
all. It can register others. What it lacks is a warning, since only the filtered item cannot be read; a
stream with such an item cannot be written.",
        "x = f8[3] -> deflate", "x = f8[3] -> zlib"]),
];
