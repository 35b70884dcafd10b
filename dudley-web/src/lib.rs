//! What a page in a browser shows of a stream: its rows, values, numbers, and what each byte is.
//!
//! The pages of `dudc doc` ask it by [`Session::answer`], with requests and answers as JSON, and supply the bytes
//! that it asks for. Built for WebAssembly (`abi.rs`) it is a file beside the pages, which they load when
//! a stream is dropped on one; it needs nothing else, and nothing of the stream but what is shown.
//!
//! ```
//! let mut session = dudley_web::Session::default();
//! let stream = vec![2, 0, 0, 7, 0, 8];
//! let request = r#"{"do": "open", "layout": "N : u1  x = >u2[N]", "raw": true}"#;
//! let found = session.answer(request, || stream.clone());
//! assert!(found.contains(r#""rows":2"#), "{found}");
//! let rows = session.answer(r#"{"do": "rows", "from": 0, "count": 10}"#, || stream.clone());
//! assert!(rows.contains(r#""path":"/x""#) && rows.contains(r#""value":"[7, 8]""#), "{rows}");
//! ```

#[cfg(target_family = "wasm")]
mod abi;
mod bytes;
mod numbers;
mod plot;
mod request;
mod rows;
mod shown;
mod view;
mod zstd;

pub use request::Session;
