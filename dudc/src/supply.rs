//! Values for `pack`: from the JSON of `dump`, from a folder of `.npy` files, from an `.npz`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use dudley::input::Typed;
use dudley::{ByteOrder, Error, Input, Primitive, Result, Supply, Value};
use dudley_parser::layout::path::push_name;
use serde_json::Value as Json;

use crate::npy::{self, Npy};

/// Values by path.
#[derive(Default)]
pub(crate) struct Values {
    params: BTreeMap<String, i128>,
    items: BTreeMap<String, Input<'static>>,
    nested: bool,
    order: Option<ByteOrder>,
}

impl Supply for Values {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<&Input<'_>> {
        self.items.get(path)
    }
}

impl Values {
    /// What a file or folder gives.
    ///
    /// # Errors
    /// If it cannot be read, or is none of what `pack` takes.
    pub(crate) fn read(path: &Path) -> Result<Values> {
        if path.is_dir() {
            let mut values = Values::default();
            values.add_folder(path, "")?;
            return Ok(values);
        }
        let context = || format!("cannot read `{}`", path.display());
        let bytes = match path.as_os_str() == "-" {
            true => {
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|error| Error::io(context(), error))?;
                bytes
            }
            false => std::fs::read(path).map_err(|error| Error::io(context(), error))?,
        };
        if bytes.starts_with(b"PK") {
            return Values::from_archive(&bytes);
        }
        let json: Json = serde_json::from_slice(&bytes)
            .map_err(|error| bad(&path.display().to_string(), error.to_string()))?;
        Values::from_json(&json)
    }

    /// Gives a param, over what the data says.
    pub(crate) fn set_param(&mut self, path: String, value: i128) {
        self.params.insert(path, value);
    }

    /// The byte order of the stream that the data was dumped from.
    pub(crate) fn order(&self) -> Option<ByteOrder> {
        self.order
    }

    /// Whether the data was nested, so that containers and values are entered alike.
    pub(crate) fn is_nested(&self) -> bool {
        self.nested
    }

    /// The paths of the items.
    pub(crate) fn items(&self) -> impl Iterator<Item = &String> {
        self.items.keys()
    }

    /// The rows of `dump`, or its nested form.
    ///
    /// # Errors
    /// If the JSON is neither.
    pub(crate) fn from_json(json: &Json) -> Result<Values> {
        let mut values = Values::default();
        match json.get("items") {
            Some(Json::Array(rows)) if json.get("version").is_some() => {
                values.order = match json.get("order").and_then(Json::as_str) {
                    Some(">") => Some(ByteOrder::Big),
                    Some("<") => Some(ByteOrder::Little),
                    _ => None,
                };
                for row in rows {
                    values.add_row(row)?;
                }
                let params = json.get("params").and_then(Json::as_array);
                for row in params.into_iter().flatten() {
                    values.add_param(row)?;
                }
            }
            _ => {
                values.nested = true;
                values.add_nested(json, "")?;
            }
        }
        Ok(values)
    }

    fn add_row(&mut self, row: &Json) -> Result<()> {
        let path = row.get("path").and_then(Json::as_str);
        let path = path.ok_or_else(|| bad("items", "a row has no path"))?;
        let members = row.get("members").and_then(Json::as_array);
        for member in members.into_iter().flatten() {
            if member.get("param").is_some() {
                self.add_param(member)?;
            }
        }
        if let Some(value) = row.get("value") {
            self.items.insert(path.to_owned(), Input::Value(value_of(value)));
        }
        Ok(())
    }

    fn add_param(&mut self, row: &Json) -> Result<()> {
        let path = row.get("path").and_then(Json::as_str);
        let path = path.ok_or_else(|| bad("params", "a row has no path"))?;
        match row.get("value") {
            None | Some(Json::Null) => Ok(()),
            Some(value) => self.add_named(path, value),
        }
    }

    /// The value of what is a param and nothing else.
    fn add_named(&mut self, path: &str, value: &Json) -> Result<()> {
        match value_of(value) {
            Value::Int(value) => {
                self.params.insert(path.to_owned(), value);
                Ok(())
            }
            other => Err(bad(path, format!("a param is an integer, not {}", other.kind()))),
        }
    }

    /// Dicts and lists as JSON has them. Where the layout has a struct or an array, the value of
    /// that path is taken, so each is entered both ways.
    fn add_nested(&mut self, json: &Json, path: &str) -> Result<()> {
        if let Json::Number(_) = json
            && let Value::Int(value) = value_of(json)
        {
            self.params.insert(path.to_owned(), value);
        }
        if !path.is_empty() {
            self.items.insert(path.to_owned(), Input::Value(value_of(json)));
        }
        match json {
            Json::Object(fields) => {
                for (name, value) in fields {
                    if let Some(param) = name.strip_prefix(':') {
                        self.add_named(&format!("{path}/{param}"), value)?;
                        continue;
                    }
                    let mut child = format!("{path}/");
                    match name.starts_with('"') {
                        true => child += name,
                        false => push_name(&mut child, name),
                    }
                    self.add_nested(value, &child)?;
                }
            }
            Json::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                for (at, value) in items.iter().enumerate() {
                    self.add_nested(value, &format!("{path}/{at}"))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path, path: &str) -> Result<()> {
        let context = || format!("cannot read `{}`", folder.display());
        let entries = std::fs::read_dir(folder).map_err(|error| Error::io(context(), error))?;
        for entry in entries {
            let entry = entry.map_err(|error| Error::io(context(), error))?;
            let (file, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if file.is_dir() {
                self.add_folder(&file, &join(path, &name))?;
            } else if let Some(name) = without_npy(&name) {
                let bytes = std::fs::read(&file).map_err(|error| {
                    Error::io(format!("cannot read `{}`", file.display()), error)
                })?;
                self.add_npy(path, name, &bytes)?;
            }
        }
        Ok(())
    }

    fn from_archive(bytes: &[u8]) -> Result<Values> {
        let mut values = Values::default();
        for (name, file) in crate::zip::entries(bytes).map_err(|why| bad("the archive", why))? {
            let Some(name) = without_npy(&name) else { continue };
            let (folder, name) = name.rsplit_once('/').unwrap_or(("", name));
            let path = folder.split('/').filter(|part| !part.is_empty());
            let path = path.fold(String::new(), |path, part| join(&path, part));
            values.add_npy(&path, name, &file)?;
        }
        Ok(values)
    }

    fn add_npy(&mut self, folder: &str, name: &str, bytes: &[u8]) -> Result<()> {
        let npy = npy::parse(bytes).map_err(|why| bad(name, why))?;
        let param = name.strip_prefix(':');
        let path = join(folder, param.unwrap_or(name));
        if param.is_some() {
            let value = npy.integer().ok_or_else(|| bad(name, "a param is one integer"))?;
            self.params.insert(path, value);
            return Ok(());
        }
        if let Some(value) = npy.integer() {
            self.params.insert(path.clone(), value);
        }
        let input = match npy.kind {
            'U' | 'S' => Input::Value(npy.texts()),
            _ => Input::Typed(Box::new(npy)),
        };
        self.items.insert(path, input);
        Ok(())
    }
}

/// The name of a `.npy` file without its extension, in either case.
fn without_npy(name: &str) -> Option<&str> {
    let (name, extension) = name.rsplit_once('.')?;
    extension.eq_ignore_ascii_case("npy").then_some(name)
}

fn join(path: &str, name: &str) -> String {
    let mut joined = format!("{path}/");
    match name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() {
        // An index of a list; digits in a dict are not met in practice.
        true => joined.push_str(name),
        false => push_name(&mut joined, name),
    }
    joined
}

fn bad(what: &str, why: impl Into<String>) -> Error {
    Error::WrongValue {
        item: dudley::error::Item::new(what),
        expected: "values as `dump` prints them, or .npy arrays".into(),
        found: why.into().into(),
    }
}

/// A JSON value as a value: `{"bits": …}` are bits.
fn value_of(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
            (Some(value), ..) => Value::Int(value.into()),
            (_, Some(value), _) => Value::Int(value.into()),
            (_, _, value) => Value::Float(value.unwrap_or(f64::NAN)),
        },
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::Array(items.iter().map(value_of).collect()),
        Json::Object(fields) => match fields.get("bits").and_then(Json::as_str).and_then(bits) {
            Some(bits) if fields.len() == 1 => Value::Bits(bits),
            _ => Value::Struct(
                fields.iter().map(|(name, value)| (name.clone(), value_of(value))).collect(),
            ),
        },
    }
}

