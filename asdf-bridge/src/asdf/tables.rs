//! The blocks of a file as a table, and what is wrong with it as a value.

use dudley::Value;
use dudley::model::{Depth, Fact, Row, Table};

use super::blocks::{Block, IndexState};
use super::error::Result;
use super::file::AsdfFile;

/// The columns for people, each with whether it has numbers.
const COLUMNS: &[(&str, bool)] = &[
    ("block", true),
    ("address", true),
    ("header", true),
    ("flags", false),
    ("codec", false),
    ("data", true),
    ("stored", true),
    ("decoded", true),
    ("ratio", true),
    ("allocated", true),
    ("aligned", true),
    ("digest", false),
];

/// The blocks; with what their digests say where all is read.
pub(super) fn blocks(file: &AsdfFile, depth: Depth) -> Result<Table> {
    let blocks = file.blocks()?;
    let file = file.clone();
    let (index, shown) = match file.index()? {
        IndexState::Absent => (Value::Null, "no block index".to_owned()),
        IndexState::Good { address } => (
            of([("address", address.into()), ("good", true.into())]),
            format!("block index at {address}: good"),
        ),
        IndexState::Bad { address, reason } => {
            let fields =
                [("address", address.into()), ("good", false.into()), ("reason", reason.into())];
            (of(fields), format!("block index at {address}: bad"))
        }
    };
    let index = Fact { name: "index", value: index, shown: (!blocks.is_empty()).then_some(shown) };
    let digests = depth == Depth::Checksums;
    let len = blocks.len() as u64;
    let row = move |index: u64| match &blocks[index as usize] {
        Ok(block) => of_block(&file, block, digests),
        Err(error) => Row {
            facts: vec![Fact::new("block", index), Fact::new("error", error.to_string())],
            cells: vec![index.to_string(), "?".to_owned()],
            result: Err(dudley::Error::Listed {
                path: format!("block {index}").into(),
                why: error.to_string().into(),
            }),
        },
    };
    Ok(Table { name: "blocks", columns: COLUMNS, len, row: Box::new(row), facts: vec![index] })
}

pub(super) fn of<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Struct(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn of_block(file: &AsdfFile, block: &Block, digests: bool) -> Row {
    let hex: String = block.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let has_digest = block.digest != [0; 16];
    let codec = block.compression();
    let mut facts = vec![
        Fact::new("block", block.index),
        Fact::new("address", block.address),
        Fact::new("header", u64::from(block.header_size)),
        Fact::new("flags", u64::from(block.flags)),
        Fact::new("compression", codec.clone()),
        Fact::new("data", block.data.start),
        Fact::new("stored", block.used()),
        Fact::new("decoded", block.decoded),
        Fact::new("allocated", block.allocated),
        Fact::new("streamed", block.is_streamed()),
        Fact::new("digest", has_digest.then_some(hex)),
    ];
    let digest = digests.then(|| file.digest(block)).transpose().map_err(dudley::Error::from);
    let (state, result) = match digest {
        Err(error) if error.is_unread() => (Some(None), Err(error)),
        // None for data that are cut off.
        Err(_) => (Some(None), Ok(())),
        Ok(state) => (state.map(|state| Some(state.as_str())), Ok(())),
    };
    facts.extend(state.map(|state| Fact::new("digest_state", state)));
    let ratio = match codec {
        Some(_) if block.used() > 0 => {
            format!("{:.2}", block.decoded as f64 / block.used() as f64)
        }
        _ => String::new(),
    };
    // The greatest power of two that divides the address, which views of elements want.
    let aligned = 1_u64 << block.data.start.trailing_zeros().min(12);
    let digest = match state {
        Some(state) => state.unwrap_or("?"),
        None if has_digest => "MD5",
        None => "",
    };
    let cells = vec![
        block.index.to_string(),
        block.address.to_string(),
        block.header_size.to_string(),
        if block.is_streamed() { "streamed" } else { "" }.to_owned(),
        codec.unwrap_or_default(),
        block.data.start.to_string(),
        block.used().to_string(),
        block.decoded.to_string(),
        ratio,
        block.allocated.to_string(),
        aligned.to_string(),
        digest.to_owned(),
    ];
    Row { facts, cells, result }
}

/// What is wrong with a file, or odd, that is found without reading data.
pub(super) fn findings(file: &AsdfFile) -> Result<Vec<Value>> {
    let found = file.check()?.findings.into_iter().map(|finding| {
        of([
            ("code", finding.code.as_str().into()),
            ("address", finding.address.into()),
            ("block", finding.block.into()),
            ("reason", finding.reason.into()),
        ])
    });
    Ok(found.collect())
}
