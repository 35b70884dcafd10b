//! Delta: differences (exclusive or) of elements to those of the first block of the chunk; within that
//! block, to the element before.

/// Bytes of what is compared: elements, or the largest number that they are made of.
pub(super) fn width(typesize: usize) -> usize {
    match typesize {
        1 | 2 | 4 | 8 => typesize,
        _ if typesize.is_multiple_of(8) => 8,
        _ => 1,
    }
}

/// Bytes behind the last whole element are as they are stored.
pub(super) fn undo(block: &mut [u8], first: Option<&[u8]>, width: usize) {
    let whole = block.len() - block.len() % width;
    match first {
        Some(first) => {
            for (byte, reference) in block[..whole].iter_mut().zip(first) {
                *byte ^= reference;
            }
        }
        None => match width {
            1 => run::<1>(block),
            2 => run::<2>(block),
            4 => run::<4>(block),
            _ => run::<8>(block),
        },
    }
}

/// The way there: `first` is the first block as it was, none for that itself.
pub(super) fn apply(block: &mut [u8], first: Option<&[u8]>, width: usize) {
    // Differences of exclusive or to another block are undone as they are made.
    if first.is_some() {
        return undo(block, first, width);
    }
    match width {
        1 => differences::<1>(block),
        2 => differences::<2>(block),
        4 => differences::<4>(block),
        _ => differences::<8>(block),
    }
}

fn differences<const N: usize>(block: &mut [u8]) {
    let mut last = [0; N];
    for element in block.as_chunks_mut::<N>().0 {
        let original = *element;
        for (byte, last) in element.iter_mut().zip(last) {
            *byte ^= last;
        }
        last = original;
    }
}

fn run<const N: usize>(block: &mut [u8]) {
    let mut last = [0; N];
    for element in block.as_chunks_mut::<N>().0 {
        for (byte, last) in element.iter_mut().zip(&mut last) {
            *byte ^= *last;
            *last = *byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_later_blocks() {
        let mut first = [1, 0, 3, 0, 9];
        undo(&mut first, None, 2);
        assert_eq!(first, [1, 0, 2, 0, 9]);
        let mut later = [1, 0, 0, 1, 9];
        undo(&mut later, Some(&first), 2);
        assert_eq!(later, [0, 0, 2, 1, 9]);
        // A first block that is shorter, which no encoder writes.
        let mut longer = [1, 1, 1, 1];
        undo(&mut longer, Some(&[1, 1]), 2);
        assert_eq!(longer, [0, 0, 1, 1]);
        apply(&mut later, Some(&first), 2);
        assert_eq!(later, [1, 0, 0, 1, 9]);
        apply(&mut first, None, 2);
        assert_eq!(first, [1, 0, 3, 0, 9]);
        assert_eq!([1, 2, 3, 4, 8, 16, 24, 12].map(width), [1, 2, 1, 4, 8, 8, 8, 1]);
    }
}
