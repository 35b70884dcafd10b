//! The types of a PDB file: numbers as dtypes, structs as types of a layout.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use dudley::verify::Finding;
use dudley::{ByteOrder, Primitive, Severity};
use dudley_parser::layout::words::name;
use dudley_parser::place::{add, align_up};

use super::header::{Float, Header, Integer};
use super::tail::{Line, Tail};
use crate::cursor::malformed;
use crate::headers;

/// The greatest depth of nested structs.
const DEEPEST: usize = 64;

/// The alignments that layouts have: powers of two.
const ALIGNMENTS: std::ops::RangeInclusive<u64> = 1..=65536;

/// The form of a type in a layout.
#[derive(Clone, Debug)]
pub(super) enum Word {
    /// Numbers, or a struct.
    Of(String),
    /// Characters: they need a dimension.
    Text,
    /// A type that no layout has, with the reason.
    None(&'static str),
}

/// A type of a file.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) word: Word,
    pub(super) size: u64,
    align: u64,
    /// Members that are addresses, or bytes that nothing explains.
    unexplained: Vec<String>,
}

/// The types of a file, by their names in it.
pub(super) struct Types {
    known: HashMap<String, Type>,
    /// The structs as types of a layout, each behind the structs of its members.
    text: String,
    /// The names of types of the layout.
    taken: HashSet<String>,
    least: u64,
    is_fastest_first: bool,
}

/// A member of a struct in the chart.
struct Member<'c> {
    name: &'c str,
    of: &'c str,
    is_pointer: bool,
    /// As the chart says them.
    dims: Vec<u64>,
}

impl Types {
    pub(super) fn new(header: &Header, tail: &Tail, found: &mut dyn FnMut(Finding)) -> Types {
        let mut types = Types {
            known: HashMap::new(),
            text: String::new(),
            taken: HashSet::new(),
            least: tail.struct_alignment.max(1),
            is_fastest_first: tail.is_fastest_first,
        };
        types.basic(header, tail);
        for line in &tail.primitives {
            let name = &line.words[0];
            match primitive(line) {
                // A type with its own size there is stored in another way than in the header.
                Some(primitive) => {
                    types.compare(name, primitive.size, "the list of primitive types", line, found);
                    let is_sure = types.known.get(name).is_none_or(|known| !known.is_unsure());
                    if is_sure {
                        types.known.insert(name.clone(), primitive);
                    }
                }
                None => found(wrong(line, "what is said of the primitive type is not understood")),
            }
        }
        let mut chart: HashMap<&str, &Line> = HashMap::new();
        for line in &tail.chart {
            if chart.insert(&line.words[0], line).is_some() {
                found(wrong(line, "another type of the chart has the same name"));
            }
            types.compare(&line.words[0], size(line), "the chart of types", line, found);
        }
        for line in &tail.chart {
            types.structure(&line.words[0], &chart, 0, found);
        }
        types
    }

    /// A type by its name.
    pub(super) fn get(&self, name: &str) -> Option<&Type> {
        self.known.get(name)
    }

    /// The structs as types of a layout.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Compares the size of a type with the known size. A type of another size is stored in an unknown way.
    fn compare(
        &mut self,
        name: &str,
        size: u64,
        said: &str,
        line: &Line,
        found: &mut dyn FnMut(Finding),
    ) {
        let Some(known) =
            self.known.get_mut(name).filter(|known| known.size != size && !known.is_unsure())
        else {
            return;
        };
        found(wrong(
            line,
            &format!("{said} says that it has {size} bytes, and {} are said before", known.size),
        ));
        known.size = size;
        known.word = Word::None(UNSURE);
    }

