//! Installs the C interface: `cargo xtask install-c --prefix DIR`.
//!
//! What is installed can be moved to another folder: it finds its parts from where it is.

use std::fs;
use std::path::Path;

use crate::{Outcome, cargo, root, succeed, target};

/// The library as programs look for it when they run, and when they are linked.
const SHARED: (&str, &str) = if cfg!(target_os = "macos") {
    ("libdudley_c.dylib", "libdudley_c.dylib")
} else {
    ("libdudley_c.so.0", "libdudley_c.so")
};
const STATIC: &str = "libdudley_c.a";

/// What programs that link the static library need besides.
const NEEDED: [&str; 3] = ["pthread", "m", "dl"];

/// Builds the library with all optimisations, and installs it.
///
/// # Errors
/// If it cannot be built, or a file not be written.
pub fn build_and_install(prefix: &Path) -> Outcome<()> {
    succeed(cargo().args(["build", "--release", "--locked", "--package", "dudley-c"]))?;
    // As the caller means it, and not as cargo, which runs in the root.
    let prefix = std::path::absolute(prefix)?;
    install(&target().join("release"), &prefix)?;
    println!("installed in {}", prefix.display());
    Ok(())
}

/// Installs the library that a folder has, with headers, the module of Fortran, and what pkg-config and CMake look for.
///
/// # Errors
/// If a file cannot be written; on systems whose libraries are called otherwise.
pub fn install(built: &Path, prefix: &Path) -> Outcome<()> {
    if !cfg!(unix) {
        return Err("the C interface is installed on Linux and macOS".into());
    }
    let (lib, include) = (prefix.join("lib"), prefix.join("include"));
    let (fortran, packages) = (prefix.join("share/dudley/fortran"), lib.join("pkgconfig"));
    let cmake = lib.join("cmake/dudley");
    for folder in [&lib, &include, &fortran, &packages, &cmake] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let (own, linked) = SHARED;
    replace(&built.join(linked), &lib.join(own))?;
    if own != linked {
        let _ = fs::remove_file(lib.join(linked));
        #[cfg(unix)]
        std::os::unix::fs::symlink(own, lib.join(linked))?;
    }
    replace(&built.join(STATIC), &lib.join(STATIC))?;
    let sources = root().join("dudley-c");
    for header in ["dudley.h", "dudley.hpp"] {
        replace(&sources.join("include").join(header), &include.join(header))?;
    }
    replace(&sources.join("fortran/dudley.f90"), &fortran.join("dudley.f90"))?;
    fs::write(packages.join("dudley.pc"), package())?;
    fs::write(cmake.join("dudley-config.cmake"), config())?;
    fs::write(cmake.join("dudley-config-version.cmake"), config_version())?;
    Ok(())
}

/// Copies a file; programs that use the one that was there keep it.
fn replace(from: &Path, to: &Path) -> Outcome<()> {
    let _ = fs::remove_file(to);
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(())
}

/// For pkg-config.
fn package() -> String {
    let needed = NEEDED.map(|name| format!("-l{name}")).join(" ");
    format!(
        "prefix=${{pcfiledir}}/../..\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\
         fortrandir=${{prefix}}/share/dudley/fortran\n\nName: dudley\n\
         Description: Reads and writes binary scientific data through layouts\nVersion: {}\nCflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -ldudley_c\nLibs.private: {needed}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// For CMake: the targets `dudley::dudley` and `dudley::static`, and where the module of Fortran is.
fn config() -> String {
    let target = |name: &str, kind: &str, file: &str| {
        format!(
            "  add_library(dudley::{name} {kind} IMPORTED)\n  set_target_properties(dudley::{name} PROPERTIES\n    \
             IMPORTED_LOCATION \"${{_dudley_prefix}}/lib/{file}\"\n    \
             INTERFACE_INCLUDE_DIRECTORIES \"${{_dudley_prefix}}/include\")\n"
        )
    };
    let soname = if cfg!(target_os = "macos") {
        format!("@rpath/{}", SHARED.0)
    } else {
        SHARED.0.to_owned()
    };
    format!(
        "get_filename_component(_dudley_prefix \"${{CMAKE_CURRENT_LIST_DIR}}/../../..\" ABSOLUTE)\n\
         # A program in Fortran has this file among its sources.\n\
         set(dudley_FORTRAN_MODULE \"${{_dudley_prefix}}/share/dudley/fortran/dudley.f90\")\n\
         if(NOT TARGET dudley::dudley)\n{}  \
         set_property(TARGET dudley::dudley PROPERTY IMPORTED_SONAME \"{soname}\")\n{}  \
         set_property(TARGET dudley::static PROPERTY INTERFACE_LINK_LIBRARIES \"{}\")\nendif()\n",
        target("dudley", "SHARED", SHARED.0),
        target("static", "STATIC", STATIC),
        NEEDED.join(";")
    )
}

/// Before version 1, a change of the middle number may break programs.
fn config_version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let alike = version.rsplit_once('.').map_or(version, |(alike, _)| alike).replace('.', "[.]");
    format!(
        "set(PACKAGE_VERSION \"{version}\")\nif(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND\n    \
         PACKAGE_FIND_VERSION MATCHES \"^{alike}([.]|$)\")\n  set(PACKAGE_VERSION_COMPATIBLE TRUE)\n  \
         if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)\n    set(PACKAGE_VERSION_EXACT TRUE)\n  endif()\nendif()\n"
    )
}
