//! Any bytes as a FITS file: opening, listing, reading and verifying it ends.

/// Whatever bytes a FITS file is, reading it ends. Headers are long, so a line is a card.
pub(super) fn fits(data: &[u8]) {
    super::formats::read_all(file(data));
}

/// Headers of lines, each followed by data that begin with the line `END`: so short inputs are whole files.
fn file(data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for line in data.split_inclusive(|byte| *byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = &text[..text.len().min(80)];
        bytes.extend(text);
        bytes.resize(bytes.len() + 80 - text.len(), b' ');
        if text == b"END" {
            bytes.resize(bytes.len().next_multiple_of(2880), b' ');
        }
    }
    bytes
}

/// What fuzzing starts from.
pub(super) fn seeds() -> Vec<(String, Vec<u8>)> {
    let primary = "SIMPLE  = T\nBITPIX  = 16\nNAXIS   = 2\nNAXIS1  = 3\nNAXIS2  = 2\nBZERO   = 32768\nEND\nabcdefghijkl";
    let none = "SIMPLE  = T\nBITPIX  = 8\nNAXIS   = 0\nEND\n";
    let table = "XTENSION= 'BINTABLE'\nBITPIX  = 8\nNAXIS   = 2\nNAXIS1  = 20\nNAXIS2  = 2\nPCOUNT  = 8\nGCOUNT  = 1\n\
        TFIELDS = 3\nTTYPE1  = 'x'\nTFORM1  = '1PI(4)'\nTFORM2  = '4A'\nTDIM2   = '(2,2)'\nTFORM3  = '1D'\nTSCAL3  = 0.5\nEND\n";
    let ascii = "XTENSION= 'TABLE'\nBITPIX  = 8\nNAXIS   = 2\nNAXIS1  = 6\nNAXIS2  = 1\nPCOUNT  = 0\nGCOUNT  = 1\n\
        TFIELDS = 1\nTBCOL1  = 2\nTFORM1  = 'F5.1'\nTNULL1  = '*'\nEND\n  1.25";
    let groups = "SIMPLE  = T\nBITPIX  = -32\nNAXIS   = 2\nNAXIS1  = 0\nNAXIS2  = 2\nGROUPS  = T\nPCOUNT  = 1\nGCOUNT  = 1\n\
        PTYPE1  = 'u'\nPSCAL1  = 2\nHIERARCH a b = 'x&'\nCONTINUE  'y'\nEND\nabcdefghijkl";
    let texts =
        [primary.to_owned(), format!("{none}{table}"), format!("{none}{ascii}"), groups.to_owned()];
    texts
        .into_iter()
        .enumerate()
        .map(|(at, text)| (format!("{at}-fits"), text.into_bytes()))
        .collect()
}