    /// The types that all files have.
    fn basic(&mut self, header: &Header, tail: &Tail) {
        let align =
            |at: usize, size: u64| tail.alignments.get(at).map_or(size, |align| u64::from(*align));
        let mut insert = |name: &str, word: Word, size: u64, align: u64| {
            self.known.insert(
                name.to_owned(),
                Type { word, size, align: align.max(1), unexplained: Vec::new() },
            );
        };
        insert("char", Word::Text, 1, align(0, 1));
        insert(
            "*",
            pointer(header.pointer.into()),
            header.pointer.into(),
            align(1, header.pointer.into()),
        );
        for (names, at) in [(&["short"][..], 0), (&["int", "integer"][..], 1), (&["long"][..], 2)] {
            let integer = header.integers[at];
            for name in names {
                let size = integer.size.into();
                insert(name, whole(size, Some(integer.order), true), size, align(at + 2, size));
            }
        }
        for (name, at) in [("float", 0), ("double", 1)] {
            let float = &header.floats[at];
            let size = float.places.len() as u64;
            insert(name, real(float), size, align(at + 5, size));
        }
        if let Some((Integer { size, order }, align)) = tail.long_long {
            insert("long_long", whole(size.into(), Some(order), true), size.into(), align.into());
        }
    }

    /// Makes a type of a struct of the chart, and of those that it has.
    fn structure(
        &mut self,
        called: &str,
        chart: &HashMap<&str, &Line>,
        depth: usize,
        found: &mut dyn FnMut(Finding),
    ) {
        if self.known.contains_key(called) {
            return;
        }
        let Some(line) = chart.get(called) else { return };
        let size = size(line);
        let none = |why| Type { word: Word::None(why), size, align: 1, unexplained: Vec::new() };
        // Replaces one that contains itself, and numbers of unknown form.
        self.known.insert(called.to_owned(), none("nothing says how it is stored"));
        if line.words.len() < 3 {
            return;
        }
        let made = if depth > DEEPEST {
            Err("structs are in each other deeper than is read".to_owned())
        } else {
            self.made(line, size, chart, depth, found)
        };
        match made {
            Ok(made) => drop(self.known.insert(called.to_owned(), made)),
            Err(why) => {
                let error =
                    malformed(line.at, format!("the struct `{called}` of the chart: {why}"));
                found(Finding::of_error(Severity::Error, "struct", &error));
                self.known.insert(called.to_owned(), none("its struct cannot be said"));
            }
        }
    }

    fn made(
        &mut self,
        line: &Line,
        size: u64,
        chart: &HashMap<&str, &Line>,
        depth: usize,
        found: &mut dyn FnMut(Finding),
    ) -> Result<Type, String> {
        if line.words[0].is_empty() {
            return Err("it has no name".to_owned());
        }
        let (mut end, mut align, mut names) = (0, self.least, HashSet::new());
        let (mut text, mut parts, mut unexplained) = (String::new(), Vec::new(), Vec::new());
        for word in &line.words[2..] {
            let member = member(word).ok_or_else(|| format!("`{word}` is no member"))?;
            if !names.insert(member.name) {
                return Err(format!("two members are called `{}`", member.name));
            }
            let of = if member.is_pointer { "*" } else { member.of };
            self.structure(of, chart, depth + 1, found);
            let of = self
                .get(of)
                .ok_or_else(|| format!("`{}` is no type of the file", member.of))?
                .clone();
            let mut dims = member.dims;
            if self.is_fastest_first {
                dims.reverse();
            }
            let too_large = || format!("`{word}` is larger than any file");
            let bytes = headers::bytes(&dims, of.size).ok_or_else(too_large)?;
            if !ALIGNMENTS.contains(&of.align) || !of.align.is_power_of_two() {
                return Err(format!("`{word}` has the alignment {}", of.align));
            }
            let at = align_up(end, of.align).ok_or_else(too_large)?;
            (end, align) = (add(at, bytes).ok_or_else(too_large)?, align.max(of.align));
            if of.doubt().is_some() {
                unexplained.push(format!("`{}`", member.name));
            }
            let item = of.item(&mut dims);
            parts.push((member.name, item.clone()));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {} = {item} @{at}", name(member.name));
        }
        if !ALIGNMENTS.contains(&align)
            || !align.is_power_of_two()
            || align_up(end, align) != Some(size)
        {
            return Err(format!(
                "its members come to {end} bytes, at an alignment of {align}, and not to {size}"
            ));
        }
        let called = &line.words[0];
        if let Some(complex) = complex(called, &parts) {
            return Ok(Type { word: Word::Of(complex), size, align, unexplained: Vec::new() });
        }
        let mut type_name = called.clone();
        while Primitive::from_name(&type_name).is_some() || !self.taken.insert(type_name.clone()) {
            type_name.push('_');
        }
        let _ = writeln!(self.text, "{} {{\n{text}}} %{align}", name(&type_name));
        let word = Word::Of(name(&type_name).into_owned());
        Ok(Type { word, size, align, unexplained })
    }
}

