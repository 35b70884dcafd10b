//! Where texts are written while a program is compiled: layouts, and messages of comparisons.
//!
//! Constants cannot allocate. So a layout is written twice: once to count its bytes, and then into
//! the smallest of a few sizes that holds it. (An array of exactly its size would do only for structs
//! without type parameters.)

use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::Dudley;
use super::form::Struct;

/// Text under construction: `CAP` bytes are kept, all are counted.
pub(super) struct Out<const CAP: usize> {
    bytes: [u8; CAP],
    len: usize,
    /// How far lines are indented.
    pub(super) depth: usize,
    /// Whether default alignments are capped here.
    pub(super) packed: bool,
}

impl<const CAP: usize> Out<CAP> {
    pub(super) const fn new() -> Self {
        Out { bytes: [0; CAP], len: 0, depth: 0, packed: false }
    }

    /// The text; `None` if it did not fit.
    pub(super) const fn text(&self) -> &str {
        if self.len > CAP {
            return "";
        }
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// How long the text is, kept or not.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let end = self.len + bytes.len();
        if end <= CAP {
            let (_, room) = self.bytes.split_at_mut(self.len);
            room.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        }
        self.len = end;
    }

    /// Begins a line, unless it is the first.
    pub(super) const fn line(&mut self) {
        if self.len > 0 {
            self.push("\n");
        }
        let mut at = 0;
        while at < self.depth {
            self.push("  ");
            at += 1;
        }
    }

    pub(super) const fn number(&mut self, value: i128) {
        if value < 0 {
            self.push("-");
        }
        let mut digits = [0_u8; 40];
        let (mut at, mut rest) = (digits.len(), value.unsigned_abs());
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if let Ok(text) = std::str::from_utf8(digits.split_at(at).1) {
            self.push(text);
        }
    }

    pub(super) const fn primitive(&mut self, primitive: Primitive, order: Option<ByteOrder>) {
        match order {
            Some(_) if primitive.size() == 1 => {}
            Some(ByteOrder::Little) => self.push("<"),
            Some(ByteOrder::Big) => self.push(">"),
            None => {}
        }
        self.push(primitive.name());
    }
}

/// The layout of a struct, held in the smallest of a few sizes.
pub(super) struct Held<S>(std::marker::PhantomData<S>);

impl<S: Dudley> Held<S> {
    const LENGTH: usize = {
        let mut counted = Out::<0>::new();
        counted.root(&S::STRUCT);
        counted.len()
    };
    const SMALL: &'static Out<1024> = &written(&S::STRUCT, 0, Self::LENGTH);
    const MIDDLE: &'static Out<8192> = &written(&S::STRUCT, 1024, Self::LENGTH);
    const LARGE: &'static Out<65536> = &written(&S::STRUCT, 8192, Self::LENGTH);

    /// The text.
    pub(super) const TEXT: &'static str = match Self::LENGTH {
        0..=1024 => Self::SMALL.text(),
        1025..=8192 => Self::MIDDLE.text(),
        8193..=65536 => Self::LARGE.text(),
        _ => panic!("the layout of this struct is longer than 64 KiB: write it into a file"),
    };
}

/// The layout in so much room, if this is the room to take.
const fn written<const CAP: usize>(root: &Struct, below: usize, length: usize) -> Out<CAP> {
    let mut out = Out::new();
    if below < length && length <= CAP {
        out.root(root);
    }
    out
}
