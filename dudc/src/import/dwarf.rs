//! The types of a compiled program, from its debugging information (DWARF).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Read;

use gimli::{
    AttributeValue, DwTag, EndianSlice, Reader, Relocate, RelocateReader, RunTimeEndian,
    constants as dw,
};
use object::read::RelocationMap;
use object::{Object, ObjectKind, ObjectSection};

/// The greatest size of a compressed section, in bytes.
const MOST: u64 = 1 << 32;

/// The greatest depth of nested structs and arrays.
pub(crate) const DEEPEST: usize = 64;

/// An entry: a type, or a part of one.
pub(crate) struct Entry {
    pub(crate) tag: DwTag,
    pub(crate) name: String,
    /// The entry around it.
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// Bytes.
    pub(crate) size: Option<u64>,
    /// The entry of its type.
    pub(crate) ty: Option<usize>,
    pub(crate) encoding: Option<gimli::DwAte>,
    /// Bytes from the start of its struct; `None` if the entry has no offset.
    pub(crate) offset: Option<u64>,
    /// Bits of a bit field.
    pub(crate) bits: Option<u64>,
    /// The value of an enumerator, or the number of elements of a dimension.
    pub(crate) value: Option<i128>,
    /// Its bytes have the other order than the machine.
    pub(crate) swapped: bool,
    /// It is declared here, and defined elsewhere or nowhere.
    pub(crate) declared: bool,
    /// Its data lies elsewhere: it is a descriptor, as for allocated arrays.
    pub(crate) descriptor: bool,
    /// It belongs to a program in Fortran.
    pub(crate) fortran: bool,
}

/// All types of a program.
pub(crate) struct Types {
    pub(crate) entries: Vec<Entry>,
    pub(crate) big: bool,
    /// Bytes of an address.
    pub(crate) address: u64,
    /// Parts of the information are in other files.
    is_split: bool,
}

/// The place of an entry: bytes from the start of a section, or the signature of a type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Info(usize),
    Types(usize),
    Signature(u64),
}

type Slice<'d> = RelocateReader<EndianSlice<'d, RunTimeEndian>, &'d Relocations>;

/// The values that the linker would put into a section of an object file.
#[derive(Debug, Default)]
struct Relocations {
    known: RelocationMap,
    /// Bytes from the start of the section where it would put something else, as it does for variables of threads.
    unknown: HashSet<usize>,
}

impl Relocations {
    fn of<'d>(file: &object::File<'d>, section: &object::Section<'d, '_>) -> Relocations {
        let mut relocations = Relocations::default();
        for (offset, relocation) in section.relocations() {
            if relocations.known.add(file, offset, relocation).is_err() {
                relocations.unknown.extend(usize::try_from(offset));
            }
        }
        relocations
    }
}

impl Relocate for &Relocations {
    fn relocate_address(&self, offset: usize, value: u64) -> gimli::Result<u64> {
        Ok(self.known.relocate(offset as u64, value))
    }

    fn relocate_offset(&self, offset: usize, value: usize) -> gimli::Result<usize> {
        if self.unknown.contains(&offset) {
            return Err(gimli::Error::UnsupportedOffset);
        }
        let value = self.known.relocate(offset as u64, value as u64);
        usize::try_from(value).map_err(|_| gimli::Error::UnsupportedOffset)
    }
}

