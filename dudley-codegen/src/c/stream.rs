//! The stream as a whole: its state, and how it is opened, created and saved.

use std::collections::HashSet;

use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::Node;
use dudley_parser::layout::DocKey;
use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers, Primitive};

use super::Header;
use super::words::{comment, number, string};
use crate::flat::ops::Deed;

impl Header<'_> {
    /// The purpose of the header, and the items that it omits.
    pub(super) fn introduction(&self) -> String {
        let prefix = &self.prefix;
        let mut lines: Vec<String> =
            self.flat.layout.doc(DocKey::LAYOUT).map(str::to_owned).collect();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend([
            format!("Made by `dudc gen c`; do not edit. Reads: {prefix}_load, {prefix}_ITEM_get, {prefix}_free."),
            format!("Writes: {prefix}_init, the params, {prefix}_create, {prefix}_ITEM_put, {prefix}_save, {prefix}_free."),
            "Addresses and sizes are in bytes, counts in elements; the last index is the fastest.".to_owned(),
            format!("Calls return 0, or an enum dudc_status and a text in {prefix}_stream.error."),
        ]);
        lines.extend(self.flat.left_out());
        comment(&lines, "")
    }

    pub(super) fn layout_text(&self) -> String {
        let mut text = String::from(
            "#if defined(__cplusplus)\n#define DUDC_ASSERT static_assert\n#else\n#define DUDC_ASSERT _Static_assert\n#endif\n\n",
        );
        text += "/* The layout, line by line, as it is attached to streams. */\n";
        text += &format!("static const char *const {}_layout[] = {{\n", self.prefix);
        for line in self.flat.layout.attached().split_inclusive('\n') {
            // A string of more characters need not be taken by a compiler.
            let characters: Vec<char> = line.chars().collect();
            for part in characters.chunks(400) {
                text += &format!("  {},\n", string(&part.iter().collect::<String>()));
            }
        }
        text + "  NULL\n};\n\n"
    }

    pub(super) fn stream_type(&self) -> String {
        let prefix = &self.prefix;
        let mut text = format!("typedef struct {prefix}_stream {{\n");
        text += "  unsigned char *data; /* the bytes of the stream */\n";
        text += "  int64_t length;      /* bytes, without the attached layout */\n";
        text += "  int64_t room;        /* bytes of all that is to be saved */\n";
        text += "  int owned;           /* the memory is that of this struct */\n";
        text += "  int big;             /* it is big-endian */\n";
        if !self.params.is_empty() {
            text += "  struct {\n";
            for (param, name) in self.flat.params.iter().zip(&self.params) {
                text += &comment(&param.doc, "    ");
                text += &format!("    int64_t {name};\n");
            }
            text += "  } param;\n";
        }
        text += &format!("  int64_t v[{}]; /* addresses and sizes */\n", self.ops.kept().max(1));
        text += &format!(
            "  unsigned char put[{}]; /* what was written */\n",
            self.flat.items.len().max(1)
        );
        text + &format!("  char error[256];\n}} {prefix}_stream;\n\n")
    }

    /// An expression that says whether something is big-endian.
    pub(super) fn order(&self, own: Option<ByteOrder>, stream: &str) -> String {
        match self.flat.order(own) {
            Some(ByteOrder::Little) => "0".to_owned(),
            Some(ByteOrder::Big) => "1".to_owned(),
            None => stream.to_owned(),
        }
    }

    /// Errors, and whether bytes are there.
    pub(super) fn basics(&self) -> String {
        let mut text = include_str!("basics.h").replace("PREFIX", &self.prefix);
        let mut fixed = String::new();
        for (param, name) in self.flat.params.iter().zip(&self.params) {
            if let Some(value) = param.fixed {
                fixed += &format!("  s->param.{name} = {};\n", number(value));
            }
        }
        text = text.replace("  /* FIXED */\n", &fixed);
        text
    }

    /// The function that reads the params and places all that needs nothing else.
    pub(super) fn place(&self) -> String {
        let prefix = &self.prefix;
        let (flat, ops) = (&self.flat, &self.ops);
        let mut done = HashSet::new();
        let mut lines = String::new();
        for deed in ops.deeds(flat) {
            lines += &match deed {
                Deed::Length(at) => {
                    format!("  if (reading) s->param.{} = s->length;\n", self.params[at])
                }
                Deed::Compute(node) => ops.for_stream(flat, self, node, &mut done),
                Deed::Read(at, address) => {
                    format!(
                        "  if (reading) {prefix}_param(s, &{});\n",
                        self.param_arguments(at, address)
                    )
                }
                Deed::Legal(at, legal) => {
                    let (name, legal) = (&self.params[at], number(legal));
                    let path = string(&flat.params[at].path);
                    format!(
                        "  if (!reading) s->param.{name} = {legal};\n  if (s->param.{name} != {legal}) \
                         return {prefix}_fail(s, DUDC_VALUE, {path}, \"it is not the only legal value: both follow\", s->param.{name}, {legal});\n"
                    )
                }
                Deed::Rest(at, begin, bytes) => format!(
                    "  if (reading) s->param.{} = dudc_rest(s->length, {}, {});\n",
                    self.params[at],
                    ops.value(flat, self, begin),
                    ops.value(flat, self, bytes)
                ),
            };
        }
        format!(
            "static inline int {prefix}_place({prefix}_stream *s, int reading) {{\n  (void)s;\n  (void)reading;\n{lines}  return DUDC_OK;\n}}\n\n"
        )
    }

    /// A streamed param for the functions that read and write one: value, path, address, bytes, signs and order.
    fn param_arguments(&self, at: usize, address: Node) -> String {
        let param = &self.flat.params[at];
        let (primitive, order) = param.stored.unwrap_or((Primitive::I8, None));
        format!(
            "s->param.{}, {}, {}, {}, {}, {}",
            self.params[at],
            string(&param.path),
            self.ops.value(&self.flat, self, address),
            primitive.size(),
            i32::from(primitive.kind() == Numbers::Signed),
            self.order(order, "s->big")
        )
    }

    pub(super) fn opening(&self) -> String {
        let text = if self.raw { include_str!("open_raw.h") } else { include_str!("open.h") };
        let both = text.to_owned() + include_str!("load.h");
        let (parameter, argument) = if self.raw { (", int big", ", big") } else { ("", "") };
        both.replace("PREFIX", &self.prefix)
            .replace("MORE_PARAMETER", parameter)
            .replace("MORE_ARGUMENT", argument)
    }

    /// Creating and saving.
    pub(super) fn writing(&self) -> String {
        let prefix = &self.prefix;
        let (Some(end), None) = (self.flat.end, self.flat.unwritable()) else {
            let why = self.flat.unwritable().unwrap_or_default();
            return comment(&[format!("{prefix}_create is not here: {why}.")], "") + "\n";
        };
        let end = self.ops.value(&self.flat, self, end);
        let mut params = String::new();
        for (at, param) in self.flat.params.iter().enumerate() {
            if let (Some(_), Some(address)) = (param.stored, param.address) {
                params += &format!(
                    "  status = {prefix}_put_param(s, {});\n  if (status != DUDC_OK) return status;\n",
                    self.param_arguments(at, address)
                );
            }
        }
        let (mut legal, mut wanted) = (String::new(), String::new());
        for (at, item) in self.flat.items.iter().enumerate() {
            let name = &self.items[at];
            if let (Some(value), true) = (&item.legal, item.indices.is_empty()) {
                let value = match value {
                    AttrValue::Int(value) => {
                        let ty = self.type_of(item.element);
                        format!(
                            "  {{\n    const {ty} legal = ({ty}){};\n    status = {prefix}_{name}_put(s, &legal);\n  }}\n",
                            number(*value)
                        )
                    }
                    AttrValue::Text(value) => {
                        format!(
                            "  status = {prefix}_{name}_put(s, {}, {});\n",
                            string(value),
                            value.len()
                        )
                    }
                    _ => continue,
                };
                legal += &value;
                legal += "  if (status != DUDC_OK) return status;\n";
            }
            if item.indices.is_empty() {
                wanted += &format!("    {{{}, {at}}},\n", string(&item.path));
            }
        }
        let finish = if self.raw { include_str!("save_raw.h") } else { include_str!("save.h") };
        (include_str!("create.h").to_owned() + finish + include_str!("file.h"))
            .replace("PREFIX", prefix)
            .replace("END", &end)
            .replace("SIGNATURE_BYTES", if self.raw { "0" } else { "16" })
            .replace("ATTACHED", &i32::from(!self.raw).to_string())
            .replace("  /* PARAMS */\n", &params)
            .replace("  /* LEGAL */\n", &legal)
            .replace("    /* WANTED */\n", &wanted)
    }
}
