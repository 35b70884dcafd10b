//! Builds the book: the pages of `docs/` and those that they lead to, as one site with a search.
//!
//! mdBook wants all pages below one folder. So they are copied into `target/book/src`, each where it lies in the
//! repository, and links between them hold in both places.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::{Outcome, cargo, root, succeed, target};

/// The version of mdBook that is built where there is none.
const MDBOOK: &str = "mdbook@0.5.4";

/// Builds the book into `target/book/site`.
///
/// # Errors
///
/// If a page cannot be read or written, or mdBook cannot be installed, or fails.
pub fn build() -> Outcome<()> {
    let folder = target().join("book");
    let pages = folder.join("src");
    for old in [&pages, &folder.join("site")] {
        if old.exists() {
            fs::remove_dir_all(old)?;
        }
    }
    fs::create_dir_all(&pages)?;
    fs::copy(root().join("docs/book.toml"), folder.join("book.toml"))?;
    copy_folder(Path::new("docs"), &pages)?;
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md"))?;
    let summary =
        summary.replace("](../", "](@/").replace("](", "](docs/").replace("](docs/@/", "](");
    fs::write(pages.join("SUMMARY.md"), summary)?;
    copy_linked(&pages)?;
    succeed(mdbook()?.arg("build").arg(&folder).arg("--dest-dir").arg(folder.join("site")))?;
    println!("{}", folder.join("site/index.html").display());
    Ok(())
}

/// mdBook, from where it is or built once into `target/tools`.
fn mdbook() -> Outcome<Command> {
    if Command::new("mdbook").arg("--version").output().is_ok() {
        return Ok(Command::new("mdbook"));
    }
    let tools = target().join("tools");
    let program = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut install = cargo();
        install.args(["install", "--quiet", "--locked", "--no-default-features"]);
        succeed(install.args(["--features", "search", "--root"]).arg(&tools).arg(MDBOOK))?;
    }
    Ok(Command::new(program))
}

/// Copies a folder of the repository, but not what is for mdBook alone.
fn copy_folder(folder: &Path, pages: &Path) -> Outcome<()> {
    fs::create_dir_all(pages.join(folder))?;
    for entry in fs::read_dir(root().join(folder))? {
        let path = folder.join(entry?.file_name());
        if root().join(&path).is_dir() {
            copy_folder(&path, pages)?;
        } else if !path.ends_with("SUMMARY.md") && !path.ends_with("book.toml") {
            fs::copy(root().join(&path), pages.join(&path))?;
        }
    }
    Ok(())
}

/// Copies what pages link to, and what those link to, and so on.
fn copy_linked(pages: &Path) -> Outcome<()> {
    let mut left = markdown(pages, Path::new(""))?;
    while let Some(page) = left.pop() {
        let text = fs::read_to_string(pages.join(&page))?;
        let folder = page.parent().unwrap_or(Path::new(""));
        for (at, _) in text.match_indices("](") {
            let link = text[at + 2..].split([')', '#']).next().unwrap_or_default();
            let Some(file) = within(&folder.join(link)) else { continue };
            let (from, to) = (root().join(&file), pages.join(&file));
            if link.contains("://") || to.exists() || !from.is_file() {
                continue;
            }
            fs::create_dir_all(to.parent().unwrap_or(pages))?;
            fs::copy(from, to)?;
            left.extend(file.extension().is_some_and(|it| it == "md").then_some(file));
        }
    }
    Ok(())
}

/// The pages below a folder.
fn markdown(pages: &Path, folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(pages.join(folder))? {
        let path = folder.join(entry?.file_name());
        if pages.join(&path).is_dir() {
            found.extend(markdown(pages, &path)?);
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
    Ok(found)
}

/// A path without `..`, if it stays within the repository.
fn within(path: &Path) -> Option<PathBuf> {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::CurDir => {}
            Component::ParentDir => clean.pop().then_some(())?,
            _ => return None,
        }
    }
    Some(clean)
}
