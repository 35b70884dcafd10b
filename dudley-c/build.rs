//! What is the library called by programs that were linked with it? The name has the version that the interface keeps to.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdudley_c.so.0"),
        Ok("macos") => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libdudley_c.dylib");
        }
        _ => {}
    }
}
