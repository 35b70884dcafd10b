//! Pages about numbers: values, dimensions, sizes, addresses.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::new("param-value", "a param below -1", "4.5", [
"The value of a param is -1 or more. As a dimension, -1 removes the dimension and 0 means that there
is no data.",
        "N : -2", "N : -1"]),
    Page::new("dim-negative", "a dimension below 0", "4.5", [
"A dimension is 0 or more once its suffixes or its expression are reckoned, or just -1. The message says
which values of the params lead to it.",
        "N : 3\nx = f8[N-4]", "N : 5\nx = f8[N-4]"]),
    Page::new("bad-division", "a division that leaves a remainder, or by 0", "4.6", [
"A quotient in an expression is exact: `BYTES/4` has a value where 4 divides BYTES. The message has the
expression, what is divided, and the params that lead to it.",
        "BYTES : 18\nx = f4[BYTES/4]", "BYTES : 16\nx = f4[BYTES/4]"]),
    Page::new("repeat-negative", "a list repeated less than 0 times", "5.2", [
"A repeat is 0 or more. Unlike a dimension it cannot be -1.",
        "N : -1\nl [f8]*N", "N : 0\nl [f8]*N"]),
    Page::new("bad-repeat", "a list repeated less than 0 times", "5.2", [
"A repeat, and the number in `name [n]`, is 0 or more.",
        "l [f8]\nl [-1]", "l [f8]\nl [1]"]),
    Page::new("bad-stored", "less than 0 stored bytes", "10", [
"The number of stored bytes behind a filter is 0 or more.",
        "x = f8[3] -> zlib [-1]", "x = f8[3] -> zlib [30]"]),
    Page::new("bad-address", "an address below 0", "6.4", [
"An address counts bytes from the start of the stream, in a struct from the start of the instance.
It is 0 or more, and so is what a sum after `@` comes to.",
        "x = f8 @-8", "x = f8 @24"]),
    Page::new("bad-align", "an alignment that is none", "6.2", [
"An alignment is 1, 2, 4, 8 or 16; as an extension any power of two up to 2^30. `%0` stands for the
default of the type.",
        "x = f8 %12", "x = f8 %16"]),
    Page::new("size-overflow", "something is too large to have addresses", "4.5", [
"The size of an item or a list in bytes fits in 63 bits. A dimension of 0 anywhere makes an array
empty, whatever the others are.",
        "x = f8[4294967296, 4294967296]", "x = f8[4294967296, 16]"]),
    Page::new("address-overflow", "something lies beyond all addresses", "1.5", [
"An address fits in 63 bits, and so does the end of every item.",
        "x = i4 @9223372036854775806", "x = i4 @9223372036854775800"]),
    Page::new("raw-padding", "a struct of a raw stream is padded", "3.4", [
"Members of a struct are aligned, as in C, and so is its end. Most foreign formats pack their records:
then values are read from the wrong bytes. Reported by `check --raw`, and by who opens a raw stream.
`{%1 …}` packs a struct; `@` gives a member its offset. A `%n` that is written, on a member or as
`} %n`, says that its padding is meant.",
        "tri = {v = f4[9]  attr = u2}[2]", "tri = {%1  v = f4[9]  attr = u2}[2]"]),
    Page::new("overlap", "two items share bytes", "6.3", [
"An item with an explicit address lies on another one, on another member of its struct, or on the
16 bytes of the signature of a native stream. That is allowed, and rarely meant. An item without an
address follows the one before it in the text, not the last one in the stream.",
        "x = f8[4] @32\ny = f8 @40", "x = f8[4] @32\ny = f8 @64"]),
    Page::new("too-complex", "the types unfold into too much", "11.4", [
"A type is unfolded wherever it is used with other params. This layout comes to more members than
any real one has.",
        "A {x = f8[N] y = f8[N]} B {a = A b = A} C … and so on, used with ever other N",
        "A {x = f8[N] y = f8[N]}\nN : 3\nl [A]*1000"]),
];
