//! Any bytes as a file of another format: opening, listing, reading and verifying it ends.

use dudley::Open;
use dudley::model::{Candidate, Formats, Shared, walk};

/// This many nodes are visited, and elements of each are read, at most.
const ENOUGH: u64 = 1 << 12;

/// Whatever bytes a file of another format is, reading it ends.
pub(super) fn formats(data: &[u8]) {
    read_all(data.to_vec());
}

/// Does all there is to do with a file of any format.
pub(super) fn read_all(bytes: Vec<u8>) {
    let formats = Formats::builtin().with(dudley_formats::formats());
    let candidate = Candidate::source("x", bytes, 0);
    let _ = formats.verify(&candidate, &Open::new(), &mut |_| (), &mut |_| ());
    let Ok(dataset) = formats.open(&candidate, &Open::new()) else { return };
    let Ok(root) = dataset.root() else { return };
    let mut left = ENOUGH;
    let _ = walk([root], Shared::Once, &mut |node, _| {
        left = left.saturating_sub(1);
        let read = node.data().and_then(|data| Ok((data.len()? < ENOUGH).then_some(data)));
        if let Ok(Some(data)) = read {
            let _ = (data.value(), data.scaled().map(|it| it.map(|it| it.value())));
        }
        Ok::<bool, dudley::Error>(left > 1)
    });
}

/// What fuzzing starts from.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let nrrd = "NRRD0004\ntype: short\ndimension: 2\nsizes: 2 2\nendian: big\nencoding: raw\n\
                kinds: space none\nlabels: \"a\" \"b\"\nkey:=value\n\n12345678";
    let tensors = r#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"BF16","shape":[],"data_offsets":[3,5]}}"#;
    let length = (tensors.len() as u64).to_le_bytes();
    let matrix = |head: [i32; 5], bytes: usize| {
        let head = head.into_iter().flat_map(i32::to_le_bytes);
        head.chain(*b"x\0").chain(vec![1; bytes]).collect::<Vec<u8>>()
    };
    let mut nifti = vec![0; 356];
    for (at, byte) in [(0, 92), (1, 1), (40, 1), (42, 4), (70, 2), (110, 0xb0), (111, 0x43)] {
        nifti[at] = byte;
    }
    nifti[344..347].copy_from_slice(b"n+1");
    let begin = [
        &b"!<<PDB:II>>!\n\x24\x04\x02\x04\x04\x04\x08\x02\x02\x02\x04\x03\x02\x01"[..],
        b"\x08\x07\x06\x05\x04\x03\x02\x01\x20\x08\x17\0\x01\x09\0\x40\x0b\x34\0\x01\x0c\0",
        b"127|1023|\n80|119|\n12345678",
    ];
    let mut pdb: Vec<u8> = begin.concat();
    pdb.resize(80, 0);
    let lines = "int|4|\nP|8|int a|int *b(1)|\nQ|8|P p|\n\x02\n/d/x|int|2|72|0|2|\n/p|P|1|72|\n/b|int|1|72|0|1|\n\n\
                 Offset:0\nMajor-Order:102\nBlocks:\n/b|2 72 1 80 1\n\x02\n";
    pdb.extend(lines.bytes());
    let pdb = pdb.into_iter().map(|byte| if byte == b'|' { 1 } else { byte }).collect();
    let seeds = [
        ("nrrd", nrrd.as_bytes().to_vec()),
        ("safetensors", [&length[..], tensors.as_bytes(), b"12345"].concat()),
        ("mat4", [matrix([0, 2, 1, 1, 2], 32), matrix([2, 2, 3, 0, 2], 48)].concat()),
        ("nifti", nifti),
        ("pdb", pdb),
    ];
    seeds.map(|(name, bytes)| (format!("{name}-formats"), bytes)).into()
}
