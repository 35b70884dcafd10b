//! The functions of an item: its address, shape and elements.

use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::Node;

use super::Header;
use super::words::{comment, number, string};
use crate::flat::{Item, Kind};

impl Header<'_> {
    pub(super) fn item(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let mut text = comment(&item.lines(self.remark(item.element), 0), "");
        text += &self.constants(at);
        text += &self.place_of(at);
        text += &self.element_function(at, false);
        text += &self.element_function(at, true);
        text
    }

    /// Address and bytes where they are the same in every stream.
    fn constants(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let value = |node| self.flat.plan.as_number(node);
        match (value(item.address), value(item.bytes)) {
            (Some(address), Some(bytes)) if item.indices.is_empty() && item.strides.is_none() => {
                let name = format!("{}_{}", self.prefix, self.items[at]).to_ascii_uppercase();
                format!(
                    "#define {name}_ADDRESS {}\n#define {name}_BYTES {}\n",
                    number(address),
                    number(bytes)
                )
            }
            _ => String::new(),
        }
    }

    /// The indices of an item as parameters.
    fn indices(item: &Item) -> String {
        (0..item.indices.len()).map(|depth| format!(", int64_t i{depth}")).collect()
    }

    /// A function that finds an item: its address and its dimensions.
    fn place_of(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let prefix = &self.prefix;
        let value = |node| self.ops.value(&self.flat, self, node);
        let mut nodes = vec![item.address, item.bytes];
        nodes.extend(item.dims.iter().chain(item.strides.iter().flatten()));
        nodes.extend(item.indices.iter().map(|(count, _)| *count));
        let rank = item.dims.len();
        let shape = if rank == 0 { String::new() } else { format!(", int64_t shape[{rank}]") };
        let mut text = format!(
            "static inline int {prefix}_{}_place({prefix}_stream *s{}, int64_t *address{shape}) {{\n",
            self.items[at],
            Self::indices(item)
        );
        let path = string(&item.path);
        text += &self.ops.for_repetition(&self.flat, self, &nodes);
        for (depth, (count, from)) in item.indices.iter().enumerate() {
            let count = value(*count);
            text += &format!(
                "  if (i{depth} < {from} || i{depth} >= {count}) \
                 return {prefix}_fail(s, DUDC_INDEX, {path}, \"there is no such repetition: index and count follow\", i{depth}, {count});\n"
            );
        }
        text += &format!("  *address = {};\n", value(item.address));
        for (dim, node) in item.dims.iter().enumerate() {
            text += &format!("  shape[{dim}] = {};\n", value(*node));
        }
        let bytes = match &item.strides {
            None => value(item.bytes),
            Some(strides) => {
                let strides: Vec<String> = strides.iter().map(|node| value(*node)).collect();
                text +=
                    &format!("  {{\n    const int64_t strides[] = {{{}}};\n", strides.join(", "));
                text += &format!(
                    "    return {prefix}_range(s, {path}, *address, dudc_reach(shape, strides, {rank}, {}));\n  }}\n}}\n",
                    self.size_of(item.element)
                );
                return text;
            }
        };
        text + &format!("  return {prefix}_range(s, {path}, *address, {bytes});\n}}\n")
    }

    /// The function that reads all elements of an item, or writes them.
    fn element_function(&self, at: usize, out: bool) -> String {
        let item = &self.flat.items[at];
        let (prefix, name, rank) = (&self.prefix, &self.items[at], item.dims.len());
        let (ty, size) = (self.type_of(item.element), self.size_of(item.element));
        let path = string(&item.path);
        let text_like = self.is_text(item);
        let scalar = rank == 0;
        let (pointer, number_of) = match (out, scalar) {
            (false, true) => (format!("{ty} *to"), ""),
            (false, false) => (format!("{ty} *to"), ", int64_t room"),
            (true, true) => (format!("const {ty} *from"), ""),
            (true, false) => (format!("const {ty} *from"), ", int64_t count"),
        };
        let mut text = String::new();
        if !out && text_like {
            text += "/* Ends it with a NUL, for which there must be room, too. */\n";
        }
        text += &format!(
            "static inline int {prefix}_{name}_{}({prefix}_stream *s{}, {pointer}{number_of}) {{\n",
            if out { "put" } else { "get" },
            Self::indices(item)
        );
        text += "  int64_t address;\n";
        let mut arguments: String =
            (0..item.indices.len()).map(|depth| format!(", i{depth}")).collect();
        arguments += ", &address";
        if !scalar {
            text += &format!("  int64_t shape[{rank}];\n  int64_t all;\n");
            arguments += ", shape";
        }
        text += &format!("  const int status = {prefix}_{name}_place(s{arguments});\n");
        text += "  if (status != DUDC_OK) return status;\n";
        if out {
            text += &format!(
                "  if (s->room == 0) return {prefix}_fail(s, DUDC_FILE, {path}, \"the stream is read, not created\", 0, 0);\n"
            );
        }
        let all = if scalar { "1" } else { "all" };
        if !scalar {
            text += &format!("  all = dudc_count(shape, {rank});\n");
            let (wrong, why, given) = match (out, text_like) {
                (false, false) => (
                    "room < all",
                    "there is room for fewer elements: room and elements follow",
                    "room",
                ),
                (false, true) => (
                    "room <= all",
                    "there is no room for it and a NUL: room and characters follow",
                    "room",
                ),
                (true, false) => (
                    "count != all",
                    "it has another number of elements: yours and its follow",
                    "count",
                ),
                (true, true) => (
                    "count < 0 || count > all",
                    "it has fewer characters: yours and its follow",
                    "count",
                ),
            };
            text += &format!(
                "  if ({wrong}) return {prefix}_fail(s, DUDC_ROOM, {path}, \"{why}\", {given}, all);\n"
            );
        }
        let (pointer, some) = match (out, scalar || (text_like && !out)) {
            (false, true) => ("to", ""),
            (false, false) => ("to", " && all > 0"),
            (true, true) => ("from", ""),
            (true, false) => ("from", " && count > 0"),
        };
        text += &format!(
            "  if ({pointer} == NULL{some}) return {prefix}_fail(s, DUDC_ROOM, {path}, \"the pointer is NULL\", 0, 0);\n"
        );
        text += &match item.element {
            Kind::Primitive(primitive, order) => {
                let (unit, big) = (primitive.swap_unit(), self.order(order, "s->big"));
                match (&item.strides, out) {
                    (Some(_), _) => self.strided(at, &format!("{size}, {unit}, {big}"), out),
                    (None, false) => format!(
                        "  dudc_copy(to, s->data + address, {all} * {size}, {unit}, {big});\n"
                    ),
                    (None, true) if text_like => format!(
                        "  memset(s->data + address, 0, (size_t)all);\n  dudc_copy(s->data + address, from, count, {unit}, {big});\n"
                    ),
                    (None, true) => format!(
                        "  dudc_copy(s->data + address, from, {all} * {size}, {unit}, {big});\n"
                    ),
                }
            }
            Kind::Record(record) => {
                let (verb, value) = if out { ("put", "from") } else { ("get", "to") };
                if scalar {
                    format!("  {ty}_copy_{verb}({value}, s->data + address, s->big);\n")
                } else {
                    // If the memory has the form of the stream, it is copied as a whole. But the padding of structs
                    // does not go to streams.
                    let is_whole = self.is_as_in_memory(record).filter(|_| !out);
                    let whole = is_whole.map(|is| {
                        format!("if ({is}) {{\n    dudc_copy(to, s->data + address, all * {size}, 1, 0);\n  }} else ")
                    });
                    // A loop for each byte order, which compilers optimise well.
                    let each = |big: u8| {
                        format!(
                            "{{\n    for (int64_t at = 0; at < all; at++) {ty}_copy_{verb}({value} + at, s->data + address + at * {size}, {big});\n  }}"
                        )
                    };
                    let (whole, big, little) = (whole.unwrap_or_default(), each(1), each(0));
                    format!("  {whole}if (s->big) {big} else {little}\n")
                }
            }
        };
        if !out && text_like {
            text += "  to[all] = 0;\n";
        }
        if !out {
            text += &self.compared(item, &path);
        } else {
            text += &format!("  s->put[{at}] = 1;\n");
        }
        text + &format!("  return DUDC_OK;\n}}\n{}", if out { "\n" } else { "" })
    }

    /// Whether an item is one text of bytes.
    fn is_text(&self, item: &Item) -> bool {
        let one = matches!(item.element, Kind::Primitive(primitive, _) if primitive.is_text() && primitive.size() == 1);
        one && item.dims.len() == 1 && item.strides.is_none()
    }

    fn strided(&self, at: usize, more: &str, out: bool) -> String {
        let item = &self.flat.items[at];
        let strides: Vec<Node> = item.strides.iter().flatten().copied().collect();
        let lines = self.ops.for_repetition(&self.flat, self, &strides);
        let values: Vec<String> =
            strides.iter().map(|node| self.ops.value(&self.flat, self, *node)).collect();
        let near = if out { "from" } else { "to" };
        format!(
            "  {{\n  {lines}    const int64_t strides[] = {{{}}};\n    unsigned char *near;\n    memcpy(&near, &{near}, sizeof near);\n    \
             dudc_strided(near, s->data + address, shape, strides, {}, {more}, {});\n  }}\n",
            values.join(", "),
            item.dims.len(),
            i32::from(out)
        )
    }

    /// Compares the read value with the only legal one.
    fn compared(&self, item: &Item, path: &str) -> String {
        let prefix = &self.prefix;
        let fail = format!(
            "return {prefix}_fail(s, DUDC_VALUE, {path}, \"it is not the only legal value\", address, 0);"
        );
        match &item.legal {
            Some(AttrValue::Int(value)) => {
                format!("  if ((int64_t)*to != {}) {fail}\n", number(*value))
            }
            Some(AttrValue::Text(value)) => {
                let text = string(value);
                // Blanks or NULs may follow it.
                format!(
                    "  if (all < {0} || memcmp(to, {text}, {0}) != 0 || strspn(to + {0}, \" \") != strlen(to + {0})) {fail}\n",
                    value.len()
                )
            }
            _ => String::new(),
        }
    }
}
