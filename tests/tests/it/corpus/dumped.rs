//! Whole streams through the command line: `dudc dump` prints what is known, and `dudc pack` makes
//! the same stream of what `dudc dump --exact` prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dudley_tests::{command, known};
use serde_json::Value as Json;

/// The parts of `expected.json` that a dump has, too.
const COMPARED: [&str; 8] =
    ["kind", "order", "params", "items", "containers", "types", "layout_doc", "data_end"];

#[test]
fn dumps_are_as_known() {
    for_each_case(|case| {
        let dump = case.dump(case.stream(), &["--format", "json", "--all"])?;
        for key in COMPARED {
            holds(&dump[key], &case.expected[key]).map_err(|why| format!("{key}{why}"))?;
        }
        // Where the layout is appended, nobody needs to give it.
        if case.expected["layout_address"] != 0 {
            let mut dudc = case.dudc("dump");
            let again = dump_of(dudc.arg(case.stream()).args(["--format", "json", "--all"]))?;
            if again != dump {
                return Err("the appended layout gives another dump".to_owned());
            }
        }
        Ok(())
    });
}

#[test]
fn packed_dumps_are_the_streams_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for_each_case(|case| {
        let (data, packed) = (folder.path().join("data.json"), folder.path().join("packed"));
        let dump = case.dump(case.stream(), &["--exact", "--all"])?;
        fs::write(&data, dump.to_string()).expect("a file");
        case.pack(&data, &packed)?;
        let again = case.dump(packed.clone(), &["--exact", "--all"])?;
        // What a compressor makes of the same data depends on its version.
        if rows(&case.expected).any(|row| row.get("filter").is_some()) {
            let values =
                |dump: &Json| -> Vec<Json> { rows(dump).map(|row| row["value"].clone()).collect() };
            return if values(&again) == values(&dump) {
                Ok(())
            } else {
                Err("values of the packed stream differ".to_owned())
            };
        }
        if let Some(key) = COMPARED.iter().find(|key| again[**key] != dump[**key]) {
            return Err(format!("{key} of the packed stream differ"));
        }
        case.same_bytes(&packed)
    });
}

/// Bit patterns that only `--exact` keeps are not in plain dumps, so both are tried; what a plain
/// dump says is the same again, whatever it left out.
#[test]
fn packed_nested_dumps_are_the_streams_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for_each_case(|case| {
        let (data, packed) = (folder.path().join("data.json"), folder.path().join("packed"));
        for exact in [&["--nested"][..], &["--nested", "--exact"]] {
            let dump = case.dump(case.stream(), exact)?;
            fs::write(&data, dump.to_string()).expect("a file");
            case.pack(&data, &packed)?;
            if case.dump(packed.clone(), exact)? != dump {
                return Err(format!("{exact:?} of the packed stream differs"));
            }
        }
        if rows(&case.expected).any(|row| row.get("filter").is_some()) {
            Ok(())
        } else {
            case.same_bytes(&packed)
        }
    });
}

fn rows(dump: &Json) -> impl Iterator<Item = &Json> {
    dump["items"].as_array().into_iter().flatten()
}

fn name(order: dudley::ByteOrder) -> &'static str {
    match order {
        dudley::ByteOrder::Little => "little",
        dudley::ByteOrder::Big => "big",
    }
}

/// A stream with its layout.
struct Case {
    folder: PathBuf,
    expected: Json,
}

/// Looks at all cases; where there is no `dudc`, at none.
fn for_each_case(judge: impl Fn(&Case) -> Result<(), String>) {
    let mut found = Vec::new();
    if command::dudc().is_none() {
        return;
    }
    for folder in known::folders() {
        for folder in known::streams(&folder) {
            let expected = known::json(&folder.join("expected.json"));
            let case = Case { folder, expected };
            if let Err(why) = judge(&case) {
                found.push(format!("{}: {why}", case.folder.display()));
            }
        }
    }
    super::report(&found);
}

impl Case {
    fn stream(&self) -> PathBuf {
        self.folder.join(self.expected["stream"].as_str().unwrap_or_default())
    }

