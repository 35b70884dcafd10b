//! The block index: where it is, what it says, and whether that is so.

use dudley::bytes::Source;

use super::super::error::{Error, Result};
use super::super::magic::INDEX;
use super::super::tree::parse as parse_tree;

/// Bytes of a line of an index, about.
const LINE: usize = 10;

/// As it began for some days of July 2015.
const OLD_HEADER: &[u8] = b"\xd3IDX # ASDF BLOCK INDEX";

/// How an index ends.
const END: [u8; 5] = *b"\n...\n";

/// No index is longer, in bytes: it would be one of five million blocks.
const LONGEST: u64 = 64 << 20;

/// How far from the end of the file an index is searched that is not where it should be, in bytes.
const REACH: u64 = 16 << 20;

/// Whether there is an index, and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// There is none.
    Absent,
    /// It lists the blocks.
    Good {
        /// Where it stands.
        address: u64,
    },
    /// It does not list the blocks that there are.
    Bad {
        /// Where it stands.
        address: u64,
        /// The fault.
        reason: String,
    },
}

/// An index as it was found.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) address: u64,
    /// The addresses that it lists; `None` if it cannot be read.
    pub(super) offsets: Vec<u64>,
    /// Why it cannot be read.
    wrong: Option<String>,
    /// Where the file ends in it, if its end mark is missing.
    pub(super) cut: Option<u64>,
}

/// The index that begins at an address, if one does.
pub(super) fn at(source: &dyn Source, address: u64) -> Result<Option<Index>> {
    let rest = source.len().saturating_sub(address);
    let mut head = vec![0; rest.min(OLD_HEADER.len() as u64) as usize];
    source.read_at(address, &mut head)?;
    if !head.starts_with(INDEX) && head != OLD_HEADER {
        return Ok(None);
    }
    let mut bytes = vec![0; rest.min(LONGEST) as usize];
    source.read_at(address, &mut bytes)?;
    Ok(Some(parse(address, &bytes)))
}

/// Whether the file ends as one with an index does.
pub(super) fn is_last(source: &dyn Source) -> Result<bool> {
    let mut tail = [0; END.len()];
    let Some(at) = source.len().checked_sub(END.len() as u64) else { return Ok(false) };
    source.read_at(at, &mut tail)?;
    Ok(tail == END)
}

/// The last index of a file, wherever it is behind `start`. That data contain one is no matter as long
/// as another follows.
pub(super) fn search(source: &dyn Source, start: u64) -> Result<Option<Index>> {
    let total = source.len();
    let mut reach = 4096;
    loop {
        let from = total.saturating_sub(reach).max(start).min(total);
        let mut tail = vec![0; (total - from) as usize];
        source.read_at(from, &mut tail)?;
        if let Some(found) = memchr::memmem::rfind(&tail, INDEX) {
            return at(source, from + found as u64);
        }
        if from == start || reach >= REACH {
            return Ok(None);
        }
        reach *= 8;
    }
}

fn parse(address: u64, bytes: &[u8]) -> Index {
    let wrong = |why: String| Index { address, offsets: Vec::new(), wrong: Some(why), cut: None };
    let padding = bytes.iter().rev().take_while(|byte| **byte == 0).count();
    let bytes = &bytes[..bytes.len() - padding];
    let cut = Some(address + bytes.len() as u64);
    let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    let Ok(text) = std::str::from_utf8(&bytes[line..]) else {
        return wrong("expected a YAML document, found no text".to_owned());
    };
    if let Some(offsets) = plain(text) {
        return Index { address, offsets, wrong: None, cut: None };
    }
    let tree = match parse_tree(text, address + line as u64, 2) {
        Ok(tree) => tree,
        Err(Error::Tree { address, line, why, .. }) => {
            return wrong(format!(
                "expected a list of addresses: its line {line} (address {address}): {why}"
            ));
        }
        Err(error) => return wrong(format!("expected a list of addresses: {error}")),
    };
    let cut = cut.filter(|_| text.lines().next_back().is_none_or(|line| line.trim_end() != "..."));
    let offsets = tree.root().items().map(|item| u64::try_from(item.as_i64()?).ok());
    match offsets.collect::<Option<Vec<u64>>>() {
        Some(offsets) if !offsets.is_empty() => Index { address, offsets, wrong: None, cut },
        _ => wrong(format!("expected a list of addresses, found {}", tree.root().describe())),
    }
}

