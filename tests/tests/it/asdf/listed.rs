//! Many blocks with an index: where it is right they are the same as walked to, where it is wrong too.

use asdf_bridge::asdf::{AsdfFile, IndexState, Open};

const COUNT: usize = 3000;

/// A file of many blocks, and where they are. The data of one look like a block.
fn many() -> (Vec<u8>, Vec<u64>) {
    let block = |data: &[u8]| {
        let size = (data.len() as u64).to_be_bytes();
        let head = [&b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0"[..], &size, &size, &size, &[0; 16]];
        [&head.concat(), data].concat()
    };
    let mut bytes = b"#ASDF 1.0.0\n%YAML 1.1\n--- {a: 1}\n...\n".to_vec();
    let mut addresses = Vec::new();
    for at in 0..COUNT {
        addresses.push(bytes.len() as u64);
        bytes.extend(if at == 2000 { block(&block(b"not mine")) } else { block(b"mine") });
    }
    (bytes, addresses)
}

fn index(addresses: &[u64]) -> String {
    let list: String = addresses.iter().map(|address| format!("- {address}\n")).collect();
    format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n{list}...\n")
}

fn open(bytes: &[u8], index: &str) -> AsdfFile {
    Open::new().bytes([bytes, index.as_bytes()].concat()).expect("it opens")
}

#[test]
fn blocks_are_those_of_the_chain_whatever_is_listed() {
    let (bytes, addresses) = many();
    let end = bytes.len() as u64;
    let file = open(&bytes, &index(&addresses));
    assert_eq!(file.index().ok(), Some(IndexState::Good { address: end }));
    let changed = |change: &dyn Fn(&mut Vec<u64>)| {
        let mut list = addresses.clone();
        change(&mut list);
        index(&list)
    };
    let inside = addresses[2000] + 54;
    let wrong = [
        changed(&|list| list.retain(|address| *address != addresses[1500])),
        changed(&|list| list.truncate(COUNT - 1)),
        changed(&|list| list.push(end)),
        changed(&|list| list.swap(100, 2500)),
        changed(&|list| list[2000] = inside),
        changed(&|list| list.insert(2001, inside)),
        changed(&|list| list[2999] = u64::MAX),
        changed(&|list| list[0] = 0),
        index(&addresses).replace("- 9", "- 09"),
    ];
    for wrong in &wrong {
        let file = open(&bytes, wrong);
        // Those at the end are requested first, so that many are taken at once.
        for at in [COUNT - 1, 0, 1499, 1500, 1999, 2000, 2001, 2500] {
            let block = file.block(at as i64).expect("a block");
            assert_eq!((block.index, block.address), (at, addresses[at]));
        }
        assert!(matches!(file.index(), Ok(IndexState::Bad { .. })), "{:?}", file.index());
        assert!(file.block(COUNT as i64).is_err());
    }
}

#[test]
fn a_damaged_block_is_told_although_it_is_listed() {
    let (mut bytes, addresses) = many();
    let at = addresses[1700] as usize;
    // More used than is set aside.
    bytes[at + 21] = 3;
    let file = open(&bytes, &index(&addresses));
    assert_eq!(file.block(2999).expect("a block").address, addresses[2999]);
    assert!(file.block(1700).is_err());
    assert_eq!(file.verify().expect("walked").findings.len(), 1);
}