fn bits(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        digits.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

impl Npy {
    /// The value of an array that is one integer.
    fn integer(&self) -> Option<i128> {
        if !matches!(self.kind, 'i' | 'u') || !self.shape.iter().all(|dim| *dim == 1) {
            return None;
        }
        let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = match self.order {
            ByteOrder::Big => self.bytes.iter().fold(0, join),
            ByteOrder::Little => self.bytes.iter().rev().fold(0, join),
        };
        let unused = 64 - 8 * self.size.clamp(1, 8) as u32;
        Some(match self.kind {
            'i' => i128::from(((bits << unused) as i64) >> unused),
            _ => i128::from(bits),
        })
    }

    /// Text as a value.
    fn texts(&self) -> Value {
        let item = if self.kind == 'U' { self.size * 4 } else { self.size };
        let mut texts = self.bytes.chunks_exact(item.max(1)).map(|units| {
            let text: String = match self.kind {
                'U' => units
                    .chunks_exact(4)
                    .map(|unit| {
                        let unit: [u8; 4] = unit.try_into().unwrap_or_default();
                        let code = match self.order {
                            ByteOrder::Big => u32::from_be_bytes(unit),
                            ByteOrder::Little => u32::from_le_bytes(unit),
                        };
                        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                    })
                    .collect(),
                _ => units.iter().map(|byte| char::from(*byte)).collect(),
            };
            Value::Text(text.trim_end_matches('\0').to_owned())
        });
        shaped(&mut texts, &self.shape)
    }
}

fn shaped(items: &mut dyn Iterator<Item = Value>, shape: &[u64]) -> Value {
    match shape.split_first() {
        None => items.next().unwrap_or(Value::Text(String::new())),
        Some((length, inner)) => Value::Array((0..*length).map(|_| shaped(items, inner)).collect()),
    }
}

/// A numpy array gives its bytes to an item of the same type; only the order may differ.
impl Typed for Npy {
    fn shape(&self) -> Vec<u64> {
        self.shape.clone()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        use dudley_parser::layout::dtype::Kind;
        let kind = match primitive.kind() {
            Kind::Signed => 'i',
            Kind::Unsigned | Kind::Pointer => 'u',
            Kind::Float => 'f',
            Kind::Complex => 'c',
            Kind::Bool => 'b',
            Kind::Text => 'U',
        };
        let fits = kind == self.kind && self.size as u64 == primitive.size();
        match fits {
            true => Ok(()),
            false => Err(Error::WrongValue {
                item: Default::default(),
                expected: format!("an array of {kind}{}", primitive.size()).into(),
                found: format!("one of {}{}", self.kind, self.size).into(),
            }),
        }
    }

    fn encode(&self, order: ByteOrder, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let unit = if self.kind == 'c' { self.size / 2 } else { self.size };
        if order == self.order || unit == 1 {
            return sink(&self.bytes);
        }
        let mut bytes = self.bytes.clone();
        dudley::swap::swap_in_place(&mut bytes, unit)?;
        sink(&bytes)
    }
}