    fn layout(&self) -> PathBuf {
        self.folder.join("layout.dud")
    }

    /// A command line with the params that the caller gives.
    fn dudc(&self, verb: &str) -> Command {
        let mut dudc = command::dudc().expect("a `dudc`");
        dudc.arg(verb);
        for (name, value) in self.expected["supplied"].as_object().into_iter().flatten() {
            dudc.arg("--param").arg(format!("{name}={value}"));
        }
        dudc
    }

    fn dump(&self, stream: PathBuf, arguments: &[&str]) -> Result<Json, String> {
        let mut dudc = self.dudc("dump");
        dudc.arg(stream).arg("--layout").arg(self.layout()).args(arguments);
        if let Some(order) = known::order(&self.expected["caller_order"]) {
            dudc.args(["--order", name(order)]);
        }
        if self.expected["kind"] == "raw" {
            dudc.arg("--raw");
        }
        dump_of(&mut dudc)
    }

    fn pack(&self, data: &Path, packed: &Path) -> Result<(), String> {
        let mut dudc = self.dudc("pack");
        dudc.arg(self.layout()).arg("-o").arg(packed).arg("--data").arg(data).arg("--force");
        // Of a native stream the order is that of the signature.
        let signature = known::order(&self.expected["signature_order"]);
        let caller = known::order(&self.expected["caller_order"]);
        if let Some(order) = signature.or(caller) {
            dudc.args(["--order", name(order)]);
        }
        if self.expected["kind"] == "raw" {
            dudc.arg("--raw");
        }
        ran(&mut dudc).map(drop)
    }

    /// Up to the end of the data, the bytes are the same, unless there is noise in its gaps.
    fn same_bytes(&self, packed: &Path) -> Result<(), String> {
        let (old, new) = (fs::read(self.stream()), fs::read(packed));
        let (old, new) = (old.map_err(|it| it.to_string())?, new.map_err(|it| it.to_string())?);
        let end = self.expected["data_end"].as_u64().unwrap_or(0) as usize;
        if new.len() != end {
            return Err(format!("the packed stream has {} bytes, not {end}", new.len()));
        }
        // The signature holds the address of a layout, which the packed stream lacks.
        let start = if self.expected["kind"] == "native" { 16 } else { 0 };
        let noisy = self.expected["noise_in_gaps"] == true;
        let differ = (start..end).find(|at| old.get(*at) != new.get(*at));
        match differ {
            Some(at) if !noisy => Err(format!("the packed stream differs at {at}")),
            _ => Ok(()),
        }
    }
}

/// What a command prints, if it succeeds.
fn ran(dudc: &mut Command) -> Result<Vec<u8>, String> {
    let output = dudc.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{dudc:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

/// The same, as JSON.
fn dump_of(dudc: &mut Command) -> Result<Json, String> {
    serde_json::from_slice(&ran(dudc)?).map_err(|error| format!("{dudc:?} prints no JSON: {error}"))
}

/// Whether all that is expected is found; there may be more keys. Says where it is not.
fn holds(found: &Json, expected: &Json) -> Result<(), String> {
    let differ = || Err(format!(": found {found}, expected {expected}"));
    match (found, expected) {
        (Json::Object(found), Json::Object(expected)) => {
            let empty = expected.get("bytes").is_some_and(|bytes| bytes == 0);
            for (key, value) in expected {
                // What takes no space is nowhere.
                if !(empty && key == "address") {
                    let found = found.get(key).unwrap_or(&Json::Null);
                    holds(found, value).map_err(|why| format!(".{key}{why}"))?;
                }
            }
            Ok(())
        }
        (Json::Array(found), Json::Array(expected)) if found.len() == expected.len() => {
            for (at, (found, value)) in found.iter().zip(expected).enumerate() {
                holds(found, value).map_err(|why| format!("[{at}]{why}"))?;
            }
            Ok(())
        }
        _ if known::same(found, expected) => Ok(()),
        _ => differ(),
    }
}
