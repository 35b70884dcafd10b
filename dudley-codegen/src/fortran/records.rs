//! Structs of a layout as derived types, and how they are read and written, member by member.

use super::Module;
use super::words::{comment, remark};
use crate::flat::{Kind, Member, Names};

impl Module<'_> {
    pub(super) fn types(&self) -> String {
        (0..self.flat.records.len()).map(|at| self.record_type(at)).collect()
    }

    /// The names of the members of a struct.
    fn members(&self, at: usize) -> Vec<String> {
        let mut names = Names::new(&[], 60, true);
        self.flat.records[at].members.iter().map(|member| names.take(&member.name)).collect()
    }

    fn record_type(&self, at: usize) -> String {
        let record = &self.flat.records[at];
        let name = format!("{}_{}", self.prefix, self.records[at]);
        let mut text = comment(&record.doc, "  ");
        text += &format!("  type, public :: {name}\n");
        for (member, name) in record.members.iter().zip(self.members(at)) {
            let mut doc = member.doc.clone();
            if let Kind::Primitive(primitive, _) = member.kind {
                doc.extend(Some(remark(primitive)).filter(|it| !it.is_empty()).map(str::to_owned));
            }
            text += &comment(&doc, "    ");
            let mut dims = dims(member);
            let mut ty = self.type_of(member.kind);
            if ty == "character" && !dims.is_empty() {
                ty = format!("character(len={})", dims.remove(0));
            }
            let shape =
                if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
            text += &format!("    {ty} :: {name}{shape}\n");
        }
        text + &format!("  end type {name}\n\n")
    }

    /// The procedures that read and write a struct.
    pub(super) fn record_copies(&self, at: usize) -> String {
        let name = format!("{}_{}", self.prefix, self.records[at]);
        let prefix = &self.prefix;
        let mut text = String::new();
        for out in [false, true] {
            let (verb, intent) = if out { ("write", "in") } else { ("read", "out") };
            let mut lines = String::new();
            for (member, name) in self.flat.records[at].members.iter().zip(self.members(at)) {
                lines += &self.copy_member(member, &name, out);
            }
            text += &format!(
                "subroutine {name}_{verb}(s, address, value, iostat)\n  type({prefix}_stream), intent(in) :: s\n  \
                 integer(int64), intent(in) :: address\n  type({name}), intent({intent}) :: value\n  integer, intent(inout) :: iostat\n"
            );
            if lines.contains("bytes") {
                text += "  integer(int8), allocatable :: bytes(:)\n";
            }
            text += &lines;
            text += "end subroutine\n\n";
        }
        text
    }

    fn copy_member(&self, member: &Member, name: &str, out: bool) -> String {
        let verb = if out { "write" } else { "read" };
        let (intro, count) = ("  if (iostat /= 0) return\n", member.dims.iter().product::<i64>());
        let at = format!("address + {}", member.offset);
        match member.kind {
            Kind::Primitive(primitive, order) => {
                let (order, unit) = (self.order(order), primitive.swap_unit());
                let direct = format!("{verb}(s%unit, pos={at} + 1, iostat=iostat) value%{name}");
                if unit == 1 {
                    return format!("{intro}  {direct}\n");
                }
                let bytes = count * primitive.size().cast_signed();
                let value = if dims(member).is_empty() {
                    format!("transfer(bytes, value%{name})")
                } else {
                    format!("reshape(transfer(bytes, value%{name}), shape(value%{name}))")
                };
                let swapped = if out {
                    format!(
                        "    bytes = transfer(value%{name}, bytes)\n    call dud_swap(bytes, {unit})\n    \
                         write(s%unit, pos={at} + 1, iostat=iostat) bytes\n"
                    )
                } else {
                    format!(
                        "    allocate (bytes({bytes}))\n    read(s%unit, pos={at} + 1, iostat=iostat) bytes\n    \
                         call dud_swap(bytes, {unit})\n    value%{name} = {value}\n    deallocate (bytes)\n"
                    )
                };
                let allocate =
                    if out { format!("    allocate (bytes({bytes}))\n") } else { String::new() };
                let free = if out { "    deallocate (bytes)\n" } else { "" };
                format!(
                    "{intro}  if ({order} .eqv. dud_big()) then\n    {direct}\n  else\n{allocate}{swapped}{free}  end if\n"
                )
            }
            Kind::Record(inner) => {
                let ty = format!("{}_{}", self.prefix, self.records[inner]);
                let size = self.flat.records[inner].size;
                if member.dims.is_empty() {
                    return format!("{intro}  call {ty}_{verb}(s, {at}, value%{name}, iostat)\n");
                }
                let each = format!(
                    "    do at = 1, {count}\n      call {ty}_{verb}(s, {at} + (at - 1) * {size}_int64, flat(at), iostat)\n    end do\n"
                );
                let shaped = format!("    value%{name} = reshape(flat, shape(value%{name}))\n");
                let flat = format!("    flat = reshape(value%{name}, [{count}])\n");
                let lines = if out { flat + &each } else { each + &shaped };
                format!(
                    "{intro}  block\n    type({ty}) :: flat({count})\n    integer :: at\n{lines}  end block\n"
                )
            }
        }
    }
}

/// The dimensions of a member in the order of Fortran, with a dimension for the parts of complex numbers of
/// 4 bytes.
fn dims(member: &Member) -> Vec<String> {
    use dudley_parser::layout::dtype::Primitive;
    let parts = matches!(member.kind, Kind::Primitive(Primitive::C4, _)).then_some("2".to_owned());
    parts.into_iter().chain(member.dims.iter().rev().map(i64::to_string)).collect()
}
