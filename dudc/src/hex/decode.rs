//! Values of bytes of a primitive type: they are a small stream of their own.

use std::collections::HashMap;
use std::sync::Arc;

use dudley::{Layout, Open, parse_layout};

use super::Element;
use crate::json::JsonSink;

/// Decodes elements; keeps a layout for each type that it found.
#[derive(Default)]
pub(super) struct Decoder {
    layouts: HashMap<String, Option<Arc<Layout>>>,
}

impl Decoder {
    /// Elements as JSON values, separated by commas; `None` if the bytes are not whole elements.
    pub(super) fn values(&mut self, element: &Element, bytes: &[u8]) -> Option<String> {
        if element.bytes == 0 || bytes.is_empty() {
            return None;
        }
        if element.text {
            let whole = bytes.chunks_exact(element.bytes as usize);
            let texts: Option<Vec<String>> =
                whole.map(|one| self.array(&element.dtype, one)).collect();
            return texts.map(|texts| texts.join(", "));
        }
        let whole = bytes.len() as u64 / element.bytes * element.bytes;
        let list = self.array(&element.dtype, bytes.get(..whole as usize)?)?;
        Some(list.strip_prefix('[')?.strip_suffix(']')?.to_owned())
    }

    fn array(&mut self, dtype: &str, bytes: &[u8]) -> Option<String> {
        let layout = self.layouts.entry(dtype.to_owned()).or_insert_with(|| {
            let text = format!("LEN : 0\nx = {dtype}[LEN+0]");
            parse_layout(text.as_bytes()).ok().map(Arc::new)
        });
        let layout = layout.clone()?;
        let size = dudley_parser::layout::dtype::Primitive::from_name(
            dtype.trim_start_matches(['<', '>', '|']),
        )?
        .size();
        let open = Open::new().raw().layout(layout).param("LEN", bytes.len() as u64 / size);
        let stream = open.bytes(bytes).ok()?;
        let mut text = Vec::new();
        stream.get("/x").ok()?.data().ok()?.emit(&mut JsonSink::new(&mut text), false).ok()?;
        String::from_utf8(text).ok()
    }
}