impl Types {
    /// Reads the debugging information of an ELF file.
    ///
    /// # Errors
    /// If it is no ELF file, or has no debugging information, as a text.
    pub(crate) fn read(data: &[u8]) -> Result<Types, String> {
        let file =
            object::File::parse(data).map_err(|error| format!("it is no ELF file: {error}"))?;
        let is_object = file.kind() == ObjectKind::Relocatable;
        let (mut infos, mut types) = (0, 0);
        for section in file.sections() {
            infos += usize::from(section.name() == Ok(".debug_info"));
            types += usize::from(section.name() == Ok(".debug_types"));
        }
        if infos == 0 {
            if file.section_by_name_bytes(b".zdebug_info").is_some() {
                return Err("its debugging information is compressed as older tools did (.zdebug_info): compile and link with \
                            -gz=zlib, or run `objcopy --decompress-debug-sections` on it".into());
            }
            return Err(match file.gnu_debuglink() {
                Ok(Some((name, _))) => format!(
                    "its debugging information is in the file {}: import that",
                    String::from_utf8_lossy(name)
                ),
                _ if is_object => {
                    "it has no debugging information: compile with -g, and without -flto".into()
                }
                _ => "it has no debugging information: compile with -g, and do not strip it".into(),
            });
        }
        if is_object && infos + types > 1 {
            return Err("it is an object file with a section for each type: compile without -fdebug-types-section, or link it".into());
        }
        let endian =
            if file.is_little_endian() { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let load = |id: gimli::SectionId| match file.section_by_name(id.name()) {
            Some(section) => {
                let data = section_data(&section).map_err(|why| format!("{}: {why}", id.name()))?;
                // A linked file may list the linked values.
                let relocations = if is_object {
                    Relocations::of(&file, &section)
                } else {
                    Relocations::default()
                };
                Ok::<_, String>((data, relocations))
            }
            None => Ok((Cow::Borrowed(&[][..]), Relocations::default())),
        };
        let sections = gimli::DwarfSections::load(load)?;
        let dwarf = sections.borrow(|(data, relocations)| {
            RelocateReader::new(EndianSlice::new(data, endian), relocations)
        });
        let address = if file.is_64() { 8 } else { 4 };
        let mut types =
            Types { entries: Vec::new(), big: !file.is_little_endian(), address, is_split: false };
        types
            .add_all(&dwarf)
            .map_err(|error| format!("its debugging information is damaged: {error}"))?;
        if types.entries.is_empty() && types.is_split {
            return Err("its debugging information is in files beside it (.dwo): compile without -gsplit-dwarf".into());
        }
        Ok(types)
    }

    fn add_all(&mut self, dwarf: &gimli::Dwarf<Slice<'_>>) -> gimli::Result<()> {
        // References are places until all entries are read.
        let (mut by_place, mut references) = (HashMap::new(), Vec::new());
        let mut headers = Vec::new();
        let (mut units, mut type_units) = (dwarf.units(), dwarf.type_units());
        while let Some(header) = units.next()? {
            headers.push(header);
        }
        while let Some(header) = type_units.next()? {
            headers.push(header);
        }
        for header in headers {
            let unit = dwarf.unit(header)?;
            let unit = unit.unit_ref(dwarf);
            self.is_split |= unit.dwo_name()?.is_some();
            let section: fn(usize) -> Place =
                if unit.header.debug_types_offset().is_some() { Place::Types } else { Place::Info };
            let start = match (unit.header.debug_info_offset(), unit.header.debug_types_offset()) {
                (Some(offset), _) => offset.0,
                (None, Some(offset)) => offset.0,
                (None, None) => 0,
            };
            // A reference to a type in its own unit is its signature.
            let signed_type = match unit.header.type_() {
                gimli::UnitType::Type { type_signature, type_offset } => {
                    Some((type_offset.0, type_signature.0))
                }
                _ => None,
            };
            let mut fortran = false;
            let mut open: Vec<(isize, usize)> = Vec::new();
            let mut entries = unit.entries();
            while let Some(entry) = entries.next_dfs()? {
                let (tag, depth) = (entry.tag(), entry.depth());
                if tag == dw::DW_TAG_compile_unit {
                    fortran = matches!(
                        entry.attr_value(dw::DW_AT_language),
                        Some(AttributeValue::Language(
                            dw::DW_LANG_Fortran77
                                | dw::DW_LANG_Fortran90
                                | dw::DW_LANG_Fortran95
                                | dw::DW_LANG_Fortran03
                                | dw::DW_LANG_Fortran08
                        ))
                    );
                }
                open.retain(|(outer, _)| *outer < depth);
                if !is_wanted(tag) {
                    continue;
                }
                let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
                // Numbers of one to eight bytes do not say whether they have a sign. Negative ones are of another form.
                let signed = |name| {
                    let value = entry.attr_value(name)?;
                    value
                        .udata_value()
                        .map(i128::from)
                        .or_else(|| value.sdata_value().map(i128::from))
                };
                let name = match entry.attr_value(dw::DW_AT_name) {
                    Some(value) => unit.attr_string(value)?.to_string_lossy()?.into_owned(),
                    None => String::new(),
                };
                let parent = open.last().map(|(_, at)| *at);
                let at = self.entries.len();
                by_place.insert(section(start + entry.offset().0), at);
                if let Some((_, signature)) = signed_type.filter(|it| it.0 == entry.offset().0) {
                    by_place.insert(Place::Signature(signature), at);
                }
                let ty = match entry.attr_value(dw::DW_AT_type) {
                    Some(AttributeValue::UnitRef(offset)) => Some(section(start + offset.0)),
                    Some(AttributeValue::DebugInfoRef(offset)) => Some(Place::Info(offset.0)),
                    Some(AttributeValue::DebugTypesRef(signature)) => {
                        Some(Place::Signature(signature.0))
                    }
                    _ => None,
                };
                references.extend(ty.map(|to| (at, to)));
                let lower = signed(dw::DW_AT_lower_bound).unwrap_or(i128::from(fortran));
                let value = match tag {
                    dw::DW_TAG_enumerator => signed(dw::DW_AT_const_value),
                    _ => signed(dw::DW_AT_count)
                        .or_else(|| Some(signed(dw::DW_AT_upper_bound)? - lower + 1)),
                };
                let offset = match entry.attr_value(dw::DW_AT_data_member_location) {
                    None => Some(0).filter(|_| !entry.has_attr(dw::DW_AT_data_bit_offset)),
                    // Early versions of DWARF have an operation: a number that is added.
                    Some(AttributeValue::Exprloc(expression)) => {
                        let mut operations = expression.operations(unit.encoding());
                        match (operations.next()?, operations.next()?) {
                            (Some(gimli::Operation::PlusConstant { value }), None) => Some(value),
                            _ => None,
                        }
                    }
                    Some(value) => value.udata_value(),
                };
                self.entries.push(Entry {
                    tag,
                    name,
                    parent,
                    children: Vec::new(),
                    size: number(dw::DW_AT_byte_size),
                    ty: None,
                    encoding: match entry.attr_value(dw::DW_AT_encoding) {
                        Some(AttributeValue::Encoding(encoding)) => Some(encoding),
                        _ => None,
                    },
                    offset,
                    bits: number(dw::DW_AT_bit_size),
                    value,
                    swapped: match entry.attr_value(dw::DW_AT_endianity) {
                        Some(AttributeValue::Endianity(order)) => {
                            order == if self.big { dw::DW_END_little } else { dw::DW_END_big }
                        }
                        _ => false,
                    },
                    declared: entry.has_attr(dw::DW_AT_declaration)
                        || entry.has_attr(dw::DW_AT_external),
                    descriptor: entry.has_attr(dw::DW_AT_data_location),
                    fortran,
                });
                if let Some(parent) = parent {
                    self.entries[parent].children.push(at);
                }
                open.push((depth, at));
            }
        }
        for (at, to) in references {
            self.entries[at].ty = by_place.get(&to).copied();
        }
        Ok(())
    }

    /// The other byte order than the order of the machine.
    pub(crate) fn other_order(&self) -> &'static str {
        if self.big { "<" } else { ">" }
    }

