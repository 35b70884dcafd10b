//! The layout of a struct of a program, as text.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use dudley_parser::formula::plan::{Node, Plan};
use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::words::name as written;
use dudley_parser::layout::{Element, RecordId};
use dudley_parser::{Layout, Severity};
use gimli::constants as dw;

use super::dwarf::{DEEPEST, Entry, Types};
use super::names::{find, of_bytes};

/// A member, or the element of an array.
struct Spelled {
    /// The type in a layout.
    ty: String,
    /// The byte order, if it differs from the order of the layout.
    order: &'static str,
    dims: Vec<u64>,
    /// Bytes of all elements.
    bytes: u64,
    /// Words about what the type cannot express.
    doc: Option<String>,
    /// Attributes in the syntax of a layout.
    attributes: Option<String>,
}

/// A written struct, with its place and size in the program.
struct Written {
    entry: usize,
    name: String,
    bytes: u64,
    /// The offsets of its members.
    offsets: Vec<u64>,
}

impl Written {
    /// Whether its members lie in a layout as in the program.
    fn lies_alike(&self, layout: &Layout, plan: &mut Plan<'_>) -> bool {
        let is_it = |id: &RecordId| {
            layout[*id].ty.is_some_and(|ty| layout.name(layout[ty].name) == self.name)
        };
        let records = layout.arrays().filter_map(|(_, array)| match array.element {
            Element::Record(id) => Some(id),
            Element::Primitive(..) => None,
        });
        let Some(record) = records.into_iter().find(is_it) else { return false };
        let offsets: Vec<_> = plan.members(record).into_iter().map(|it| it.offset).collect();
        let bytes = plan.record_bytes(record);
        let is = |node: Option<Node>, number: u64| {
            node.and_then(|node| plan.as_number(node)) == i64::try_from(number).ok()
        };
        is(bytes, self.bytes)
            && offsets.len() == self.offsets.len()
            && offsets.iter().zip(&self.offsets).all(|(found, offset)| is(*found, *offset))
    }
}

/// Writes structs; the structs of members come first.
struct Writer<'t> {
    types: &'t Types,
    /// Members follow each other without gaps.
    packed: bool,
    /// Structs whose gaps are written, because a layout would have others.
    gapped: &'t HashSet<usize>,
    text: String,
    known: HashMap<usize, (String, u64)>,
    names: HashSet<String>,
    written: Vec<Written>,
}

/// The arrangement of structs in a file.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Storage {
    /// As they are in memory, one after the other.
    InMemory,
    /// The same without gaps between members.
    Packed,
    /// Without gaps, in records of Fortran, each of one struct or several.
    Records,
}

