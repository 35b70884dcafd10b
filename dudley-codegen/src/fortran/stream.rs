//! The stream as a whole: what is kept of it, how it is opened, created and finished.

use std::collections::HashSet;

use dudley_parser::comments::AttrValue;
use dudley_parser::layout::DocKey;
use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers};

use super::Module;
use super::words::{comment, number, string};

impl Module<'_> {
    /// What the module is, and what it leaves out.
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
        if !self.flat.left.is_empty() {
            lines.push(String::new());
            lines.push("Not here:".to_owned());
            lines.extend(self.flat.left.iter().map(|(path, why)| format!("  {path}: {why}")));
        }
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
        for (param, name) in flat.params.iter().zip(&self.params) {
            if param.stream_bytes {
                lines += &format!("  if (reading) s%{name} = s%length\n");
            }
            let (Some((primitive, order)), Some(address)) = (param.stored, param.address) else {
                continue;
            };
            lines += &ops.for_stream(flat, self, address, &mut done);
            lines += &format!(
                "  if (reading) call {prefix}_param(s, s%{name}, {}, {}, {}, {}, {})\n",
                string(&param.path),
                ops.value(flat, self, address),
                primitive.size(),
                logical(primitive.kind() == Numbers::Signed),
                self.order(order),
            );
            if let Some(legal) = param.legal {
                let legal = number(legal);
                lines += &format!("  if (reading .and. s%{name} /= {legal}) s%{name} = dud_none\n");
                lines += &format!("  if (.not. reading) s%{name} = {legal}\n");
            }
        }
        for (param, name) in flat.params.iter().zip(&self.params) {
            let Some((begin, bytes)) = param.to_end else { continue };
            lines += &ops.for_stream(flat, self, begin, &mut done);
            lines += &ops.for_stream(flat, self, bytes, &mut done);
            let (begin, bytes) = (ops.value(flat, self, begin), ops.value(flat, self, bytes));
            lines += &format!("  if (reading) s%{name} = dud_rest(s%length, {begin}, {bytes})\n");
        }
        for node in ops.order() {
            lines += &ops.for_stream(flat, self, *node, &mut done);
        }
        format!(
            "! Reads the params, and places all that needs nothing else.\nsubroutine {prefix}_place(s, reading)\n  \
             type({prefix}_stream), intent(inout) :: s\n  logical, intent(in) :: reading\n  \
             if (reading .and. s%length < 0) return\n{lines}end subroutine\n\n"
        )
    }

    pub(super) fn opening(&self) -> String {
        let text = if self.raw { include_str!("open_raw.f90") } else { include_str!("open.f90") };
        text.replace("PREFIX", &self.prefix)
    }

    /// Creating and finishing.
    pub(super) fn writing(&self) -> String {
        let prefix = &self.prefix;
        let Some(end) = self.flat.end else {
            let why = format!(
                "{prefix}_create is not here: the end of the data depends on more than params."
            );
            return comment(&[why], "");
        };
        if let Some((path, why)) = self.flat.left.first() {
            let why =
                format!("{prefix}_create is not here, since {path} cannot be written: {why}.");
            return comment(&[why], "");
        }
        let (mut params, mut legal, mut wanted) = (String::new(), String::new(), String::new());
        for (param, name) in self.flat.params.iter().zip(&self.params) {
            let (Some((primitive, order)), Some(address)) = (param.stored, param.address) else {
                continue;
            };
            params += &format!(
                "  call {prefix}_put_param(s, s%{name}, {}, {}, {}, {}, {}, ierr)\n  if ({prefix}_failed(ierr)) return\n",
                string(&param.path),
                self.ops.value(&self.flat, self, address),
                primitive.size(),
                logical(primitive.kind() == Numbers::Signed),
                self.order(order),
            );
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
            for line in self.flat.layout.attached().split_inclusive('\n') {
                let characters: Vec<char> = line.chars().collect();
                for part in characters.chunks(if line.is_ascii() { 60 } else { 24 }) {
                    let part = string(&part.iter().collect::<String>());
                    attached += &format!("  call {prefix}_line(s, {part}, at)\n");
                }
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
