//! The procedures of an item: where it is, and its elements.

use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::Node;
use dudley_parser::layout::dtype::Primitive;

use super::Module;
use super::words::{comment, number, string};
use crate::flat::{Item, Kind};

impl Module<'_> {
    pub(super) fn item(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        comment(&item.lines(self.remark(item.element), 1), "")
            + &self.place_of(at)
            + &self.get(at)
            + &self.put(at)
    }

    fn indices(item: &Item) -> String {
        (1..=item.indices.len()).map(|depth| format!(", i{depth}")).collect()
    }

    /// The parameters that all procedures of an item have.
    fn declared(&self, item: &Item) -> String {
        let mut text = format!("  type({}_stream), intent(inout) :: s\n", self.prefix);
        for depth in 1..=item.indices.len() {
            text += &format!("  integer(int64), intent(in) :: i{depth}\n");
        }
        text
    }

    /// A procedure that finds an item: its address, its dimensions in the order of the stream, and strides.
    fn place_of(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let prefix = &self.prefix;
        let value = |node: Node| self.ops.value(&self.flat, self, node);
        let mut nodes = vec![item.address, item.bytes];
        nodes.extend(item.dims.iter().chain(item.strides.iter().flatten()));
        nodes.extend(item.indices.iter().map(|(count, _)| *count));
        let (rank, path) = (item.dims.len(), string(&item.path));
        let more = match (rank, &item.strides) {
            (0, _) => "",
            (_, None) => ", dims",
            (_, Some(_)) => ", dims, strides",
        };
        let mut text = format!(
            "subroutine {prefix}_{}_place(s{}, address{more}, ierr)\n",
            self.items[at],
            Self::indices(item)
        );
        text += &self.declared(item);
        text += "  integer(int64), intent(out) :: address\n";
        if rank > 0 {
            text += &format!(
                "  integer(int64), intent(out) :: {}({rank})\n",
                more[2..].replace(", ", &format!("({rank}), "))
            );
        }
        text += "  integer, intent(out), optional :: ierr\n";
        for node in self.ops.locals(&self.flat, &nodes) {
            text += &format!("  integer(int64) :: t{}\n", node.index());
        }
        text += &self.ops.for_repetition(&self.flat, self, &nodes);
        text += &format!("  address = {}\n", value(item.address));
        for (name, nodes) in [("dims", Some(&item.dims)), ("strides", item.strides.as_ref())] {
            let Some(nodes) = nodes.filter(|_| rank > 0) else { continue };
            let values: Vec<String> = nodes.iter().map(|node| value(*node)).collect();
            text += &format!("  {name} = [{}]\n", values.join(", "));
        }
        for (depth, (count, from)) in item.indices.iter().enumerate() {
            let (index, first) = (format!("i{}", depth + 1), from + 1);
            text += &format!(
                "  if ({index} < {first} .or. {index} > {}) then\n    \
                 call {prefix}_fail(s, {path}, 'there is no such repetition', ierr)\n    return\n  end if\n",
                value(*count)
            );
        }
        let bytes = match &item.strides {
            None => value(item.bytes),
            Some(_) if rank > 0 => {
                format!("dud_reach(dims, strides, {}_int64)", self.size_of(item.element))
            }
            Some(_) => value(item.bytes),
        };
        text + &format!(
            "  call {prefix}_range(s, {path}, address, {bytes}, ierr)\nend subroutine\n\n"
        )
    }

    /// The declaration of an item: type, dimensions in the order of Fortran, and whether the last dimension is the
    /// length of a text.
    fn shape(&self, item: &Item) -> (String, usize, bool) {
        let ty = self.type_of(item.element);
        let text = ty == "character" && !item.dims.is_empty();
        let parts = matches!(item.element, Kind::Primitive(Primitive::C4, _));
        (ty, item.dims.len() + usize::from(parts) - usize::from(text), text)
    }

    fn get(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let (prefix, name) = (&self.prefix, &self.items[at]);
        let (ty, rank, text) = self.shape(item);
        let parts = matches!(item.element, Kind::Primitive(Primitive::C4, _));
        let colons = vec![":"; rank].join(", ");
        let declared = match (text, rank) {
            (true, 0) => "character(len=:), allocatable, intent(out) :: x".to_owned(),
            (true, _) => format!("character(len=:), allocatable, intent(out) :: x({colons})"),
            (false, 0) => format!("{ty}, intent(out) :: x"),
            (false, _) if parts && item.dims.is_empty() => format!("{ty}, intent(out) :: x(2)"),
            (false, _) => format!("{ty}, allocatable, intent(out) :: x({colons})"),
        };
        let mut head = format!(
            "subroutine {prefix}_{name}_get(s{}, x, ierr)\n{}  {declared}\n  integer, intent(out), optional :: ierr\n  \
             integer(int64) :: address\n",
            Self::indices(item),
            self.declared(item)
        );
        let mut body = self.placed(at);
        // Extents in the order of Fortran.
        let mut extents: Vec<String> =
            (1..=item.dims.len()).rev().map(|dim| format!("abs(dims({dim}))")).collect();
        if text {
            let length = extents.remove(0);
            let shape = if rank == 0 { String::new() } else { format!("({})", extents.join(", ")) };
            body += &format!("  allocate (character(len={length}) :: x{shape}, stat=iostat)\n");
        } else if !item.dims.is_empty() {
            if parts {
                extents.insert(0, "2".to_owned());
            }
            body += &format!("  allocate (x({}), stat=iostat)\n", extents.join(", "));
        }
        let path = string(&item.path);
        if !item.dims.is_empty() {
            body += &format!(
                "  if (iostat /= 0) then\n    call {prefix}_fail(s, {path}, 'there is no memory for it', ierr)\n    return\n  end if\n"
            );
        }
        body += &match item.element {
            Kind::Primitive(primitive, order) => {
                self.read_numbers(item, primitive, self.order(order), rank)
            }
            Kind::Record(record) => self.read_records(item, record),
        };
        body += &format!(
            "  if (iostat /= 0) call {prefix}_fail(s, {path}, 'it cannot be read', ierr)\n"
        );
        body += &self.compared(item, &path, text);
        head += &self.variables(item, &body);
        head + &body + "end subroutine\n\n"
    }

    /// Finds the item, and returns if it is not there.
    fn placed(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let more = match (item.dims.len(), &item.strides) {
            (0, _) => "",
            (_, None) => ", dims",
            (_, Some(_)) => ", dims, strides",
        };
        format!(
            "  call {0}_{1}_place(s{2}, address{more}, ierr)\n  if ({0}_failed(ierr)) return\n  iostat = 0\n",
            self.prefix,
            self.items[at],
            Self::indices(item)
        )
    }

    /// The variables that a procedure uses.
    fn variables(&self, item: &Item, body: &str) -> String {
        let mut text = String::from("  integer :: iostat\n");
        let rank = item.dims.len();
        if body.contains("dims") {
            text += &format!("  integer(int64) :: dims({rank})\n");
        }
        if body.contains("strides") {
            text += &format!("  integer(int64) :: strides({rank})\n");
        }
        if body.contains("bytes(") {
            text += "  integer(int8), allocatable :: bytes(:)\n";
        }
        if body.contains("flat(") {
            text += &format!("  {}, allocatable :: flat(:)\n", self.type_of(item.element));
        }
        if body.contains("do at") {
            text += "  integer(int64) :: at\n";
        }
        text
    }

    fn read_numbers(&self, item: &Item, primitive: Primitive, order: &str, rank: usize) -> String {
        let (size, unit) = (primitive.size(), primitive.swap_unit());
        let direct = "read(s%unit, pos=address + 1, iostat=iostat) x";
        let strided = item.strides.is_some() && !item.dims.is_empty();
        if unit == 1 && !strided {
            return format!("  {direct}\n");
        }
        let count =
            if item.dims.is_empty() { "1".to_owned() } else { "dud_count(dims)".to_owned() };
        if primitive.is_text() && primitive.swap_unit() == 1 && strided {
            let value = if rank == 0 { "x = texts(1)" } else { "x = reshape(texts, shape(x))" };
            let value = value.replacen('x', &format!("x{}", section(rank)), 1);
            return format!(
                "  allocate (bytes({count}), stat=iostat)\n  do at = 0, {count} - 1\n    \
                 if (iostat == 0) read(s%unit, pos=address + 1 + dud_offset(at, dims, strides), iostat=iostat) bytes(at + 1)\n  end do\n  \
                 block\n    character(len=len(x)) :: texts(size(bytes) / max(len(x), 1))\n    \
                 texts = transfer(bytes, texts)\n    if (size(texts) > 0) {value}\n  end block\n"
            );
        }
        let value = if rank == 0 {
            "transfer(bytes, x)".to_owned()
        } else {
            "reshape(transfer(bytes, x), shape(x))".to_owned()
        };
        let swap = if unit == 1 {
            String::new()
        } else if strided {
            format!("    if ({order} .neqv. dud_big()) call dud_swap(bytes, {unit})\n")
        } else {
            format!("    call dud_swap(bytes, {unit})\n")
        };
        let read = if strided {
            format!(
                "    do at = 0, {count} - 1\n      if (iostat == 0) read(s%unit, pos=address + 1 + dud_offset(at, dims, strides), \
                 iostat=iostat) bytes(at * {size} + 1:at * {size} + {size})\n    end do\n"
            )
        } else {
            "    read(s%unit, pos=address + 1, iostat=iostat) bytes\n".to_owned()
        };
        let bytes = format!(
            "    allocate (bytes({count} * {size}), stat=iostat)\n{read}{swap}    if (size(bytes) > 0) x = {value}\n"
        );
        if strided {
            bytes.lines().map(|line| format!("{}\n", &line[2..])).collect()
        } else {
            format!("  if ({order} .eqv. dud_big()) then\n    {direct}\n  else\n{bytes}  end if\n")
        }
    }

    fn read_records(&self, item: &Item, record: usize) -> String {
        let ty = format!("{}_{}", self.prefix, self.records[record]);
        if item.dims.is_empty() {
            return format!("  call {ty}_read(s, address, x, iostat)\n");
        }
        let size = self.flat.records[record].size;
        format!(
            "  allocate (flat(dud_count(dims)), stat=iostat)\n  do at = 1, size(flat, kind=int64)\n    \
             call {ty}_read(s, address + (at - 1) * {size}, flat(at), iostat)\n  end do\n  x = reshape(flat, shape(x))\n"
        )
    }

    /// Compares the read value with the only legal one.
    fn compared(&self, item: &Item, path: &str, text: bool) -> String {
        let differs = match &item.legal {
            Some(AttrValue::Int(value)) => format!("x /= {}", number(*value)),
            // Blanks or NULs may follow.
            Some(AttrValue::Text(value)) if text && value.is_empty() => return String::new(),
            Some(AttrValue::Text(value)) if text => format!("index(x, {}) /= 1", string(value)),
            _ => return String::new(),
        };
        format!(
            "  if (iostat == 0) then\n    if ({differs}) call {}_fail(s, {path}, 'it is not the only legal value', ierr)\n  end if\n",
            self.prefix
        )
    }

    fn put(&self, at: usize) -> String {
        let item = &self.flat.items[at];
        let (prefix, name, path) = (&self.prefix, &self.items[at], string(&item.path));
        let (ty, rank, text) = self.shape(item);
        let parts = matches!(item.element, Kind::Primitive(Primitive::C4, _));
        let colons = vec![":"; rank].join(", ");
        let shape = if rank == 0 { String::new() } else { format!("({colons})") };
        let ty_text = if text { "character(len=*)".to_owned() } else { ty };
        let mut head = format!(
            "subroutine {prefix}_{name}_put(s{}, x, ierr)\n{}  {ty_text}, intent(in) :: x{shape}\n  \
             integer, intent(out), optional :: ierr\n  integer(int64) :: address\n",
            Self::indices(item),
            self.declared(item)
        );
        let mut body = self.placed(at);
        body += &format!(
            "  if (.not. s%writes) then\n    call {prefix}_fail(s, {path}, 'the stream is read, not created', ierr)\n    return\n  end if\n"
        );
        let mut extents: Vec<String> =
            (1..=item.dims.len()).rev().map(|dim| format!("abs(dims({dim}))")).collect();
        let mut wrong = Vec::new();
        if text {
            let length = extents.remove(0);
            let compare = if rank == 0 { ">" } else { "/=" };
            wrong.push(format!("len(x, int64) {compare} {length}"));
        }
        if parts {
            extents.insert(0, "2_int64".to_owned());
        }
        if !extents.is_empty() {
            wrong.push(format!("any(shape(x, int64) /= [{}])", extents.join(", ")));
        }
        if !wrong.is_empty() {
            body += &format!(
                "  if ({}) then\n    call {prefix}_fail(s, {path}, 'it has another shape', ierr)\n    return\n  end if\n",
                wrong.join(" .or. ")
            );
        }
        body += &match item.element {
            Kind::Primitive(primitive, order) => {
                self.write_numbers(item, primitive, self.order(order), text && rank == 0)
            }
            Kind::Record(record) => {
                let ty = format!("{prefix}_{}", self.records[record]);
                if item.dims.is_empty() {
                    format!("  call {ty}_write(s, address, x, iostat)\n")
                } else {
                    format!(
                        "  flat = reshape(x, [size(x)])\n  do at = 1, size(flat, kind=int64)\n    \
                         call {ty}_write(s, address + (at - 1) * {}, flat(at), iostat)\n  end do\n",
                        self.flat.records[record].size
                    )
                }
            }
        };
        body += &format!(
            "  if (iostat /= 0) call {prefix}_fail(s, {path}, 'it cannot be written', ierr)\n  s%put({}) = .true.\n",
            at + 1
        );
        head += &self.variables(item, &body);
        head + &body + "end subroutine\n\n"
    }

    fn write_numbers(
        &self,
        item: &Item,
        primitive: Primitive,
        order: &str,
        padded: bool,
    ) -> String {
        let (size, unit) = (primitive.size(), primitive.swap_unit());
        let strided = item.strides.is_some() && !item.dims.is_empty();
        if unit == 1 && !strided {
            return if padded {
                "  write(s%unit, pos=address + 1, iostat=iostat) x, repeat(achar(0), int(abs(dims(1)) - len(x)))\n".to_owned()
            } else {
                "  write(s%unit, pos=address + 1, iostat=iostat) x\n".to_owned()
            };
        }
        if strided {
            let swap = if unit == 1 {
                String::new()
            } else {
                format!("  if ({order} .neqv. dud_big()) call dud_swap(bytes, {unit})\n")
            };
            return format!(
                "  bytes = transfer(x, [0_int8])\n{swap}  do at = 0, size(bytes, kind=int64) / {size} - 1\n    \
                 if (iostat == 0) write(s%unit, pos=address + 1 + dud_offset(at, dims, strides), iostat=iostat) \
                 bytes(at * {size} + 1:at * {size} + {size})\n  end do\n"
            )
            .replacen("bytes = ", "allocate (bytes(0))\n  bytes = ", 1);
        }
        format!(
            "  if ({order} .eqv. dud_big()) then\n    write(s%unit, pos=address + 1, iostat=iostat) x\n  else\n    \
             allocate (bytes(0))\n    bytes = transfer(x, [0_int8])\n    call dud_swap(bytes, {unit})\n    \
             write(s%unit, pos=address + 1, iostat=iostat) bytes\n  end if\n"
        )
    }
}

/// The whole array: without the bounds, an assignment would change its length.
fn section(rank: usize) -> String {
    if rank == 0 { String::new() } else { format!("({})", vec![":"; rank].join(", ")) }
}
