//! What do structs and enums expand to? The expansions are pinned, formatted, in `snapshots/`.

use std::path::PathBuf;

use dudley_codegen::derive::derive;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The expansion of a type, formatted.
fn expanded(text: &str) -> String {
    let input = syn::parse_str(text).expect("an item of Rust");
    let tokens = derive(&input, &|literal| vec![folder().join(literal.value())]);
    let file = syn::parse2(tokens).expect("the expansion is Rust");
    let folder = folder().display().to_string();
    prettyplease::unparse(&file).replace(&folder, "TESTS")
}

#[test]
fn a_struct_is_a_dict() {
    insta::assert_snapshot!(expanded(
        r#"
        /// A state.
        #[dudley(order = "big")]
        pub struct State {
            /// time of it
            #[dudley(unit = "us")]
            pub time: f64,
            imax: usize,
            #[dudley(shape = "HERE, JMAX-, imax", align = 64, name = "the rho")]
            rho: Option<Array2<f64>>,
            #[dudley(skip)]
            scratch: Vec<u8>,
            #[dudley(default)]
            later: i32,
        }
        "#
    ));
}

#[test]
fn a_struct_is_a_record() {
    insta::assert_snapshot!(expanded(
        r#"
        #[dudley(record, align = 16, crate = "engine::io", parts = "Lazy")]
        pub(crate) struct Pair<T: Copy, const N: usize> where T: Default {
            r#type: [T; N],
            b: u32,
            #[dudley(skip)]
            of: PhantomData<T>,
        }
        "#
    ));
}

#[test]
fn an_enum_is_a_number() {
    insta::assert_snapshot!(expanded("#[repr(i16)] enum Kind { A = -1, r#B, C = 7 }"));
}

#[test]
fn a_struct_is_compared_with_a_layout() {
    insta::assert_snapshot!(expanded(
        r#"
        #[dudley(layout = "restart.dud")]
        struct Restart {
            rho: Array2<f64>,
            #[dudley(name = "CYCLE")]
            cycle: u32,
            mesh: Mesh,
            history: Vec<Entry>,
        }
        "#
    ));
}

#[test]
fn another_name_of_the_crate_is_used_everywhere() {
    for text in [
        r#"#[dudley(crate = "engine")] struct A { #[dudley(shape = "N")] x: Vec<f64>, y: [u8; 2] }"#,
        r#"#[dudley(crate = "engine", record)] struct A { x: f64, #[dudley(skip)] y: u8 }"#,
        r#"#[dudley(crate = "engine", layout = "restart.dud")] struct A { rho: Array2<f64> }"#,
        r#"#[dudley(crate = "engine")] #[repr(u8)] enum A { B }"#,
        r#"#[dudley(crate = "engine")] struct A(u8);"#,
    ] {
        let expanded = expanded(text);
        assert!(!expanded.contains("dudley::"), "{expanded}");
        assert!(expanded.contains("engine::"), "{expanded}");
    }
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let wrong = r#"
        #[dudley(ordr = "big")]
        struct A {
            #[dudley(align = 3)]
            x: f64,
            #[dudley(shape = "?")]
            y: Vec<f64>,
        }
    "#;
    let expanded = expanded(wrong);
    assert_eq!(expanded.matches("compile_error!").count(), 3, "{expanded}");
    // What uses the struct has no further errors.
    assert!(expanded.contains("impl ::dudley::Dudley for A"), "{expanded}");
}
