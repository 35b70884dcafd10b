//! Loops that are compiled for wider vectors too, which are used where the processor has them.

/// Runs a loop, with the vectors of AVX2 if the processor has these. All that it calls should be inlined.
#[inline(always)]
pub(crate) fn wide<R>(run: impl FnOnce() -> R) -> R {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn with_avx2<R>(run: impl FnOnce() -> R) -> R {
            run()
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { with_avx2(run) };
        }
    }
    run()
}
