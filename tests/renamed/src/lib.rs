//! A program without a prelude that knows the crate `dudley` by another name.

#![no_implicit_prelude]

::engine::layout!(pub mod blast = "blast.dud", crate = "::engine", transfer);

::engine::layout!(
    /// The layout as text in the program.
    pub(crate) mod inline = "N : 2  x = f8[N]",
    crate = "::engine"
);

/// Where the array of the inline layout lies.
///
/// # Errors
/// None that would be expected.
pub fn address() -> ::engine::Result<::core::primitive::u64> {
    let params = <inline::Params as ::core::default::Default>::default();
    inline::Addresses::new(&params)?.x().address()
}
