//! Pages about text that is no layout: characters, tokens, brackets, structure.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::new("syntax", "something else was expected here", "2.4", [
"A dict holds items one after the other, with nothing but white space between them:
`name = type`, `name : param`, `name /`, `name [ … ]`, `name { … }`, `..` and `/`. The message
says what could stand at the marker. Parsing goes on at the next line that begins like an item.",
        "x = 8", "x = f8"]),
    Page::new("unclosed", "a bracket is never closed", "11.3",[
"Every `[`, `{` and `(` needs its closing bracket. The marker shows the opening one; the item is
taken to end before the next line that begins like an item in column 1.",
        "x = f8[3", "x = f8[3]"]),
    Page::new("nesting", "brackets or dicts nest too deep", "11.4", [
"Brackets and braces nest at most 256 deep, and so do dicts below one root and types in types.
No real layout comes near; the limit keeps hostile texts from exhausting the stack. A module of
`dudc gen numpy` takes structs and lists 47 deep, since Python nests functions no deeper.",
        "l [[[[ … 257 of them … ]]]]", "l [[[[f8]]]]"]),
    Page::new("unterminated-name", "a quoted name does not end on its line", "1.3", [
"A name in quotes ends with the same quote, `\"` or `'`, on the same line. A line end in a name is
written `\\n`.",
        "\"my name = f8", "\"my name\" = f8"]),
    Page::new("bad-escape", "an unknown escape in a name", "1.3", [
"In quotes a backslash begins one of `\\\\`, `\\\"`, `\\'`, `\\n`, `\\t`, `\\r` or `\\u{…}` with 1 to 6
hexadecimal digits of a character other than 0. A backslash itself is written twice.",
        r#""a\qb" = f8"#, r#""a\\qb" = f8"#]),
    Page::new("bad-char", "a character that no token begins with", "1.2", [
"Outside of quotes and comments a layout is ASCII: white space is space, tab, vertical tab, form
feed and line ends, and names are letters a-z, A-Z, digits and `_`. Other names need quotes.",
        "größe = f8", "\"größe\" = f8"]),
    Page::new("bad-number", "something that begins like a number is none", "1.5", [
"Integers are decimal, or hexadecimal with `0x`, and no letter or `_` touches them. Params and
dimensions are integers; floats occur only in attributes and arguments of filters.",
        "N : 1.5", "N : 1"]),
    Page::new("int-range", "an integer that does not fit 64 bits", "1.5", [
"Integers fit a signed 64-bit integer, from -9223372036854775808 to 9223372036854775807.",
        "N : 9223372036854775808", "N : 9223372036854775807"]),
    Page::new("bad-utf8", "the text is not UTF-8", "1.1", [
"A layout is UTF-8 up to its terminator. The message gives the offset of the first byte that is
not. Often the file is a binary stream, or was written in Latin-1.",
        "x = f8  ## temp\u{fffd}rature in Latin-1", "x = f8  ## température in UTF-8"]),
    Page::new("too-long", "the layout is longer than 4 GiB", "11.4", [
"Places in the text are counted with 32 bits. A layout of this length is most likely a stream
that was given in its place.",
        "x0 = f8\nx1 = f8\n… 4 GiB of them …", "x [f8]*1000000000"]),
    Page::new("late-order", "the byte order is not at the start", "2.1", [
"The order indicator `<` or `>` stands before everything else but comments, and only once. A
single item is given an order by a prefix of its type.",
        "x = f8\n> y = f8", "> x = f8\ny = f8"]),
    Page::new("late-summary", "a summary block is not at the start", "2.2", [
"The summary block is a `{ … }` without a name before every other declaration. Elsewhere braces
need a name: `T { … }` declares a type, `x = { … }` an item.",
        "x = f8\ny = f8 { t = f8 }", "{ t = f8 }\nx = f8\ny = f8"]),
    Page::new("prim-as-name", "a type with an order prefix is used as a name", "1.4", [
"There are no keywords, so an item may be called `i4`; but `<i4`, `>i4` and `|i4` are always types.",
        "x = f8\n<i4 = f8", "x = f8\ni4 = f8"]),
    Page::new("member-dict", "a dict in a struct", "3.4", [
"Members of a struct are data items (`name = …`) and params (`name : …`). Dicts cannot be members;
a struct can be the type of a member.",
        "x = {a/ b = f8}", "x = {a = {b = f8}}"]),
    Page::new("member-list", "a list in a struct", "3.4", [
"Members of a struct are data items (`name = …`) and params (`name : …`). Lists cannot be members;
use an array.",
        "x = {a = [f8]}", "x = {a = f8[1]}"]),
    Page::new("member-type", "a type declared in a struct", "3.4", [
"Types are declared in dicts, before their use. In a struct they can only be used.",
        "x = {T {a = f8} b = T}", "T {a = f8}\nx = {b = T}"]),
    Page::new("empty-shape", "a shape without dimensions", "4.3", [
"A shape is `[d, d, …]` with at least one dimension. A scalar is declared without brackets.",
        "x = f8[]", "x = f8"]),
    Page::new("bad-suffix", "a suffix or an operator that means nothing", "4.3", [
"A param in a dimension may have any number of `+`, or any number of `-`, but not both; each is one
more or one less. In an expression each operand but the first has one operator in front of it:
`+`, `-`, `*` or `/`. In a repeat and in `name [n]` the suffixes touch the param, and an
expression stands in parentheses.",
        "N : 3\nx = f8[N+-]", "N : 3\nx = f8[N++]"]),
    Page::new("two-places", "an item has two places", "6.1", [
"An item goes to one place: to an address with `@`, or to a multiple of `%`.",
        "x = f8 @32 %4", "x = f8 @32"]),
    Page::new("bad-attr", "a malformed attribute or argument", "7.2", [
"After `#:` comes a list of `name = value`, separated by commas. A value is an integer, a float, a
quoted text, or a list of those in brackets; a name without value is true. Arguments of filters
are integers, floats and quoted texts. When data is read this is only a warning.",
        "x = f8  #: limit = high", "x = f8  #: limit = \"high\""]),
    Page::new("attr-twice", "an attribute is given twice", "7.2", [
"Of two attributes of one name the last one wins; the first has no effect.",
        "x = f8  #: scale = 2, scale = 3", "x = f8  #: scale = 3"]),
    Page::new("dashes-late", "dashes that end the layout stand behind something", "2.3", [
"Dashes up to the end of their line end the layout, even behind an item; nothing after them is
read. On a line of their own they are easier to see.",
        "x = f8 ---\n", "x = f8\n---\n"]),
];
