//! Bytedelta: differences of neighbouring bytes within each stream of a shuffled block.

/// Bytes that encoders take at a time.
const VECTOR: usize = 16;

/// Bytes behind the last whole element are as they are stored. With `resets` the sum starts anew with
/// what was behind the last whole vector of each stream, a fault of encoders before 2.8.
pub(super) fn undo(block: &mut [u8], typesize: usize, resets: bool) {
    let elements = block.len() / typesize.max(1);
    if elements == 0 {
        return;
    }
    for stream in block.chunks_exact_mut(elements).take(typesize) {
        let whole = if resets { elements - elements % VECTOR } else { elements };
        let (vectors, rest) = stream.split_at_mut(whole);
        sum(vectors);
        sum(rest);
    }
}

/// The way there.
pub(super) fn apply(block: &mut [u8], typesize: usize) {
    let elements = block.len() / typesize.max(1);
    if elements == 0 {
        return;
    }
    for stream in block.chunks_exact_mut(elements).take(typesize) {
        // From the end on, so that what is taken away is still what it was.
        for at in (1..stream.len()).rev() {
            stream[at] = stream[at].wrapping_sub(stream[at - 1]);
        }
    }
}

fn sum(bytes: &mut [u8]) {
    let mut total = 0_u8;
    for byte in bytes {
        total = total.wrapping_add(*byte);
        *byte = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_within_streams() {
        let mut block = [1, 1, 1, 255, 1, 5, 7];
        undo(&mut block, 3, false);
        assert_eq!(block, [1, 2, 1, 0, 1, 6, 7]);
        apply(&mut block, 3);
        assert_eq!(block, [1, 1, 1, 255, 1, 5, 7]);
        // More bytes behind the last element than there are elements.
        let mut block = [1; 8];
        undo(&mut block, 3, false);
        assert_eq!(block, [1, 2, 1, 2, 1, 2, 1, 1]);
        let mut block = [1; 37];
        undo(&mut block, 2, true);
        assert_eq!((block[15], block[16], block[17], block[36]), (16, 1, 2, 1));
    }
}
