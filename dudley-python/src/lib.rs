//! The native part of the Python package `dudley`: the model of the crate `dudley`, bound once, so that Python opens
//! every format that the engine opens.

mod array;
mod dict;
mod elements;
mod error;
mod index;
mod list;
mod memory;
mod open;
mod value;
mod write;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::dict::{Dict, File};
    #[pymodule_export]
    use crate::list::List;
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::write::write;
}
