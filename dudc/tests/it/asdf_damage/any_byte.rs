//! Any byte of a file may be wrong: what `convert` and `salvage` make of it is right, or they say so.

use asdf_bridge::asdf::{AsdfFile, Builder, Compression, NewArray, Open};

use crate::asdf_damage::kit::{Asdf, Folder};

/// Four arrays of the same type and shape, so that none can be taken for another one without a trace but its values.
fn sample(digests: bool, index: bool) -> Vec<u8> {
    let array = |first: u32| NewArray::from((first..first + 40).collect::<Vec<_>>());
    let file = Builder::new()
        .put("a", array(100))
        .put("b", array(200).compressed(Compression::zlib(6)))
        .put("c", array(300).compressed(Compression::lz4()))
        .put("d", array(400));
    file.digests(digests).index(index).align(1).to_bytes().expect("a file")
}

/// The paths of arrays whose values are others than those of the sample.
fn wrong(file: &AsdfFile) -> Vec<&'static str> {
    let right = |first: u32| (first..first + 40).collect::<Vec<_>>();
    let arrays = [("/a", 100), ("/b", 200), ("/c", 300), ("/d", 400)];
    let differs = |(path, first): &(&str, u32)| {
        let read = |path: &str| file.array(path).and_then(|array| array.read::<u32>());
        // What is left of one that is lost has its first rows.
        read(path).is_ok_and(|read| read.as_slice() != Some(&right(*first)[..]))
            || read(&format!("{path}/first_rows")).is_ok_and(|rows| {
                !rows.as_slice().is_some_and(|rows| right(*first).starts_with(rows))
            })
    };
    arrays.into_iter().filter(differs).map(|(path, _)| path).collect()
}

/// The addresses of all that is not data: headers and the index.
fn headers(bytes: &[u8]) -> Vec<usize> {
    let file = Open::new().bytes(bytes).expect("it opens");
    let blocks = file.blocks().expect("blocks").into_iter().map(|block| block.expect("a block"));
    let blocks: Vec<_> = blocks.collect();
    let mut at: Vec<usize> = Vec::new();
    for block in &blocks {
        // Except for what no reader looks at: padding, and the digest.
        at.extend(block.address as usize..block.data.start as usize - 16);
    }
    at.extend(blocks.last().expect("a block").data.end as usize..bytes.len());
    at
}

#[test]
fn whatever_byte_of_a_header_is_wrong_nothing_else_is_taken_for_what_it_is_not() {
    let folder = Folder::empty();
    for (digests, index) in [(true, true), (true, false), (false, true), (false, false)] {
        let right = sample(digests, index);
        for (count, at) in headers(&right).into_iter().enumerate() {
            // The program itself is run for some, and what is in it for all.
            let bit = 1_u8 << (at * 5 % 8);
            let mut bytes = right.clone();
            bytes[at] ^= bit;
            let file = Open::new().bytes(&*bytes).expect("it opens");
            let bad = wrong(&file);
            let is_told = || !file.verify().expect("read").is_clean();
            assert!(bad.is_empty() || is_told(), "byte {at} ^ {bit}: {bad:?}");
            if !bad.is_empty() || count % 9 == 0 {
                converted(&folder, &bytes, &format!("byte {at} ^ {bit}"));
            }
        }
    }
}

/// With an index the blocks behind keep their numbers; without one they are said to be uncertain.
#[test]
fn a_header_that_is_gone_is_not_passed_over() {
    let folder = Folder::empty();
    for index in [true, false] {
        let right = sample(true, index);
        let blocks = Open::new().bytes(&*right).and_then(|file| file.blocks()).expect("blocks");
        for (block, fill) in blocks.iter().flat_map(|block| [(block, b'?'), (block, 0)]) {
            let block = block.as_ref().expect("a block");
            let mut bytes = right.clone();
            bytes[block.address as usize..block.data.start as usize].fill(fill);
            let file = Open::new().bytes(&*bytes).expect("it opens");
            assert!(!file.check().expect("read").is_clean(), "block {}", block.index);
            if index {
                assert_eq!((file.blocks().expect("blocks").len(), wrong(&file).len()), (4, 0));
            }
            converted(&folder, &bytes, &format!("block {}", block.index));
        }
    }
}

#[test]
fn whatever_byte_of_the_data_is_wrong_it_is_said() {
    let folder = Folder::empty();
    let right = sample(true, true);
    let file = Open::new().bytes(&*right).expect("it opens");
    for block in file.blocks().expect("blocks") {
        let block = block.expect("a block");
        for at in (block.data.start..block.data.end).step_by(13) {
            let mut bytes = right.clone();
            bytes[at as usize] ^= 0x24;
            converted(&folder, &bytes, &format!("byte {at}"));
        }
    }
}

/// Converts and salvages a file: wrong values have their path in what is said.
fn converted(folder: &Folder, bytes: &[u8], what: &str) {
    folder.write("bad.asdf", bytes);
    for (command, out) in [("convert", "c.asdf"), ("salvage", "s.asdf")] {
        let said = folder.run(&format!("{command} bad.asdf {out} --force"));
        assert!(said.status <= 1, "{what}: {said:?}");
        if command == "convert" && said.status == 1 {
            assert!(!said.err.is_empty(), "{what}");
            continue;
        }
        let file = folder.open(out);
        for path in wrong(&file) {
            let told = said.out.contains(path) || said.err.contains(path);
            assert!(told, "{what}: {command}: {path} is wrong: {said:?}");
            assert!(command == "convert" || said.status == 1, "{what}: {said:?}");
        }
        assert!(file.blocks().expect("blocks").iter().all(Result::is_ok), "{what}: {command}");
    }
}
