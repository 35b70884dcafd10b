//! Annotated bytes of random streams: every byte of a file is shown once, in order, whatever the layout;
//! and every byte of a range that is requested.

use dudley::ByteOrder;
use dudley::bytes::Signature;
use dudley_tests::command::dudc;
use dudley_tests::random::layout;
use proptest::prelude::*;
use serde_json::Value;

/// What a dump of a file prints; it may find that items are cut off.
fn dump(folder: &std::path::Path, words: &[&str]) -> Option<String> {
    let mut command = dudc()?;
    command.current_dir(folder).args(["dump", "x", "--hex"]).args(words);
    let output = command.output().expect("dudc runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{words:?}: {said}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The bytes of lines, by their addresses.
fn of_lines(text: &str) -> Vec<(usize, Vec<u8>)> {
    let rows = text.lines().filter_map(|line| {
        let address = usize::from_str_radix(line.get(..8)?, 16).ok()?;
        let digits: String = line.chars().skip(10).take(49).collect();
        let bytes = digits.split_whitespace().filter_map(|byte| u8::from_str_radix(byte, 16).ok());
        Some((address, bytes.collect()))
    });
    rows.collect()
}

/// The bytes of parts.
fn of_json(text: &str) -> Vec<(usize, Vec<u8>)> {
    let all: Value = serde_json::from_str(text).expect("JSON");
    let parts = all["parts"].as_array().expect("parts").iter();
    let rows = parts.map(|part| {
        let digits = part["hex"].as_str().unwrap_or_default().as_bytes();
        let byte =
            |pair: &[u8]| std::str::from_utf8(pair).ok().map(|it| u8::from_str_radix(it, 16));
        let bytes = digits.chunks(2).map(|pair| byte(pair).expect("text").expect("digits"));
        let from = part["shown"][0].as_u64().unwrap_or(0);
        ((part["address"].as_u64().expect("an address") + from) as usize, bytes.collect())
    });
    rows.collect()
}

/// That rows are a file, one behind the other.
fn whole(rows: &[(usize, Vec<u8>)], file: &[u8]) -> Result<(), TestCaseError> {
    let mut found: Vec<u8> = Vec::new();
    for (address, bytes) in rows.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        prop_assert_eq!(*address, found.len());
        found.extend(bytes);
    }
    prop_assert_eq!(found, file);
    Ok(())
}

/// That a range is among what rows have.
fn within(
    rows: &[(usize, Vec<u8>)],
    file: &[u8],
    from: usize,
    to: usize,
) -> Result<(), TestCaseError> {
    let mut found = vec![None; file.len()];
    for (address, bytes) in rows {
        for (at, byte) in bytes.iter().enumerate() {
            found[address + at] = Some(*byte);
        }
    }
    let wanted: Vec<Option<u8>> = file[from..to].iter().copied().map(Some).collect();
    prop_assert_eq!(&found[from..to], &wanted[..]);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_byte_is_shown_once(
        text in layout(),
        data in prop::collection::vec(prop_oneof![8 => 0..4_u8, 1 => Just(0xff)], 1..700),
        ends in (0..700_usize, 1..60_usize),
        attached in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = data;
        let mut words = vec!["--layout", "x.dud", "--raw"];
        let mut stream = file.len();
        if attached {
            stream = 16 + file.len();
            let signature = Signature { order: ByteOrder::Big, layout_address: Some(stream as u64) };
            let head = signature.to_bytes();
            file = [&head[..], &file, text.as_bytes(), b"---\nand more\n"].concat();
            words = Vec::new();
        }
        std::fs::write(folder.path().join("x.dud"), &text).expect("a layout");
        std::fs::write(folder.path().join("x"), &file).expect("a stream");
        let with = |more: &[&'static str]| [&words[..], more].concat();
        let Some(lines) = dump(folder.path(), &with(&["--all"])) else { return Ok(()) };
        whole(&of_lines(&lines), &file)?;
        let json = dump(folder.path(), &with(&["--all", "--format", "json"])).expect("dudc");
        whole(&of_json(&json), &file)?;
        let from = ends.0.min(stream - 1);
        let to = (from + ends.1).min(stream);
        let range = format!("--range={from}:{to}");
        for json in [false, true] {
            let mut words = words.clone();
            words.push(&range);
            words.extend(if json { &["--format", "json"][..] } else { &[] });
            let shown = dump(folder.path(), &words).expect("dudc");
            let rows = if json { of_json(&shown) } else { of_lines(&shown) };
            within(&rows, &file, from, to)?;
        }
    }
}
