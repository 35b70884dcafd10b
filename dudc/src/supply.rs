//! Values for `pack`: from the JSON of `dump`, from a folder of `.npy` files, from an `.npz`.

pub(crate) mod json;
pub(crate) mod nested;
mod rows;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use dudley::writer::{Declared, Seen};
use dudley::{ByteOrder, Error, Input, Result, Supplied, Supply};
use dudley_parser::layout::Param;
use dudley_parser::layout::path::push_name;
use serde_json::Value as Json;

use crate::npy;

/// Values by path.
#[derive(Default)]
pub(crate) struct Values {
    params: BTreeMap<String, i128>,
    /// Params that are nothing else.
    named: BTreeSet<String>,
    items: BTreeMap<String, Input<'static>>,
    stated: rows::Stated,
    nested: Option<Json>,
    order: Option<ByteOrder>,
    raw: bool,
}

impl Supply for Values {
    fn param(&self, path: &str) -> Option<i128> {
        let nested = || rows::integer(path, nested::param(self.nested.as_ref()?, path)?).ok();
        self.params.get(path).copied().or_else(nested)
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        match &self.nested {
            None => self.items.get(path).map(Supplied::from),
            Some(root) => {
                nested::item(root, path).map(|it| Supplied::Value(Cow::Owned(json::value_of(it))))
            }
        }
    }

    fn check_param(&self, path: &str, declared: &Param) -> Result<()> {
        if let Some(value) = self.nested.as_ref().and_then(|root| nested::named(root, path)) {
            rows::integer(path, value)?;
        }
        self.stated.check_param(path, declared)
    }

    fn check_item(&self, path: &str, declared: &Declared<'_>) -> Result<()> {
        self.stated.check_item(path, declared)
    }

    fn unused(&self, seen: &Seen) -> Vec<String> {
        // An array of one integer may be a param or an item.
        let as_param = |path: &String| self.params.contains_key(path) && seen.params.contains(path);
        let items = self.items.keys().filter(|path| !seen.items.contains(*path) && !as_param(path));
        let params = self.named.iter().filter(|path| !seen.params.contains(*path));
        let nested = self.nested.iter().flat_map(|root| nested::unused(root, seen));
        items.chain(params).cloned().chain(nested).collect()
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
        if bytes.starts_with(b"\x93NUMPY") {
            let why = "one array without a path: put it in a folder or an .npz archive";
            return Err(bad(&path.display().to_string(), why));
        }
        let json = json::parse(&bytes)
            .map_err(|error| bad(&path.display().to_string(), error.to_string()))?;
        Values::from_json(json)
    }

    /// Gives a param, over what the data says.
    pub(crate) fn set_param(&mut self, path: String, value: i128) {
        self.stated.forget_param(&path);
        self.params.insert(path, value);
    }

    /// The byte order of the stream that the data was dumped from.
    pub(crate) fn order(&self) -> Option<ByteOrder> {
        self.order
    }

    /// Whether the stream that the data was dumped from had no signature.
    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// The rows of `dump`, or its nested form.
    ///
    /// # Errors
    /// If the JSON is neither.
    fn from_json(json: Json) -> Result<Values> {
        match rows::are_rows(&json) {
            true => Values::from_rows(&json),
            false if json.is_object() => Ok(Values { nested: Some(json), ..Values::default() }),
            false => Err(bad("/", "JSON that is no object")),
        }
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
            self.named.insert(path.clone());
            return match self.params.insert(path.clone(), value) {
                None => Ok(()),
                Some(_) => Err(rows::twice(&path)),
            };
        }
        if let (Some(value), false) = (npy.integer(), self.named.contains(&path)) {
            self.params.insert(path.clone(), value);
        }
        let input = match npy.kind {
            'U' | 'S' => Input::Value(npy.texts()),
            _ => Input::Typed(Box::new(npy)),
        };
        match self.items.insert(path.clone(), input) {
            None => Ok(()),
            Some(_) => Err(rows::twice(&path)),
        }
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
