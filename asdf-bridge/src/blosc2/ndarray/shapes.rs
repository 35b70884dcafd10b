//! How an array is cut where nobody says: along all dimensions alike, so that no slice is slow.

/// Bytes of a block and of a chunk, about.
const BLOCK: u64 = 256 << 10;
const CHUNK: u64 = 4 << 20;

/// The shape of a block, none of whose dimensions is longer than `most`.
pub(super) fn block(most: &[u64], typesize: u64) -> Vec<u64> {
    even(&grown(vec![1; most.len()], most, BLOCK / typesize.max(1)), most)
}

/// The shape of a chunk of such blocks.
pub(super) fn chunk(shape: &[u64], block: &[u64], typesize: u64) -> Vec<u64> {
    let most: Vec<u64> = shape.iter().map(|dim| (*dim).max(1)).collect();
    grown(block.to_vec(), &most, CHUNK / typesize.max(1))
}

/// Doubles the dimension that has most left, the last of equal ones, while there are no more elements
/// than asked for.
fn grown(mut part: Vec<u64>, most: &[u64], elements: u64) -> Vec<u64> {
    loop {
        let product = part.iter().fold(1_u64, |product, dim| product.saturating_mul(*dim));
        let left = |at: usize| most[at].div_ceil(part[at].max(1));
        let longest = (0..part.len()).filter(|at| part[*at] < most[*at]).max_by_key(|at| left(*at));
        let Some(at) = longest else { return part };
        let next = (part[at] * 2).min(most[at]);
        if (product / part[at]).saturating_mul(next) > elements {
            return part;
        }
        part[at] = next;
    }
}

/// Parts of about the same length each, of those that are no longer.
fn even(part: &[u64], whole: &[u64]) -> Vec<u64> {
    let even = |(part, whole): (&u64, &u64)| whole.div_ceil(whole.div_ceil(*part));
    part.iter().zip(whole).map(even).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_dimensions_alike() {
        let shape = [512, 512, 128];
        let block_of = block(&shape, 8);
        assert_eq!(block_of, [32, 64, 16]);
        assert_eq!(chunk(&shape, &block_of, 8), [128, 128, 32]);
        assert_eq!(block(&[100_000_000], 8), [32_766]);
        assert_eq!(block(&[3, 1], 1_000_000), [1, 1]);
        // Nothing is longer than the array, and blocks are about of the same size.
        assert_eq!(block(&[70_000], 4), [35_000]);
        assert_eq!(chunk(&[70_000], &[35_000], 4), [70_000]);
        assert_eq!(chunk(&[3, 0], &[1, 1], 4), [3, 1]);
        assert!(block(&[], 4).is_empty());
    }
}