/// The text of a layout of structs of a type to the end of a stream.
///
/// # Errors
/// A text: there is no such type, or it cannot be said.
pub(crate) fn layout(
    types: &Types,
    program: &str,
    name: &str,
    storage: Storage,
) -> Result<String, String> {
    let at = find(types, name)?;
    let packed = storage != Storage::InMemory;
    // A struct without its own name gets the requested name.
    let shown =
        if types.entries[at].name.is_empty() { name.to_owned() } else { types.full_name(at) };
    let order = if types.big { '>' } else { '<' };
    let (packing, how) = match storage {
        Storage::InMemory => ("", ""),
        Storage::Packed => ("", ", its members without gaps"),
        Storage::Records => (" %1", ", its members without gaps, in records of Fortran"),
    };
    let mut gapped = HashSet::new();
    loop {
        let mut writer = Writer {
            types,
            packed,
            gapped: &gapped,
            text: String::new(),
            known: HashMap::new(),
            names: HashSet::new(),
            written: Vec::new(),
        };
        let (ty, bytes) = writer.add(at, 0)?;
        let mut text = format!(
            "{order}{packing} ## Structs `{shown}` of the program {program}{how}: {} each\n\n",
            of_bytes(bytes)
        );
        text += "N : 0  #: to_end\n\n";
        text += &writer.text;
        let free = |name: &'static str, other: &'static str| {
            if writer.names.contains(name) { other } else { name }
        };
        let item = free("data", "values");
        let _ = match storage {
            Storage::Records => {
                let (list, equal) = (free("records", "all_records"), free("equal", "both_equal"));
                writeln!(
                    text,
                    "## The bytes of a record stand before and behind it. `{equal}` has no elements where both are the same, and is an\n\
                     ## error that names them otherwise.\n\
                     {list} [\n  /\n    BYTES : i4\n    {item} = {ty}[BYTES/{bytes}]\n    END : i4\n    \
                     {equal} = u1[BYTES-END, END-BYTES]\n]*N"
                )
            }
            Storage::InMemory | Storage::Packed => writeln!(text, "{item} = {ty}[N]"),
        };
        let checked = dudley_parser::check(text.as_bytes());
        let Some(layout) =
            checked.layout.as_ref().filter(|_| checked.of(Severity::Error).next().is_none())
        else {
            let error = checked.of(Severity::Error).next();
            let why = error.map(|error| error.message.clone()).unwrap_or_default();
            return Err(format!("`{name}` makes no layout: {why}"));
        };
        // Whether a struct without written gaps lies as in the program, the layout itself tells.
        let mut plan = Plan::new(layout, 0);
        let wrong = writer.written.iter().filter(|it| !it.lies_alike(layout, &mut plan));
        let wrong: Vec<(usize, String)> = wrong.map(|it| (it.entry, it.name.clone())).collect();
        if wrong.is_empty() {
            return Ok(text);
        }
        let before = gapped.len();
        gapped.extend(wrong.iter().map(|(entry, _)| *entry));
        if packed || gapped.len() == before {
            return Err(format!("no layout has `{}` as the program has it", wrong[0].1));
        }
    }
}

