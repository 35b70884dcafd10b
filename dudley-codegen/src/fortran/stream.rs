//! The stream as a whole: its state, and how it is opened, created and finished.

use std::collections::HashSet;

use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::Node;
use dudley_parser::layout::DocKey;
use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers, Primitive};

use super::Module;
use super::words::{comment, number, string};
use crate::flat::ops::Deed;

impl Module<'_> {
    /// The purpose of the module, and the items that it omits.
    pub(super) fn introduction(&self) -> String {
        let prefix = &self.prefix;
        let mut lines: Vec<String> =
            self.flat.layout.doc(DocKey::LAYOUT).map(str::to_owned).collect();
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend([
            "Made by `dudc gen fortran`; do not edit.".to_owned(),
            format!("Reads: {prefix}_open, {prefix}_ITEM_get, {prefix}_close."),
            format!("Writes: the params, {prefix}_create, {prefix}_ITEM_put, {prefix}_finish."),
            "Dimensions are in the order of Fortran: the first index is the fastest. Repetitions count from 1.".to_owned(),
            "Without `ierr`, what is wrong ends the program; else it is not 0, and `error` of the stream says it.".to_owned(),
        ]);
        lines.extend(self.flat.left_out());
        comment(&lines, "")
    }

    pub(super) fn stream_type(&self) -> String {
        let prefix = &self.prefix;
        let mut text = String::from(
            "  ! No legal number: what needs it has none either.\n  integer(int64), parameter :: dud_none = -huge(0_int64)\n\n",
        );
        text += &format!("  type, public :: {prefix}_stream\n");
        text += "    integer :: unit = -1            ! of the file\n";
        text += "    integer(int64) :: length = 0    ! bytes, without the attached layout\n";
        text += "    logical :: big = .false.        ! it is big-endian\n";
        text += "    logical :: writes = .false.     ! it was created, not opened\n";
        for (param, name) in self.flat.params.iter().zip(&self.params) {
            text += &comment(&param.doc, "    ");
            text +=
                &format!("    integer(int64) :: {name} = {}\n", number(param.fixed.unwrap_or(0)));
        }
        text += &format!(
            "    integer(int64), private :: v({}) = 0    ! addresses and sizes\n",
            self.ops.kept().max(1)
        );
        text += &format!(
            "    logical, private :: put({}) = .false.   ! what was written\n",
            self.flat.items.len().max(1)
        );
        text + &format!("    character(len=256) :: error = ''\n  end type {prefix}_stream\n\n")
    }

    /// An expression that says whether something is big-endian.
    pub(super) fn order(&self, own: Option<ByteOrder>) -> &'static str {
        match self.flat.order(own) {
            Some(ByteOrder::Little) => ".false.",
            Some(ByteOrder::Big) => ".true.",
            None => "s%big",
        }
    }

    /// Errors, whether bytes are there, and params.
    pub(super) fn basics(&self) -> String {
        include_str!("basics.f90").replace("PREFIX", &self.prefix)
    }

    /// The procedure that reads the params and places all that needs nothing else.
    pub(super) fn place(&self) -> String {
        let prefix = &self.prefix;
        let (flat, ops) = (&self.flat, &self.ops);
        let mut done = HashSet::new();
        let mut lines = String::new();
        for deed in ops.deeds(flat) {
            lines += &match deed {
                Deed::Length(at) => format!("  if (reading) s%{} = s%length\n", self.params[at]),
                Deed::Compute(node) => ops.for_stream(flat, self, node, &mut done),
                Deed::Read(at, address) => {
                    format!(
                        "  if (reading) call {prefix}_param(s, {})\n",
                        self.param_arguments(at, address)
                    )
                }
                Deed::Legal(at, legal) => {
                    let (name, legal) = (&self.params[at], number(legal));
                    let path = string(&flat.params[at].path);
                    format!(
                        "  if (.not. reading) s%{name} = {legal}\n  if (s%{name} /= {legal}) then\n    \
                         call {prefix}_fail(s, {path}, 'it is not the only legal value', ierr)\n    return\n  end if\n"
                    )
                }
                Deed::Rest(at, begin, bytes) => format!(
                    "  if (reading) s%{} = dud_rest(s%length, {}, {})\n",
                    self.params[at],
                    ops.value(flat, self, begin),
                    ops.value(flat, self, bytes)
                ),
            };
        }
        format!(
            "! Reads the params, and places all that needs nothing else.\nsubroutine {prefix}_place(s, reading, ierr)\n  \
             type({prefix}_stream), intent(inout) :: s\n  logical, intent(in) :: reading\n  \
             integer, intent(out), optional :: ierr\n  if (present(ierr)) ierr = 0\n  \
             if (reading .and. s%length < 0) return\n{lines}end subroutine\n\n"
        )
    }

    /// A streamed param for the procedures that read and write one: value, path, address, bytes, signs and order.
    fn param_arguments(&self, at: usize, address: Node) -> String {
        let param = &self.flat.params[at];
        let (primitive, order) = param.stored.unwrap_or((Primitive::I8, None));
        format!(
            "s%{}, {}, {}, {}, {}, {}",
            self.params[at],
            string(&param.path),
            self.ops.value(&self.flat, self, address),
            primitive.size(),
            logical(primitive.kind() == Numbers::Signed),
            self.order(order)
        )
    }

    pub(super) fn opening(&self) -> String {
        let (parameter, declared, begun, native) = if self.raw {
            let declared =
                "  logical, intent(in) :: big    ! the byte order, where the layout has none\n";
            (", big", declared, "s%big = big\n", "")
        } else {
            let begun = "call PREFIX_begin(s, path, ierr, any_layout)\n  if (PREFIX_failed(ierr)) then\n    \
                         call PREFIX_close(s)\n    return\n  end if\n";
            ("", "", begun, include_str!("begin.f90"))
        };
        let (comment, argument, any) = if self.raw {
            ("", "", "")
        } else {
            let comment = " If it carries a layout of another text, that is an error, unless `any_layout` says that\n\
                           ! both texts mean the same.";
            (comment, ", any_layout", "  logical, intent(in), optional :: any_layout\n")
        };
        let mut same = String::new();
        let attached = self.flat.layout.attached();
        // Without the line of the end: items that were appended since stand before theirs.
        for part in literals(attached.trim_end_matches("\n-\n")) {
            same += &format!("  call {}_compare(s, {part}, address, is_same)\n", self.prefix);
        }
        same += &format!("  call {}_ends(s, address, is_same)\n", self.prefix);
        (include_str!("open.f90").to_owned() + native)
            .replace("ANY_COMMENT", comment)
            .replace("ANY_ARGUMENT", argument)
            .replace("  ! ANY\n", any)
            .replace("  ! SAME\n", &same)
            .replace(", MORE", parameter)
            .replace("  ! MORE\n", declared)
            .replace("! BEGIN\n", begun)
            .replace("PREFIX", &self.prefix)
    }

    /// Creating and finishing.
    pub(super) fn writing(&self) -> String {
        let prefix = &self.prefix;
        let (Some(end), None) = (self.flat.end, self.flat.unwritable()) else {
            let why = self.flat.unwritable().unwrap_or_default();
            return comment(&[format!("{prefix}_create is not here: {why}.")], "");
        };
        let (mut params, mut legal, mut wanted) = (String::new(), String::new(), String::new());
        for (at, param) in self.flat.params.iter().enumerate() {
            if let (Some(_), Some(address)) = (param.stored, param.address) {
                params += &format!(
                    "  call {prefix}_put_param(s, {}, ierr)\n  if ({prefix}_failed(ierr)) return\n",
                    self.param_arguments(at, address)
                );
            }
        }
        for (at, item) in self.flat.items.iter().enumerate() {
            if !item.indices.is_empty() {
                continue;
            }
            let value = match &item.legal {
                Some(AttrValue::Int(value)) => {
                    let kind = self.type_of(item.element).replace("integer", "");
                    Some(format!("int({}, {})", number(*value), kind.trim_matches(['(', ')'])))
                }
                Some(AttrValue::Text(value)) => Some(string(value)),
                _ => None,
            };
            if let Some(value) = value {
                legal += &format!(
                    "  call {prefix}_{}_put(s, {value}, ierr)\n  if ({prefix}_failed(ierr)) return\n",
                    self.items[at]
                );
            }
            wanted += &format!(
                "  if (.not. s%put({})) then\n    call {prefix}_fail(s, {}, 'it was not written', ierr)\n    return\n  end if\n",
                at + 1,
                string(&item.path)
            );
        }
        let mut attached = String::new();
        if !self.raw {
            for part in literals(&self.flat.layout.attached()) {
                attached += &format!("  call {prefix}_line(s, {part}, at, iostat)\n");
            }
        }
        let finish =
            if self.raw { include_str!("finish_raw.f90") } else { include_str!("finish.f90") };
        let end = self.ops.value(&self.flat, self, end);
        (include_str!("create.f90").to_owned() + finish)
            .replace("PREFIX", prefix)
            .replace("END_OF_DATA", &end)
            .replace("SIGNATURE_BYTES", if self.raw { "0" } else { "16" })
            .replace("  ! PARAMS\n", &params)
            .replace("  ! LEGAL\n", &legal)
            .replace("  ! WANTED\n", &wanted)
            .replace("  ! ATTACHED\n", &attached)
    }
}

fn logical(value: bool) -> &'static str {
    if value { ".true." } else { ".false." }
}

/// A text in literals of a length that compilers take.
fn literals(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for line in text.split_inclusive('\n') {
        let characters: Vec<char> = line.chars().collect();
        let chunks = characters.chunks(if line.is_ascii() { 60 } else { 24 });
        parts.extend(chunks.map(|part| string(&part.iter().collect::<String>())));
    }
    parts
}
