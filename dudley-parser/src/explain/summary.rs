//! Pages about summaries and families.

use super::Page;

#[rustfmt::skip]
pub(super) const PAGES: &[Page] = &[
    Page::new("colon-item", "data declared with `:` in a summary", "9.2", [
"In a summary block `name : type` with a type that is no integer, or with a shape, declares a data
item, as if it were written with `=`. Write `=`, as everywhere else.",
        "{ time : f8 }", "{ time = f8 }"]),
    Page::new("summary-param", "a streamed param outside of the summary", "9.1", [
"From a catalog of summaries alone one can compute where everything in a family lies, if all the
streamed params that decide it are in the summary.",
        "{ time = f8 }\nN : i8\nx = f8[N]", "{ time = f8  N : i8 }\nx = f8[N]"]),
    Page::new("summary-address", "an explicit address in a template", "9.1", [
"A layout that begins with a summary is a template for streams of any size, so its items follow
each other. Addresses in types are relative to an instance and do no harm.",
        "{ time = f8 }\nx = f8 @64", "{ time = f8 }\nx = f8"]),
    Page::new("summary-filter", "a filter of unknown length in a template", "9.1", [
"Behind an array whose stored size stands only in the stream, nothing can be located without reading
it. Give the number of stored bytes after the filter, from a param of the summary.",
        "{ time = f8 }\nx = f8[3] -> zlib", "{ time = f8  N : i8 }\nx = f8[3] -> zlib [N]"]),
    Page::new("summary-variable", "something of variable size in a template", "9.1", [
"Behind a struct of variable size nothing can be located without reading it; and a catalog holds the
summaries of all members as an array of structs, so they have one size.",
        "{ time = f8 }\nx = {N : i4  a = f8[N]}", "{ time = f8  N : i4 }\nx = {a = f8[N]}"]),
    Page::new("summary-align", "an alignment above 16 in a summary", "9.1", [
"Members of a family begin at multiples of 16 in their files, so nothing in a summary can be aligned
to more.",
        "{ time = f8 %32 }", "{ time = f8 %16 }"]),
];
