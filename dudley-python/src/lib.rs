//! The native part of the Python package `dudley`: the model of the crate `dudley`, bound once, so that Python opens
//! every format that the engine opens.

mod array;
mod create;
mod elements;
mod error;
mod file;
mod index;
mod memory;
mod nodes;
mod open;
mod value;
mod write;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::create::{NativeAppend, NativeWriter};
    #[pymodule_export]
    use crate::file::File;
    #[pymodule_export]
    use crate::nodes::{Dict, List};
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::write::write;
}