    /// The name with the names of the namespaces, modules and structs around it.
    pub(crate) fn full_name(&self, at: usize) -> String {
        let mut names = vec![self.entries[at].name.as_str()];
        let mut around = self.entries[at].parent;
        while let Some(outer) = around {
            let entry = &self.entries[outer];
            if !entry.name.is_empty() && entry.tag != dw::DW_TAG_subprogram {
                names.push(&entry.name);
            }
            around = entry.parent;
        }
        names.reverse();
        names.join("::")
    }

    /// Whether a class has no members, and its bases have none.
    pub(crate) fn is_empty(&self, at: usize) -> bool {
        let mut open = vec![at];
        // Only in a damaged file is a class its own base.
        for _ in 0..self.entries.len() {
            let Some(at) = open.pop().and_then(|at| self.plain(at)) else { return true };
            for child in self.entries[at].children.iter().map(|child| &self.entries[*child]) {
                match (child.tag, child.ty) {
                    (dw::DW_TAG_member, _) if !child.declared => return false,
                    (dw::DW_TAG_inheritance, Some(base)) => open.push(base),
                    _ => {}
                }
            }
        }
        true
    }

    /// The members and bases of a class, with their bytes from its start. A base in whose padding other members lie is
    /// flattened: its members stand for it.
    pub(crate) fn parts(&self, at: usize) -> Vec<(usize, Option<u64>)> {
        let mut parts = Vec::new();
        self.add_parts(at, (Some(0), false, 0), &mut parts);
        parts
    }

