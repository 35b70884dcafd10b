//! Pages about lints: what is legal, and could be better.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::new("lint-unused-param", "a param that nothing uses", "4.1", [
"No dimension, repeat, address or count depends on the param. A fixed one can go; a streamed one is
data, and is clearer declared with `=`.",
        "N : i8\nx = b1[3]", "N : i8  ## zones\nx = b1[N]"]),
    Page::new("lint-param-doc", "a param that may take a dimension away, and does not say what it counts", "4.4", [
"A dimension of -1 is removed, so a signed param that is read from the stream says more than a length.
Say what it counts. The attribute `presence` says that it is 0 or -1 and nothing else; a dimension
`[N+0]` is a length, never -1.",
        "N : i8\nx = b1[N]", "N : i8  ## zones\nx = b1[N]"]),
    Page::new("lint-late-param", "a param behind an item that used another one of its name", "4.2", [
"The nearest declaration before an item wins. An item that stands before the param of its own dict has
that of a dict around it: two items of one dict, both with `[N]`, are of different lengths.",
        "N : 3\nd/ x = b1[N]  N : 4  y = b1[N]", "N : 3\nd/ N : 4  x = b1[N]  y = b1[N]\n/ z = b1[N]"]),
    Page::new("lint-colon", "`:` and `:=` in one layout", "2.4", [
"`N : 3` and `N := 3` mean the same. A reader who meets both asks what the difference is.
`dudc lint --fix` spells all as the first.",
        "N : 3\nM := 4\nx = b1[N, M]", "N : 3\nM : 4\nx = b1[N, M]"]),
    Page::new("lint-literal-dim", "the same number is a dimension again and again", "4.3", [
"A dimension of two digits or more that stands three times or more in a text wants a name: then it
is changed in one place, and readers see what belongs together.",
        "x = b1[360]\ny = b1[360]\nz = b1[360]", "NLON : 360\nx = b1[NLON]\ny = b1[NLON]\nz = b1[NLON]"]),
    Page::new("lint-padding", "the order of items wastes bytes", "3.4", [
"An item is moved to the next multiple of its alignment, and what it skips is lost; in a struct once
for each instance. With the largest alignments first there are no gaps. Only for streams that are
not written yet: another order is another layout.",
        "x = {a = i1  b = i4  c = i1}", "x = {b = i4  a = i1  c = i1}"]),
    Page::new("lint-pack", "`%1` on each member of a struct", "3.11", [
"`{%1` caps the default alignment of all members at 1, as `#pragma pack(1)` of C compilers does, and
cannot be forgotten for one of them. `dudc lint --fix` writes it and takes the others away. Not where
a struct that is written inside is padded: it would be packed too.",
        "head = {kind = i1  size = i4 %1  time = f8 %1}", "head = {%1  kind = i1  size = i4  time = f8}"]),
    Page::new("lint-name", "a name that programs cannot use", "1.3", [
"A name may be any text in quotes, but programs want to use it as the name of a variable: letters,
digits and `_`, no keyword of C, JavaScript, Python or Rust, and for Fortran at most 63 characters,
of which the first is a letter.",
        "\"my data\" = i4\nlambda = i4", "my_data = i4\nwavelength = i4"]),
    Page::new("lint-case", "names that differ only in case", "2.7", [
"`Rho` and `rho` are two names here, but one in Fortran, and one on file systems that ignore case.",
        "Rho = i4\nrho = i4", "rho0 = i4\nrho = i4"]),
    Page::new("lint-unit", "a float without a unit", "7.4", [
"The unit of an item stands in parentheses at the start of its documentation, or in the attribute
`units`. `(1)` says that there is none.",
        "x = f8", "x = f8  ## (m/s) wind speed"]),
    Page::new("lint-attribute", "an attribute whose name is nearly that of a known one", "7.4", [
"Layouts may have attributes of their own, so a slip of the pen in the name of a known attribute is no
error, and the attribute has no effect. A rule of `lint` notes a name that differs in few letters.",
        "x = b1  #: cnst = 1", "x = b1  #: const = 1"]),
    Page::new("lint-rule", "an attribute about lints that names no rule", "7.4", [
"`lint_allow`, `lint_note`, `lint_warn` and `lint_deny` name rules of `lint`, as a text or a list of
texts, with or without `lint-`: what those find at what has the attribute, and below it, is nothing, a
note, a warning or an error. Without a value they mean all rules.",
        "x = f8  #: lint_allow = \"units\"", "x = f8  #: lint_allow = \"unit\""]),
    Page::new("lint-align", "an alignment without effect", "6.2", [
"The alignment is the one that the item has anyway. It looks as if something depended on it.",
        "x = i8 %8", "x = i8 %16"]),
];
