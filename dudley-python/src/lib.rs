//! The native part of the Python package `dudley`: the model of the crate `dudley`, bound once, so that Python opens
//! every format that the engine opens.

mod array;
mod command;
mod create;
mod elements;
mod error;
mod family;
mod file;
mod index;
mod memory;
mod nodes;
mod open;
mod remote;
mod value;
mod write;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _native {
    use pyo3::pyfunction;

    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::command::{command, main};
    #[pymodule_export]
    use crate::create::{NativeAppend, NativeWriter};
    #[pymodule_export]
    use crate::family::{Family, build_family};
    #[pymodule_export]
    use crate::file::File;
    #[pymodule_export]
    use crate::nodes::{Dict, List};
    #[pymodule_export]
    use crate::open::open;
    #[pymodule_export]
    use crate::write::{mask_asdf, write};

    /// The name here of an attribute of netCDF: one that means something else here gets a `_` behind it.
    #[pyfunction]
    fn netcdf_name(name: &str) -> String {
        dudley_parser::layout::words::netcdf_name(name).into_owned()
    }

    /// The name in its own file of an attribute that is called so here.
    #[pyfunction]
    fn native_name(name: &str) -> String {
        dudley_parser::layout::words::native_name(name).to_owned()
    }

    /// Attributes that say how elements lie in their file.
    #[pymodule_export]
    const OF_STORAGE: [&str; 5] = dudley_parser::layout::words::OF_STORAGE;
}