    fn add_parts(
        &self,
        at: usize,
        (start, flat, depth): (Option<u64>, bool, usize),
        parts: &mut Vec<(usize, Option<u64>)>,
    ) {
        let is_part = |child: &Entry| match child.tag {
            // A base without members takes no bytes there.
            dw::DW_TAG_inheritance => child.ty.is_some_and(|ty| !self.is_empty(ty)),
            dw::DW_TAG_member => !child.declared,
            _ => false,
        };
        let children = self.entries[at].children.iter().copied();
        let children: Vec<usize> = children.filter(|at| is_part(&self.entries[*at])).collect();
        let mut starts: Vec<u64> =
            children.iter().filter_map(|child| self.entries[*child].offset).collect();
        starts.sort_unstable();
        for child in children {
            let entry = &self.entries[child];
            let offset = start.zip(entry.offset).and_then(|(start, it)| start.checked_add(it));
            let base = entry.ty.filter(|_| entry.tag == dw::DW_TAG_inheritance);
            if let (Some(base), Some(begin)) = (base.and_then(|it| self.plain(it)), entry.offset) {
                let end = begin.saturating_add(self.entries[base].size.unwrap_or(0));
                let next = starts.get(starts.partition_point(|start| *start <= begin));
                // Only in a damaged file is a class its own base.
                if (flat || next.is_some_and(|next| *next < end)) && depth < DEEPEST {
                    self.add_parts(base, (offset, true, depth + 1), parts);
                    continue;
                }
            }
            parts.push((child, offset));
        }
    }

    /// A type without its other names, `const` and the like.
    pub(crate) fn plain(&self, mut at: usize) -> Option<usize> {
        // A chain of names is not longer than there are entries.
        for _ in 0..self.entries.len() {
            match self.entries[at].tag {
                dw::DW_TAG_typedef
                | dw::DW_TAG_const_type
                | dw::DW_TAG_volatile_type
                | dw::DW_TAG_restrict_type
                | dw::DW_TAG_atomic_type => at = self.entries[at].ty?,
                _ => return Some(at),
            }
        }
        None
    }
}

/// Whether an entry is a type, or part of one.
fn is_wanted(tag: DwTag) -> bool {
    matches!(
        tag,
        dw::DW_TAG_base_type
            | dw::DW_TAG_structure_type
            | dw::DW_TAG_class_type
            | dw::DW_TAG_union_type
            | dw::DW_TAG_enumeration_type
            | dw::DW_TAG_enumerator
            | dw::DW_TAG_typedef
            | dw::DW_TAG_const_type
            | dw::DW_TAG_volatile_type
            | dw::DW_TAG_restrict_type
            | dw::DW_TAG_atomic_type
            | dw::DW_TAG_pointer_type
            | dw::DW_TAG_reference_type
            | dw::DW_TAG_rvalue_reference_type
            | dw::DW_TAG_ptr_to_member_type
            | dw::DW_TAG_subroutine_type
            | dw::DW_TAG_array_type
            | dw::DW_TAG_subrange_type
            | dw::DW_TAG_member
            | dw::DW_TAG_inheritance
            | dw::DW_TAG_string_type
            | dw::DW_TAG_namespace
            | dw::DW_TAG_module
    )
}

/// The bytes of a section, which may be compressed.
fn section_data<'d>(section: &object::Section<'d, '_>) -> Result<Cow<'d, [u8]>, String> {
    let stored = section.compressed_data().map_err(|error| error.to_string())?;
    match stored.format {
        object::CompressionFormat::None => Ok(Cow::Borrowed(stored.data)),
        object::CompressionFormat::Zlib if stored.uncompressed_size <= MOST => {
            let mut bytes = Vec::new();
            let decoder = flate2::read::ZlibDecoder::new(stored.data);
            decoder.take(MOST).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            Ok(Cow::Owned(bytes))
        }
        _ => Err("it is compressed in a way that is not read: link with -gz=none".to_owned()),
    }
}
