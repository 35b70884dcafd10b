//! What fuzzing starts from: the known layouts and streams.

use std::fs;

use crate::known;

/// Texts of layouts, streams with their layout in front as the target `open` takes them, ASDF files,
/// and what the targets of Blosc2 take; each with a name.
///
/// # Panics
/// When the known layouts cannot be read.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (at, folder) in known::folders().into_iter().enumerate() {
        for name in ["resolved.json", "diagnosed.json"] {
            for (row, case) in known::rows(&folder, name).iter().enumerate() {
                let text = case["text"].as_str().unwrap_or_default().as_bytes().to_vec();
                let stream = case["stream"].as_str().map(known::unhex).unwrap_or_default();
                let name = format!("{at}-{}-{row}", name.trim_end_matches(".json"));
                seeds.push((format!("{name}-stream"), joined(&text, &stream)));
                seeds.push((name, text));
            }
        }
        for case in known::streams(&folder) {
            let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let name = format!("{at}-{name}");
            let text = fs::read(case.join("layout.dud")).expect("a layout");
            for stream in ["stream.bd", "stream.bin"] {
                if let Ok(stream) = fs::read(case.join(stream)) {
                    seeds.push((format!("{name}-stream"), joined(&text, &stream)));
                }
            }
            seeds.push((name, text));
        }
    }
    seeds.extend(super::asdf::seeds());
    seeds.extend(super::blosc2::seeds());
    seeds.extend(super::fits::seeds());
    seeds.extend(super::formats::seeds());
    seeds.extend(super::hdf5::seeds());
    seeds.extend(super::netcdf3::seeds());
    seeds
}

fn joined(text: &[u8], stream: &[u8]) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes();
    [&length[..], text, stream].concat()
}
