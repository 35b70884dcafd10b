//! Any bytes are an ASDF or FINF file or none, and everything in it is read or an error.

use std::fs;
use std::path::Path;

use asdf_bridge::asdf::{Array, Builder, Item, Lost, Open, Salvage, Yaml};
use dudley::Work;

/// Bytes of text and of a decompressed block: more show nothing else, and take their time.
const LIMIT: u64 = 1 << 16;

/// Does all there is to do with a file.
pub(super) fn asdf(data: &[u8]) {
    // Other threads would take longer to begin than there is to do.
    let open = Open::new().decoded_limit(LIMIT).text_limit(LIMIT).work(Work::new().threads(1));
    let Ok(file) = open.bytes(data) else { return };
    let report = file.verify().expect("memory can be read");
    for finding in &report.findings {
        assert!(finding.address <= data.len() as u64, "{finding}");
        assert!(!finding.reason.is_empty());
    }
    for (at, block) in file.blocks().expect("memory can be read").into_iter().enumerate() {
        if block.is_ok() {
            let _ = file.block_data(at as i64);
        }
    }
    let Ok(tree) = file.tree() else { return };
    assert!(tree.text().len() <= data.len());
    let mut left = 256;
    let _ = file.walk(&mut |item| {
        let span = item.node().span();
        assert!(span.start <= span.end && span.end <= data.len() as u64, "{}", item.path());
        if let Ok(array) = item.array() {
            let _ = (array.masked(), array.place(), array.slice("::-1"));
        }
        left -= 1;
        Ok(left > 0)
    });
    if let Ok(root) = file.root() {
        let _ = root.value();
        salvage(&root);
    }
    if let Ok(description) = file.describe() {
        let layout = dudley_parser::check(description.text.as_bytes());
        let errors = layout.of(dudley_parser::Severity::Error).count();
        assert_eq!(errors, 0, "{}", description.text);
    }
}

/// What can be read of a file is a file that can be read.
fn salvage(root: &Item) {
    struct Rows;
    impl Salvage for Rows {
        fn kept(&mut self, array: &Array) {
            assert!(array.path().starts_with('/'));
        }
        fn lost(&mut self, lost: Lost<'_>) -> Yaml<'static> {
            assert!(!lost.why.to_string().is_empty());
            let mut yaml = Yaml::mapping([("lost", lost.path)]);
            let parts = [lost.first_rows.map(Yaml::from), lost.node, lost.bytes.map(Yaml::from)];
            for (key, part) in ["rows", "node", "bytes"].into_iter().zip(parts) {
                yaml.set(key, part.unwrap_or(Yaml::null()));
            }
            yaml
        }
    }
    let builder = Builder::from_tree(root.salvage(&mut Rows)).work(Work::new().threads(1));
    let count = root.file().blocks().expect("memory can be read").len();
    let builder = builder.blocks_left_of(root.file()).expect("memory can be read");
    let _ = builder.kept();
    // There are trees that cannot be written: too deep, or with what the standard does not have.
    let Ok(bytes) = builder.to_bytes() else { return };
    let file = Open::new().bytes(bytes).expect("a file");
    let blocks = file.blocks().expect("memory can be read");
    assert!(file.tree().is_ok() && blocks.len() >= count && blocks.iter().all(Result::is_ok));
}

/// A header of a block, and its data.
fn block(label: &[u8; 4], flags: u8, sizes: [u64; 3], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\xd3BLK\0\x30\0\0\0".to_vec();
    bytes.push(flags);
    bytes.extend(label);
    for size in sizes {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(data);
    bytes
}

/// A file with some of everything.
pub fn sample() -> Vec<u8> {
    let tree = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- \
                !core/asdf-1.1.0\n\
                a: !core/ndarray-1.1.0 {source: 0, datatype: uint8, byteorder: big, shape: [2, 3]}\n\
                b: !core/ndarray-1.1.0 {source: -1, datatype: uint8, byteorder: big, shape: ['*', 2], \
                offset: 1}\n\
                c: !core/ndarray-1.1.0 {data: [[1, null], [2.5, 3]], datatype: float32, byteorder: \
                little, shape: [2, 2], mask: 3}\n\
                d: {$ref: '#/a'}\ne: &e [1, yes, 0x10, 1:30]\nf: *e\n\
                g: !core/ndarray-1.1.0 {source: 1, datatype: [{name: x, datatype: int16, byteorder: \
                little}, [ascii, 2]], byteorder: big, shape: [2]}\n...\n";
    let stored = b"\0\0\0\x08\x03\0\0\0\x30abc";
    let blocks = [
        block(&[0; 4], 0, [6; 3], b"abcdef"),
        block(&[0; 4], 0, [8; 3], b"\x01\0xy\x02\0zw"),
        block(b"lz4\0", 0, [12, 12, 3], stored),
        block(&[0; 4], 1, [0; 3], b"streamed"),
    ];
    [tree.as_bytes(), &blocks.concat()].concat()
}

/// Files to start from: the sample, and those that `DUDLEY_CORPUS` names.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = vec![("sample-asdf".to_owned(), sample())];
    if let Some(corpus) = std::env::var_os("DUDLEY_CORPUS") {
        for folder in ["asdf", "finf"] {
            walk(&Path::new(&corpus).join(folder), &mut seeds);
        }
    }
    seeds
}

fn walk(folder: &Path, seeds: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let wanted = path.extension().is_some_and(|end| end == "asdf" || end == "finf");
        if path.is_dir() {
            walk(&path, seeds);
        } else if let Some(bytes) = fs::read(&path).ok().filter(|_| wanted) {
            // Large ones are slow and show no more.
            if bytes.len() < 1 << 11 {
                seeds.push((format!("{}-asdf", seeds.len()), bytes));
            }
        }
    }
}
