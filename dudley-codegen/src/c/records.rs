//! Structs of a layout as structs of C, and how their bytes are copied.

use super::Header;
use super::words::{c_type, comment, remark};
use crate::flat::{Kind, Member, Names};

impl Header<'_> {
    pub(super) fn record_types(&self) -> String {
        (0..self.flat.records.len()).map(|at| self.record_type(at)).collect()
    }

    fn record_type(&self, at: usize) -> String {
        let record = &self.flat.records[at];
        let name = format!("{}_{}", self.prefix, self.records[at]);
        let mut names = Names::new(super::RESERVED, 200, false);
        let members: Vec<String> =
            record.members.iter().map(|member| names.take(&member.name)).collect();
        let mut text = comment(&record.doc, "");
        text += &format!("typedef struct {name} {{\n");
        for (member, name) in record.members.iter().zip(&members) {
            let mut doc = member.doc.clone();
            if let Kind::Primitive(primitive, _) = member.kind {
                doc.extend(Some(remark(primitive)).filter(|it| !it.is_empty()).map(str::to_owned));
            }
            text += &comment(&doc, "  ");
            let dims: String = member.dims.iter().map(|dim| format!("[{dim}]")).collect();
            text += &format!("  {} {name}{dims};\n", self.type_of(member.kind));
        }
        text += &format!("}} {name};\n");
        if let Some(offsets) = self.natural(at) {
            // Memory is as the stream is.
            for (offset, name_of) in offsets.iter().zip(&members) {
                text += &format!(
                    "DUDC_ASSERT(offsetof({name}, {name_of}) == {offset}, \"{name}.{name_of}\");\n"
                );
            }
            text += &format!("DUDC_ASSERT(sizeof({name}) == {}, \"{name}\");\n", record.size);
        }
        text.push('\n');
        for (out, verb) in [(false, "get"), (true, "put")] {
            let (to, from) = if out {
                ("unsigned char *bytes", format!("const {name} *value"))
            } else {
                ("const unsigned char *bytes", format!("{name} *value"))
            };
            let arguments = format!("{from}, {to}, int big");
            text += &format!("static inline void {name}_copy_{verb}({arguments}) {{\n");
            let mut lines = String::new();
            for (member, name) in record.members.iter().zip(&members) {
                lines += &self.copy_member(member, name, out);
            }
            if !lines.contains("big") {
                lines.insert_str(0, "  (void)big;\n");
            }
            text += &lines;
            text += "}\n\n";
        }
        text
    }

    fn copy_member(&self, member: &Member, name: &str, out: bool) -> String {
        let count: i64 = member.dims.iter().product();
        let offset = member.offset;
        match member.kind {
            Kind::Primitive(primitive, order) => {
                let bytes = count * primitive.size().cast_signed();
                let value = if member.dims.is_empty() {
                    format!("&value->{name}")
                } else {
                    format!("value->{name}")
                };
                let (to, from) = if out {
                    (format!("bytes + {offset}"), value)
                } else {
                    (value, format!("bytes + {offset}"))
                };
                let unit = primitive.swap_unit();
                format!(
                    "  dudc_copy({to}, {from}, {bytes}, {unit}, {});\n",
                    self.order(order, "big")
                )
            }
            Kind::Record(inner) => {
                let ty = format!("{}_{}", self.prefix, self.records[inner]);
                let (verb, size) = (if out { "put" } else { "get" }, self.flat.records[inner].size);
                if member.dims.is_empty() {
                    return format!("  {ty}_copy_{verb}(&value->{name}, bytes + {offset}, big);\n");
                }
                // The first of all elements, whatever the dimensions.
                let first = "[0]".repeat(member.dims.len());
                format!(
                    "  {{\n    int64_t at;\n    for (at = 0; at < {count}; at++) \
                     {ty}_copy_{verb}(&value->{name}{first} + at, bytes + {offset} + at * {size}, big);\n  }}\n"
                )
            }
        }
    }

    /// When a struct of C has the bytes of one of the stream, as a condition; `None` if it never has.
    pub(super) fn is_as_in_memory(&self, at: usize) -> Option<String> {
        self.natural(at)?;
        let (mut open, mut orders) = (vec![at], Vec::new());
        while let Some(at) = open.pop() {
            for member in &self.flat.records[at].members {
                match member.kind {
                    Kind::Primitive(primitive, _) if primitive.swap_unit() == 1 => {}
                    Kind::Primitive(_, order) => orders.push(self.order(order, "s->big")),
                    Kind::Record(inner) => open.push(inner),
                }
            }
        }
        orders.sort();
        orders.dedup();
        match &orders[..] {
            [] => Some("1".to_owned()),
            [order] => Some(format!("{order} == dudc_big()")),
            _ => None,
        }
    }

    /// The offsets of members where C lays the struct out as the stream has it.
    fn natural(&self, at: usize) -> Option<Vec<i64>> {
        let record = &self.flat.records[at];
        let (mut end, mut align) = (0_i64, 1);
        for member in &record.members {
            let (size, of) = self.laid_out(member.kind)?;
            if member.offset != next_multiple(end, of) {
                return None;
            }
            end = member.offset + size * member.dims.iter().product::<i64>();
            align = align.max(of);
        }
        let offsets = record.members.iter().map(|member| member.offset).collect();
        (record.size == next_multiple(end, align)).then_some(offsets)
    }

    /// Size and alignment of an element in C.
    fn laid_out(&self, kind: Kind) -> Option<(i64, i64)> {
        match kind {
            Kind::Primitive(primitive, _) => {
                debug_assert!(!c_type(primitive).is_empty());
                Some((primitive.size().cast_signed(), primitive.swap_unit().cast_signed()))
            }
            Kind::Record(inner) => {
                self.natural(inner)?;
                let record = &self.flat.records[inner];
                let aligns =
                    record.members.iter().map(|member| Some(self.laid_out(member.kind)?.1));
                let align = aligns.collect::<Option<Vec<_>>>()?.into_iter().max()?;
                Some((record.size, align))
            }
        }
    }
}

/// The next multiple of an alignment.
fn next_multiple(end: i64, align: i64) -> i64 {
    (end + align - 1) / align * align
}
