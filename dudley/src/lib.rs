//! Reads and writes binary scientific data through Dudley layouts.