/// The addresses of an index that is written as all software writes it, an address to a line; else it has to
/// be parsed as YAML, which takes a hundred times as long.
fn plain(text: &str) -> Option<Vec<u64>> {
    let list = text.strip_prefix("%YAML 1.1\n")?.strip_prefix("---\n")?.strip_suffix("...\n")?;
    let mut rest = list.as_bytes();
    let mut addresses = Vec::with_capacity(rest.len() / LINE);
    while !rest.is_empty() {
        rest = rest.strip_prefix(b"- ")?;
        let (mut address, mut digits) = (0_u64, 0);
        while let Some(digit) =
            rest.get(digits).map(|byte| byte.wrapping_sub(b'0')).filter(|it| *it < 10)
        {
            address = address.checked_mul(10)?.checked_add(digit.into())?;
            digits += 1;
        }
        // What begins with 0 is octal.
        if digits == 0 || rest[0] == b'0' {
            return None;
        }
        rest = rest[digits..].strip_prefix(b"\n")?;
        addresses.push(address);
    }
    Some(addresses).filter(|list| !list.is_empty())
}

/// What an index is worth that should stand at `at`, where the blocks end, and list these addresses.
pub(super) fn compare(index: Option<&Index>, blocks: &[u64], at: Option<u64>) -> IndexState {
    let Some(index) = index else { return IndexState::Absent };
    let address = index.address;
    let bad = |reason: String| IndexState::Bad { address, reason };
    if let Some(wrong) = &index.wrong {
        return bad(wrong.clone());
    }
    if at != Some(address) {
        return bad("expected the index behind the last block, found it elsewhere".to_owned());
    }
    let differs = blocks.iter().zip(&index.offsets).position(|(block, offset)| block != offset);
    if let Some(block) = differs {
        let (expected, found) = (blocks[block], index.offsets[block]);
        return bad(format!("expected block {block} at {expected}, found {found}"));
    }
    if blocks.len() != index.offsets.len() {
        let (expected, found) = (blocks.len(), index.offsets.len());
        return bad(format!("expected {expected} blocks, found {found}"));
    }
    IndexState::Good { address }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Index {
        at(&text.as_bytes(), 0).expect("readable").expect("an index")
    }

    #[test]
    fn all_that_wrote_indexes_are_read() {
        for text in [
            "#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- 757\n- 1022\n...\n",
            "#ASDF BLOCK INDEX\r\n%YAML 1.1\r\n--- [757, 1022]\r\n...\r\n\0\0\0",
            "#ASDF BLOCK INDEX\n%YAML 1.1\n---\n[757,1022,]\n...\n",
        ] {
            let index = of(text);
            assert_eq!(index.offsets, [757, 1022], "{text}");
            assert_eq!(
                compare(Some(&index), &[757, 1022], Some(0)),
                IndexState::Good { address: 0 }
            );
        }
    }

    #[test]
    fn what_is_not_as_all_write_it_is_left_to_yaml() {
        let list = |lines: &str| plain(&format!("%YAML 1.1\n---\n{lines}...\n"));
        assert_eq!(list("- 7\n- 18446744073709551615\n"), Some(vec![7, u64::MAX]));
        for lines in
            ["", "- 07\n", "- \n", "- 7", "- 7 \n", "-  7\n", "- -7\n", "- 1_0\n", "- 7\n\n"]
        {
            assert_eq!(list(lines), None, "{lines:?}");
        }
        assert_eq!(list("- 18446744073709551616\n"), None);
    }

    #[test]
    fn a_wrong_one_is_told_and_why() {
        let good = of("#ASDF BLOCK INDEX\n--- [10, 20]\n");
        for (index, blocks, at, expected) in [
            (&good, &[10, 30][..], Some(0), "block 1 at 30, found 20"),
            (&good, &[10], Some(0), "expected 1 blocks, found 2"),
            (&good, &[10, 20], None, "elsewhere"),
            (&of("#ASDF BLOCK INDEX\n--- [10, -1]\n"), &[10], Some(0), "a list of addresses"),
            (&of("#ASDF BLOCK INDEX\n--- [\n"), &[10], Some(0), "a list of addresses"),
            (&of("#ASDF BLOCK INDEX\n"), &[10], Some(0), "a list of addresses"),
        ] {
            let IndexState::Bad { reason, .. } = compare(Some(index), blocks, at) else {
                panic!("expected {expected}");
            };
            assert!(reason.contains(expected), "{reason}");
        }
        assert_eq!(compare(None, &[10], Some(0)), IndexState::Absent);
    }

    #[test]
    fn the_last_index_is_found_from_the_end() {
        let mut file = b"#ASDF BLOCK INDEX\n--- [1]\n".to_vec();
        file.resize(20_000, b'x');
        let at = file.len() as u64;
        file.extend(b"#ASDF BLOCK INDEX\n--- [5]\n");
        file.resize(at as usize + 30_000, 0);
        let index = search(&file, 5).expect("readable").expect("an index");
        assert_eq!((index.address, index.offsets), (at, vec![5]));
        assert!(search(&&file[..20_000], 5).expect("readable").is_none());
    }
}
