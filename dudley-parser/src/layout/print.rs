//! Layouts printed as canonical text.