impl Writer<'_> {
    /// Writes a struct and the structs in it. Returns its name and its bytes.
    fn add(&mut self, at: usize, depth: usize) -> Result<(String, u64), String> {
        if let Some(known) = self.known.get(&at) {
            return Ok(known.clone());
        }
        if depth > DEEPEST {
            return Err(format!("types lie in each other deeper than {DEEPEST}"));
        }
        let types = self.types;
        let entry = &types.entries[at];
        if entry.tag == dw::DW_TAG_union_type {
            return Err(format!(
                "`{}` is a union, whose members lie on each other: name a struct, or write a layout with the member that you need",
                entry.name
            ));
        }
        let size = entry.size.ok_or_else(|| format!("`{}` has no size", entry.name))?;
        let (mut members, mut lost) = (Vec::new(), Vec::new());
        for (child, offset) in types.parts(at) {
            let child = &types.entries[child];
            let name = match (child.tag, child.ty) {
                (dw::DW_TAG_inheritance, Some(ty)) => types.entries[ty].name.clone(),
                _ => child.name.clone(),
            };
            let offset = match (child.bits, offset) {
                (None, Some(offset)) => offset,
                (Some(bits), _) => {
                    let plural = if bits == 1 { "" } else { "s" };
                    lost.push(format!("`{name}` is a field of {bits} bit{plural}"));
                    continue;
                }
                (None, None) => {
                    lost.push(format!("`{name}` has no place that is a number"));
                    continue;
                }
            };
            let Some(ty) = child.ty else {
                lost.push(format!("`{name}` has no type"));
                continue;
            };
            match self.spell(ty, depth + 1)? {
                Ok(spelled) if offset.saturating_add(spelled.bytes) > size => {
                    lost.push(format!("`{name}` ends behind the struct"));
                }
                Ok(spelled) => members.push((name, offset, spelled)),
                Err(why) => lost.push(format!("`{name}` {why}")),
            }
        }
        members.sort_by_key(|(_, offset, _)| *offset);
        if self.packed {
            if let Some(why) = lost.first() {
                return Err(format!(
                    "{why}: where what is behind it lies is not known with --packed"
                ));
            }
            let mut end = 0_u64;
            for (_, offset, member) in &mut members {
                *offset = end;
                end = end.saturating_add(member.bytes);
            }
        }
        let name = self.type_name(at);
        let bytes = match members.last() {
            Some((_, offset, member)) if self.packed => offset.saturating_add(member.bytes),
            _ => size,
        };
        if bytes == 0 || i64::try_from(bytes).is_err() {
            return Err(format!("`{name}` has {bytes} bytes"));
        }
        // A member that a layout cannot express is a gap.
        let gapped = self.gapped.contains(&at) || members.is_empty();
        let offsets = self.write(&name, bytes, gapped, &members, &lost)?;
        self.written.push(Written { entry: at, name: name.clone(), bytes, offsets });
        self.known.insert(at, (name.clone(), bytes));
        Ok((name, bytes))
    }

    /// Writes the members of a struct, with the gaps between them if it is `gapped`. Returns their offsets.
    fn write(
        &mut self,
        name: &str,
        bytes: u64,
        gapped: bool,
        members: &[(String, u64, Spelled)],
        lost: &[String],
    ) -> Result<Vec<u64>, String> {
        let mut text = String::new();
        for line in lost {
            let _ = writeln!(text, "## {line}: it is left out");
        }
        let packed = self.packed || gapped;
        let _ = writeln!(text, "{} {{{}", written(name), if packed { "%1" } else { "" });
        let mut named: HashSet<String> = members.iter().map(|(name, ..)| name.clone()).collect();
        let mut used = HashSet::new();
        let (mut cursor, mut gaps, mut offsets) = (0_u64, 0, Vec::new());
        let mut gap = |text: &mut String, offsets: &mut Vec<u64>, from: u64, to: u64| {
            if !gapped || to <= from {
                return;
            }
            while !named.insert(format!("gap{gaps}")) {
                gaps += 1;
            }
            let _ = writeln!(text, "  gap{gaps} = u1[{}]", to - from);
            offsets.push(from);
        };
        for (member, offset, spelled) in members {
            if *offset < cursor {
                return Err(format!(
                    "`{member}` of `{name}` begins at byte {offset}, within the member before it, which ends at {cursor}: no layout has that"
                ));
            }
            gap(&mut text, &mut offsets, cursor, *offset);
            let mut shown = if member.is_empty() { "unnamed".to_owned() } else { member.clone() };
            while !used.insert(shown.clone()) {
                shown.push('_');
            }
            let dims: Vec<String> = spelled.dims.iter().map(u64::to_string).collect();
            let dims =
                if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
            let (order, ty) = (spelled.order, written(&spelled.ty));
            let _ = write!(text, "  {} = {order}{ty}{dims}", written(&shown));
            // The address shows that the padding is intended.
            if !gapped && *offset > cursor {
                let _ = write!(text, " @{offset}");
            }
            if let Some(doc) = &spelled.doc {
                let _ = write!(text, "  ## {doc}");
            }
            if let Some(attributes) = &spelled.attributes {
                let line = if spelled.doc.is_some() { "\n  " } else { "  " };
                let _ = write!(text, "{line}#: {attributes}");
            }
            text.push('\n');
            offsets.push(*offset);
            cursor = offset.saturating_add(spelled.bytes);
        }
        gap(&mut text, &mut offsets, cursor, bytes);
        // So that of its end. What is aligned more than numbers are does not lie alike, and has gaps.
        let aligned = (1_u64 << bytes.trailing_zeros()).min(8);
        let end = if !gapped && bytes > cursor { format!("}} %{aligned}") } else { "}".into() };
        let _ = writeln!(text, "{end}\n");
        self.text += &text;
        Ok(offsets)
    }

    /// A name for a struct that no other type has.
    fn type_name(&mut self, at: usize) -> String {
        let entry = &self.types.entries[at];
        let mut name: String =
            entry.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if name.is_empty() {
            // A struct without a name gets the name of its typedef.
            let named = self.types.entries.iter().find(|other| {
                other.tag == dw::DW_TAG_typedef && other.ty == Some(at) && !other.name.is_empty()
            });
            name = named.map_or_else(|| "unnamed".to_owned(), |named| named.name.clone());
        }
        if Primitive::from_name(&name).is_some() {
            name.push_str("_t");
        }
        let (base, mut count) = (name.clone(), 2);
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{count}");
            count += 1;
        }
        name
    }

    /// The form of a type in a layout, or the reason why there is none.
    fn spell(&mut self, at: usize, depth: usize) -> Result<Result<Spelled, String>, String> {
        let types = self.types;
        let Some(at) = types.plain(at) else {
            return Ok(Err("has a type that is not there".into()));
        };
        let entry = &types.entries[at];
        let one = |ty: &str, bytes: u64, doc: Option<String>| Spelled {
            ty: ty.to_owned(),
            order: if entry.swapped && bytes > 1 { types.other_order() } else { "" },
            dims: Vec::new(),
            bytes,
            doc,
            attributes: None,
        };
        let bytes_of = |bytes: u64, doc: String| Spelled {
            dims: vec![bytes],
            order: "",
            ..one("u1", bytes, Some(doc))
        };
        let size = entry.size.unwrap_or(0);
        Ok(Ok(match entry.tag {
            dw::DW_TAG_base_type => match base(entry) {
                Some((ty, doc)) => one(&ty, size, doc),
                None => bytes_of(size, format!("a `{}`", entry.name)),
            },
            dw::DW_TAG_pointer_type
            | dw::DW_TAG_reference_type
            | dw::DW_TAG_rvalue_reference_type => {
                let size = entry.size.unwrap_or(types.address);
                one(
                    if size == 4 { "p4" } else { "p8" },
                    size,
                    Some("an address of the program".into()),
                )
            }
            dw::DW_TAG_ptr_to_member_type => {
                // A pointer to a member function also holds the offset of `this`.
                let is_function =
                    entry.ty.is_some_and(|ty| types.entries[ty].tag == dw::DW_TAG_subroutine_type);
                let addresses = if is_function { 2 } else { 1 };
                bytes_of(addresses * types.address, "a pointer to a member".into())
            }
            dw::DW_TAG_enumeration_type => {
                let values = || {
                    let children = entry.children.iter().map(|child| &types.entries[*child]);
                    children.filter_map(|child| Some((child.value?, child.name.as_str())))
                };
                let unsigned = match entry.ty.and_then(|ty| types.plain(ty)) {
                    Some(ty) => matches!(
                        types.entries[ty].encoding,
                        Some(dw::DW_ATE_unsigned | dw::DW_ATE_unsigned_char | dw::DW_ATE_boolean)
                    ),
                    // Early versions of DWARF do not say; compilers take a type with a sign where a value needs it.
                    None => values().all(|(value, _)| value >= 0),
                };
                let letter = if unsigned { 'u' } else { 'i' };
                let values: Vec<(i128, &str)> =
                    values().map(|(value, name)| (in_bytes(value, size, unsigned), name)).collect();
                let mut spelled = one(&format!("{letter}{size}"), size, None);
                if values.iter().any(|(value, _)| i64::try_from(*value).is_err()) {
                    // Attributes cannot hold numbers of this size.
                    let values: Vec<String> =
                        values.iter().map(|(value, name)| format!("{name} = {value}")).collect();
                    spelled.doc = Some(values.join(", "));
                } else if !values.is_empty() {
                    let names: Vec<String> =
                        values.iter().map(|(_, name)| format!("{name:?}")).collect();
                    let mut attributes = format!("names = [{}]", names.join(", "));
                    if values.iter().enumerate().any(|(at, (value, _))| *value != at as i128) {
                        let values: Vec<String> =
                            values.iter().map(|(value, _)| value.to_string()).collect();
                        let _ = write!(attributes, ", values = [{}]", values.join(", "));
                    }
                    spelled.attributes = Some(attributes);
                }
                spelled
            }
            dw::DW_TAG_string_type => Spelled { dims: vec![size], ..one("S1", size, None) },
            dw::DW_TAG_structure_type | dw::DW_TAG_class_type => {
                let (ty, bytes) = self.add(at, depth)?;
                one(&ty, bytes, None)
            }
            dw::DW_TAG_union_type => {
                let members: Vec<&str> = entry
                    .children
                    .iter()
                    .map(|child| &types.entries[*child])
                    .filter(|child| child.tag == dw::DW_TAG_member && !child.name.is_empty())
                    .map(|child| child.name.as_str())
                    .collect();
                bytes_of(size, format!("a union of {}", members.join(", ")))
            }
            dw::DW_TAG_array_type if entry.descriptor => {
                return Ok(Err("is allocated elsewhere, of which there is a descriptor".into()));
            }
            dw::DW_TAG_array_type => return self.spell_array(entry, depth),
            _ => return Ok(Err(format!("is of a type that is not known ({})", entry.tag))),
        }))
    }

    fn spell_array(
        &mut self,
        entry: &Entry,
        depth: usize,
    ) -> Result<Result<Spelled, String>, String> {
        let types = self.types;
        let Some(ty) = entry.ty else { return Ok(Err("is an array of nothing".into())) };
        if depth > DEEPEST {
            return Err(format!("types lie in each other deeper than {DEEPEST}"));
        }
        let spelled = match self.spell(ty, depth + 1)? {
            Ok(spelled) => spelled,
            Err(why) => return Ok(Err(why)),
        };
        let mut dims = Vec::new();
        for child in entry.children.iter().map(|child| &types.entries[*child]) {
            if child.tag == dw::DW_TAG_subrange_type {
                match child.value.and_then(|count| u64::try_from(count).ok()) {
                    Some(count) if count > 0 => dims.push(count),
                    _ => return Ok(Err("is an array without a length".into())),
                }
            }
        }
        if entry.fortran {
            dims.reverse();
        }
        let count = dims.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let bytes = count.and_then(|count| count.checked_mul(spelled.bytes));
        let Some(bytes) = bytes else { return Ok(Err("has more bytes than there can be".into())) };
        // Several characters of C are a text.
        let plain = types.plain(ty).map(|ty| &types.entries[ty]);
        let is_text = plain.is_some_and(|plain| {
            plain.name == "char" || matches!(plain.encoding, Some(dw::DW_ATE_UTF))
        });
        let ty = match (&*spelled.ty, is_text) {
            ("i1" | "u1", true) => "S1".to_owned(),
            (ty, _) => ty.to_owned(),
        };
        let ty = match plain.and_then(|plain| plain.encoding) {
            Some(dw::DW_ATE_UTF) => format!("U{}", spelled.bytes),
            _ => ty,
        };
        dims.extend(&spelled.dims);
        Ok(Ok(Spelled { ty, dims, bytes, ..spelled }))
    }
}

