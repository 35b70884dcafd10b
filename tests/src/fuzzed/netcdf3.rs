//! Any bytes as a netCDF-3 file: opening, listing, reading and verifying it ends.

use dudley::Open;
use dudley::model::{Candidate, Formats, Shared, walk};

/// This many nodes are visited, and elements of each are read, at most.
const ENOUGH: u64 = 1 << 12;

/// Whatever bytes a netCDF-3 file is, reading it ends, and its layout has no errors.
pub(super) fn netcdf3(data: &[u8]) {
    if data.starts_with(b"CDF") {
        in_place("netcdf3", data);
    }
}

/// The same of a file of a format that is read in place.
pub(super) fn in_place(format: &str, data: &[u8]) {
    let formats = Formats::builtin().with(dudley_formats::formats());
    let candidate = Candidate::source("x", data.to_vec(), 0);
    let _ = formats.verify(&candidate, &Open::new(), &mut |_| (), &mut |_| ());
    let Ok(dataset) = formats.open(&candidate, &Open::new()) else { return };
    if dataset.format() != format {
        return;
    }
    let root = match dataset.root() {
        Ok(root) => root,
        // What is made of a header is a layout, or none.
        Err(error) => {
            assert!(!matches!(error.cause(), dudley::Error::Layout { .. }), "{error}");
            return;
        }
    };
    let mut left = ENOUGH;
    let _ = walk([root], Shared::Once, &mut |node, _| {
        left = left.saturating_sub(1);
        let read = node.data().and_then(|data| Ok((data.len()? < ENOUGH).then_some(data)));
        if let Ok(Some(data)) = read {
            let _ = data.value();
        }
        // By the part of the layout that declares it.
        let _ = formats.open(&candidate, &Open::new()).and_then(|it| it.get(&node.path()));
        Ok::<bool, dudley::Error>(left > 1)
    });
}

/// What fuzzing starts from: a header with a dimension of records and another one, an attribute, and two variables.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let word = |number: u32| number.to_be_bytes().to_vec();
    let of_version = |version: u8| {
        let count = |number: u32| match version {
            5 => u64::from(number).to_be_bytes().to_vec(),
            _ => word(number),
        };
        let begin = |number: u32| match version {
            1 => word(number),
            _ => u64::from(number).to_be_bytes().to_vec(),
        };
        let name = |name: &str| [count(1), [name.as_bytes(), &[0; 3]].concat()].concat();
        let variable = |of: &str, dim: u32, kind: u32, at: u32| {
            let dims = [count(1), count(dim)].concat();
            [name(of), dims, word(0), count(0), word(kind), count(4), begin(at)].concat()
        };
        let parts = [
            vec![b'C', b'D', b'F', version],
            count(2),
            [word(10), count(2), name("t"), count(0), name("x"), count(3)].concat(),
            [word(12), count(1), name("a"), word(2), count(4), b"text".to_vec()].concat(),
            [word(11), count(2), variable("x", 1, 1, 248), variable("t", 0, 4, 252)].concat(),
        ];
        let mut file = parts.concat();
        file.resize(248, 0);
        file.extend([1, 2, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
        (format!("{version}-netcdf3"), file)
    };
    [1, 2, 5].map(of_version).to_vec()
}
