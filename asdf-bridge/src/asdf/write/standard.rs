//! Which format a file is written in: versions of the standard, their tags, FINF.

use super::super::form::Form;

/// A version of the ASDF standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Standard {
    /// 1.0.0.
    V1_0,
    /// 1.1.0.
    V1_1,
    /// 1.2.0.
    V1_2,
    /// 1.3.0.
    V1_3,
    /// 1.4.0.
    V1_4,
    /// 1.5.0.
    V1_5,
    /// 1.6.0.
    #[default]
    V1_6,
}

impl Standard {
    /// All of them, oldest first.
    pub const ALL: [Standard; 7] = [
        Standard::V1_0,
        Standard::V1_1,
        Standard::V1_2,
        Standard::V1_3,
        Standard::V1_4,
        Standard::V1_5,
        Standard::V1_6,
    ];

    /// The version as files have it.
    ///
    /// ```
    /// use asdf_bridge::asdf::Standard;
    ///
    /// assert_eq!(Standard::default().name(), "1.6.0");
    /// assert_eq!(Standard::from_name("1.2.0"), Some(Standard::V1_2));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Standard::V1_0 => "1.0.0",
            Standard::V1_1 => "1.1.0",
            Standard::V1_2 => "1.2.0",
            Standard::V1_3 => "1.3.0",
            Standard::V1_4 => "1.4.0",
            Standard::V1_5 => "1.5.0",
            Standard::V1_6 => "1.6.0",
        }
    }

    /// The version of a name.
    pub fn from_name(name: &str) -> Option<Standard> {
        Standard::ALL.into_iter().find(|version| version.name() == name)
    }
}

/// What a file is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Asdf(Standard),
    /// As pyfinf wrote it; `literal` as the text has it that describes the format.
    Finf {
        literal: bool,
    },
}

impl Target {
    /// What the handle `!` stands for.
    pub(crate) const fn prefix(self) -> &'static str {
        match self {
            Target::Asdf(_) => "tag:stsci.edu:asdf/",
            Target::Finf { .. } => "tag:stsci.edu:finf/0.1.0/",
        }
    }

    /// The lines in front of the tree's comments.
    pub(crate) fn head(self) -> String {
        match self {
            Target::Asdf(standard) => {
                format!("#ASDF 1.0.0\n#ASDF_STANDARD {}\n", standard.name())
            }
            Target::Finf { .. } => "%FINF 0.1.0\n".to_owned(),
        }
    }

    /// The directives in front of the tree.
    pub(crate) fn directives(self) -> String {
        format!("%YAML 1.1\n%TAG ! {}\n---", self.prefix())
    }

    /// The tag of the tree.
    pub(crate) const fn root(self) -> &'static str {
        match self {
            Target::Asdf(Standard::V1_0 | Standard::V1_1) => "!core/asdf-1.0.0",
            Target::Asdf(_) => "!core/asdf-1.1.0",
            Target::Finf { literal: false } => "!finf",
            Target::Finf { literal: true } => "!core/finf",
        }
    }

    /// The tag of a node, given by its name in the newest version (`core/ndarray-1.1.0`), as this version has
    /// it. Names that the version does not have stay as they are.
    pub(crate) fn tag(self, name: &str) -> String {
        let standard = match self {
            Target::Asdf(standard) => standard,
            Target::Finf { literal } => return finf_tag(name, literal),
        };
        let name = match name {
            "core/ndarray-1.1.0" if standard < Standard::V1_6 => "core/ndarray-1.0.0",
            "core/integer-1.1.0" if standard < Standard::V1_6 => "core/integer-1.0.0",
            "unit/quantity-1.2.0" if standard < Standard::V1_6 => "unit/quantity-1.1.0",
            name => match UNVERSIONED.iter().find(|(bare, _)| *bare == name) {
                Some((_, versioned)) => return self.tag(versioned),
                None => name,
            },
        };
        format!("!{name}")
    }

    /// The key under which an array has its type.
    pub(crate) const fn datatype(self) -> &'static str {
        match self {
            Target::Asdf(_) => "datatype",
            Target::Finf { .. } => "dtype",
        }
    }

    /// The key under which an array of another format has its type, and that which it has in this one, if it `has` the
    /// one and not the other.
    pub(crate) fn renamed(
        self,
        has: impl Fn(&str) -> bool,
    ) -> Option<(&'static str, &'static str)> {
        let new = self.datatype();
        let old = if new == "dtype" { "datatype" } else { "dtype" };
        (has(old) && !has(new)).then_some((old, new))
    }

    /// The headers of its blocks.
    pub(crate) const fn form(self) -> Form {
        match self {
            Target::Asdf(_) => Form::Asdf48,
            Target::Finf { .. } => Form::Finf40,
        }
    }
}

/// Names as FINF and early ASDF have them, and their newest versions.
const UNVERSIONED: [(&str, &str); 14] = [
    ("complex", "core/complex-1.0.0"),
    ("core/complex", "core/complex-1.0.0"),
    ("ndarray", "core/ndarray-1.1.0"),
    ("core/ndarray", "core/ndarray-1.1.0"),
    ("core/constant", "core/constant-1.0.0"),
    ("core/column", "core/column-1.0.0"),
    ("core/table", "core/table-1.0.0"),
    ("core/integer", "core/integer-1.1.0"),
    ("core/software", "core/software-1.0.0"),
    ("core/history_entry", "core/history_entry-1.0.0"),
    ("core/extension_metadata", "core/extension_metadata-1.0.0"),
    ("unit/unit", "unit/unit-1.0.0"),
    ("unit/defunit", "unit/defunit-1.0.0"),
    ("unit/quantity", "unit/quantity-1.2.0"),
];

/// Whether a tag is that of arrays, as trees have it that are to be written.
pub(crate) fn is_array(tag: &str) -> bool {
    let name = tag.strip_prefix('!').unwrap_or_default();
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    name.strip_prefix("core/").unwrap_or(name) == "ndarray"
}

/// The tag of a node in FINF, which knows arrays and complex numbers, without versions. All else keeps its version,
/// so that it is the same tag again in ASDF.
fn finf_tag(name: &str, literal: bool) -> String {
    let bare = name.rsplit_once('-').map_or(name, |(bare, _)| bare);
    match bare.strip_prefix("core/").unwrap_or(bare) {
        known @ ("ndarray" | "complex") if literal => format!("!core/{known}"),
        known @ ("ndarray" | "complex") => format!("!{known}"),
        _ => format!("!{name}"),
    }
}