/// A value in a type of this many bytes, signed or unsigned: compilers write either.
fn in_bytes(value: i128, bytes: u64, unsigned: bool) -> i128 {
    let bits = u32::try_from(bytes.saturating_mul(8)).unwrap_or(64).clamp(8, 64);
    let low = value & ((1 << bits) - 1);
    if !unsigned && low >> (bits - 1) != 0 { low - (1 << bits) } else { low }
}

/// The dtype of numbers, with words about what it cannot express.
fn base(entry: &Entry) -> Option<(String, Option<String>)> {
    let size = entry.size?;
    let whole = matches!(size, 1 | 2 | 4 | 8);
    let plain = |ty: String| Some((ty, None));
    match entry.encoding? {
        // Floats of another kind, whose exponents have eight bits.
        dw::DW_ATE_float if size == 2 && entry.name.contains("bf") => None,
        dw::DW_ATE_float if matches!(size, 2 | 4 | 8) => plain(format!("f{size}")),
        dw::DW_ATE_complex_float if matches!(size, 4 | 8 | 16) => plain(format!("c{size}")),
        dw::DW_ATE_boolean if size == 1 => plain("b1".to_owned()),
        dw::DW_ATE_boolean if whole => {
            Some((format!("u{size}"), Some("a logical value: 0 is false".into())))
        }
        dw::DW_ATE_signed | dw::DW_ATE_signed_char if whole => plain(format!("i{size}")),
        dw::DW_ATE_unsigned | dw::DW_ATE_unsigned_char | dw::DW_ATE_UTF if whole => {
            plain(format!("u{size}"))
        }
        _ => None,
    }
}
