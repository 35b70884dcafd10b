//! Elements of a block to where they belong in the result.

/// One dimension of a copy. Strides in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dim {
    pub(super) count: usize,
    pub(super) from: isize,
    pub(super) to: usize,
}

/// Copies elements of `size` bytes from `first` on; dimensions slowest first. All of it lies within
/// both slices: else this panics, and nothing outside is touched.
pub(super) fn copy(src: &[u8], first: usize, dst: &mut [u8], to: usize, dims: &[Dim], size: usize) {
    runs(first, to, dims, size, |from, into, run, dim| match (dim, run) {
        (None, _) => dst[into..into + run].copy_from_slice(&src[from..from + run]),
        (Some(dim), 1) => strided::<1>(src, from, dst, into, dim),
        (Some(dim), 2) => strided::<2>(src, from, dst, into, dim),
        (Some(dim), 4) => strided::<4>(src, from, dst, into, dim),
        (Some(dim), 8) => strided::<8>(src, from, dst, into, dim),
        (Some(dim), 16) => strided::<16>(src, from, dst, into, dim),
        (Some(dim), _) => each(from, into, dim, |from, into| {
            dst[into..into + run].copy_from_slice(&src[from..from + run]);
        }),
    });
}

/// As [`copy`], of elements whose first bytes, second bytes, and so on stand together.
pub(super) fn gather(
    planes: &[&[u8]],
    first: usize,
    dst: &mut [u8],
    to: usize,
    dims: &[Dim],
    size: usize,
) {
    runs(first, to, dims, size, |from, into, run, dim| {
        let dim = dim.unwrap_or(Dim { count: 1, from: 0, to: 0 });
        if let Some(step) = apart(run, dim, size) {
            return one_by_one(planes, from / size, &mut dst[into..], dim, step);
        }
        each(from, into, dim, |from, into| {
            let (from, to) = (from / size, &mut dst[into..into + run]);
            for (j, plane) in planes.iter().enumerate() {
                let bytes = &plane[from..from + run / size];
                for (to, byte) in to[j..].iter_mut().step_by(size).zip(bytes) {
                    *to = *byte;
                }
            }
        });
    });
}

/// How many elements one is from the next, where they are single and in their order.
fn apart(run: usize, dim: Dim, size: usize) -> Option<usize> {
    let step = usize::try_from(dim.from).ok()? / size;
    (run == size && step > 0 && dim.to > 0).then_some(step)
}

/// Single elements from `first` on, each `step` behind the one before it: plane by plane, so that each is
/// read in its order.
fn one_by_one(planes: &[&[u8]], first: usize, dst: &mut [u8], dim: Dim, step: usize) {
    for (j, plane) in planes.iter().enumerate() {
        let bytes = plane[first..].iter().step_by(step);
        let to = dst[j..].iter_mut().step_by(dim.to);
        for (to, byte) in to.zip(bytes).take(dim.count) {
            *to = *byte;
        }
    }
}

/// Calls `visit` with where bytes lie and go to, how many are side by side in both, and the dimension
/// along which they are repeated, if there is one.
fn runs(
    first: usize,
    to: usize,
    dims: &[Dim],
    size: usize,
    mut visit: impl FnMut(usize, usize, usize, Option<Dim>),
) {
    let mut dims = dims.to_vec();
    let mut run = size;
    while let Some(last) = dims.last() {
        if last.count != 1 && (last.from != run as isize || last.to != run) {
            break;
        }
        run *= last.count;
        dims.pop();
    }
    let inner = dims.pop();
    let mut at = vec![0; dims.len()];
    loop {
        let mut from = first as isize;
        let mut into = to;
        for (at, dim) in at.iter().zip(&dims) {
            from += *at as isize * dim.from;
            into += at * dim.to;
        }
        visit(from as usize, into, run, inner);
        if !next(&mut at, &dims) {
            return;
        }
    }
}

/// Runs of a length that is known when this is compiled.
fn strided<const N: usize>(src: &[u8], from: usize, dst: &mut [u8], to: usize, dim: Dim) {
    each(from, to, dim, |from, to| {
        let (src, dst) = (&src[from..from + N], &mut dst[to..to + N]);
        dst.copy_from_slice(src);
    });
}

/// Calls `visit` for each index of a dimension.
fn each(from: usize, to: usize, dim: Dim, mut visit: impl FnMut(usize, usize)) {
    for i in 0..dim.count {
        visit((from as isize + i as isize * dim.from) as usize, to + i * dim.to);
    }
}

/// Goes to the next of all indices, row-major; false behind the last.
fn next(at: &mut [usize], dims: &[Dim]) -> bool {
    for (at, dim) in at.iter_mut().zip(dims).rev() {
        *at += 1;
        if *at < dim.count {
            return true;
        }
        *at = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_steps_and_reversed_dimensions() {
        let src: Vec<u8> = (0..24).collect();
        // All of 2 by 3 elements of 4 bytes.
        let mut dst = vec![0; 24];
        let all = [Dim { count: 2, from: 12, to: 12 }, Dim { count: 3, from: 4, to: 4 }];
        copy(&src, 0, &mut dst, 0, &all, 4);
        assert_eq!(dst, src);
        // The last column, from below.
        let mut dst = vec![0; 8];
        let column = [Dim { count: 2, from: -12, to: 4 }, Dim { count: 1, from: 4, to: 4 }];
        copy(&src, 20, &mut dst, 0, &column, 4);
        assert_eq!(dst, [20, 21, 22, 23, 8, 9, 10, 11]);
        // Every other element of 3 bytes.
        let mut dst = vec![0; 12];
        copy(&src, 0, &mut dst, 0, &[Dim { count: 4, from: 6, to: 3 }], 3);
        assert_eq!(dst, [0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20]);
        // The same of what is shuffled.
        let planes: Vec<Vec<u8>> =
            (0..4).map(|j| src[j..].iter().step_by(4).copied().collect()).collect();
        let planes: Vec<&[u8]> = planes.iter().map(Vec::as_slice).collect();
        let mut dst = vec![0; 24];
        gather(&planes, 0, &mut dst, 0, &all, 4);
        assert_eq!(dst, src);
        let mut dst = vec![0; 8];
        gather(&planes, 20, &mut dst, 0, &column, 4);
        assert_eq!(dst, [20, 21, 22, 23, 8, 9, 10, 11]);
        // One element.
        let mut dst = vec![0; 2];
        copy(&src, 5, &mut dst, 0, &[], 2);
        assert_eq!(dst, [5, 6]);
    }
}