/// Why nobody knows how a type is stored of which two sizes are said.
const UNSURE: &str = "its size is said differently in two places";

impl Type {
    fn is_unsure(&self) -> bool {
        matches!(self.word, Word::None(UNSURE))
    }

    /// What speaks against its values.
    pub(super) fn doubt(&self) -> Option<String> {
        match &self.word {
            Word::None(why) => Some(format!("{why}: these are its bytes")),
            Word::Of(word) if matches!(&**word, "p4" | "p8") => {
                Some("addresses, which are not followed".to_owned())
            }
            _ => (!self.unexplained.is_empty()).then(|| {
                let members = self.unexplained.join(", ");
                format!(
                    "of its members these are addresses, or bytes that nothing explains: {members}"
                )
            }),
        }
    }

    /// An item of the type as a layout has it, of dimensions slowest first; what no type of layouts is like, as its
    /// bytes.
    pub(super) fn item(&self, dims: &mut Vec<u64>) -> String {
        let word = match &self.word {
            Word::Of(word) => word,
            Word::Text => {
                if dims.is_empty() {
                    dims.push(1);
                }
                "S1"
            }
            Word::None(_) => {
                dims.push(self.size);
                "u1"
            }
        };
        format!("{word}{}", headers::shape(&*dims))
    }
}

/// The size of a type of the chart, which has been looked at.
fn size(line: &Line) -> u64 {
    line.words.get(1).and_then(|size| size.trim().parse().ok()).unwrap_or(0)
}

/// That something is wrong with a type.
fn wrong(line: &Line, why: &str) -> Finding {
    let error = malformed(line.at, format!("the type `{}`: {why}", line.words[0]));
    Finding::of_error(Severity::Error, "type", &error)
}

/// A type of numbers: name, size, alignment, byte order, then `ORDER` and the places of its bytes, then what it is.
fn primitive(line: &Line) -> Option<Type> {
    let mut rest = line.words.iter().map(|word| word.trim());
    let name = rest.next()?;
    let mut number = || rest.next()?.parse::<i64>().ok();
    let (size, align, order) = (number()?, number()?, number()?);
    let (size, align) = (u64::try_from(size).ok()?, u64::try_from(align).ok()?.max(1));
    let mut order = match order {
        1 => Some(ByteOrder::Big),
        2 => Some(ByteOrder::Little),
        // Of what has none.
        ..=0 => None,
        _ => return None,
    };
    let mut places = Vec::new();
    if rest.next()? == "ORDER" {
        places = rest.by_ref().take(size as usize).map_while(|word| word.parse().ok()).collect();
        if places.iter().copied().eq(1..=size) {
            order = Some(ByteOrder::Big);
        } else if places.iter().copied().eq((1..=size).rev()) {
            order = Some(ByteOrder::Little);
        } else {
            order = None;
        }
    }
    let word = match rest.next()? {
        "FLOAT" => {
            let parts: Vec<u64> =
                rest.by_ref().take(8).map_while(|word| word.parse().ok()).collect();
            real(&Float { places, parts: parts.try_into().ok()? })
        }
        kind => {
            let rest: Vec<&str> = rest.collect();
            let has = |word: &str| rest.windows(2).any(|pair| pair == [word, "1"]);
            let is_signed =
                !has("UNSGNED") && !name.starts_with("u_") && !name.starts_with("unsigned");
            match (kind, name) {
                ("NO-CONV", "char") if size == 1 => Word::Text,
                ("NO-CONV", "u_char" | "uchar" | "unsigned char") if size == 1 => {
                    Word::Of("u1".to_owned())
                }
                ("FIX", "string" | "pointer") | (_, "*") => pointer(size),
                ("FIX", _) if has("ONESCMP") => Word::None("its numbers are one's complements"),
                ("FIX", _) => whole(size, order, is_signed),
                _ => Word::None("nothing says what its bytes are"),
            }
        }
    };
    Some(Type { word, size, align, unexplained: Vec::new() })
}

