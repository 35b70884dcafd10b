//! ASDF files with one thing wrong, or unknown: nothing of them is lost in silence, and nothing wrong is said.

mod any_byte;
mod blocks;
mod cut;
mod doubts;
mod first_line;
mod headers;
mod kit;
mod masks;
mod numbers;
mod parts;
mod shifted;
mod text;
