//! The macros, called rightly and wrongly.

use dudley_derive::layout_text;

#[test]
fn a_layout_is_embedded_as_it_is() {
    assert_eq!(layout_text!("blast.dud"), include_str!("blast.dud"));
}

#[test]
fn faults_are_errors_of_the_compiler() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/ui/*.rs");
    tests.compile_fail("tests/ui/derive/*.rs");
    tests.compile_fail("tests/ui/layout/*.rs");
}