/// An integer.
fn whole(size: u64, order: Option<ByteOrder>, is_signed: bool) -> Word {
    let kind = if is_signed { 'i' } else { 'u' };
    match (size, order) {
        (1, _) => Word::Of(format!("{kind}1")),
        (2 | 4 | 8, Some(order)) => Word::Of(format!("{}{kind}{size}", mark(order))),
        _ => Word::None("layouts have no such integers"),
    }
}

/// A float.
fn real(float: &Float) -> Word {
    match float.ieee() {
        Some((size, order)) => Word::Of(format!("{}f{size}", mark(order))),
        None => Word::None("its floats are not those of IEEE 754"),
    }
}

/// An address, that means something to nobody but who wrote it.
fn pointer(size: u64) -> Word {
    match size {
        4 | 8 => Word::Of(format!("p{size}")),
        _ => Word::None("layouts have no such addresses"),
    }
}

fn mark(order: ByteOrder) -> char {
    match order {
        ByteOrder::Big => '>',
        ByteOrder::Little => '<',
    }
}

/// The complex numbers that a struct is which is called so.
fn complex(name: &str, parts: &[(&str, String)]) -> Option<String> {
    let [("re" | "r" | "real", real), ("im" | "i" | "imag", imaginary)] = parts else {
        return None;
    };
    let dtype = match &**real {
        "<f4" => "<c8",
        ">f4" => ">c8",
        "<f8" => "<c16",
        ">f8" => ">c16",
        _ => return None,
    };
    (name.contains("complex") && real == imaginary).then(|| dtype.to_owned())
}

/// A member: its type, perhaps with asterisks, its name, and dimensions in brackets.
fn member(word: &str) -> Option<Member<'_>> {
    let (head, dims) = match word.find(['(', '[']) {
        Some(at) => (&word[..at], word[at + 1..].trim().trim_end_matches([')', ']'])),
        None => (word, ""),
    };
    let head = head.trim();
    let is_between = |c: char| c.is_whitespace() || c == '*';
    let (front, name) = head.split_at(head.trim_end_matches(|c| !is_between(c)).len());
    let of = front.trim_end_matches(is_between);
    let dims = dims.split(',').map(str::trim).filter(|dim| !dim.is_empty());
    let length = |dim: &str| -> Option<u64> {
        let (first, last) = dim.split_once(':').unwrap_or(("1", dim));
        let (first, last): (i64, i64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        u64::try_from(last.checked_sub(first)?.checked_add(1)?).ok().filter(|length| *length > 0)
    };
    let dims: Option<Vec<u64>> = dims.map(length).collect();
    let is_pointer = front.contains('*');
    (!name.is_empty() && !of.is_empty()).then_some(Member { name, of, is_pointer, dims: dims? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_types_names_and_dimensions() {
        let parts = |word| member(word).map(|it| (it.of, it.name, it.is_pointer, it.dims));
        assert_eq!(parts("double x"), Some(("double", "x", false, vec![])));
        assert_eq!(parts("char    *name"), Some(("char", "name", true, vec![])));
        assert_eq!(parts("char **names"), Some(("char", "names", true, vec![])));
        assert_eq!(parts("float f(2,0:2)"), Some(("float", "f", false, vec![2, 3])));
        assert_eq!(parts("long long x [4]"), Some(("long long", "x", false, vec![4])));
        // Between words there may be other spaces than those of ASCII.
        for between in ["\u{a0}", "\u{2003}*", " \u{3000} "] {
            let word = format!("int{between}größe");
            let found = member(&word).map(|it| (it.of, it.name));
            assert_eq!(found, Some(("int", "größe")), "{word}");
        }
        for wrong in ["x", "", "\u{a0}x", "float f(0)", "float f(a)", "float (2)", "* x"] {
            assert!(parts(wrong).is_none(), "{wrong}");
        }
    }
}
