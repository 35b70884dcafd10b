//! The macro `layout!`: its arguments, the layout, and the expansion.

use std::path::{Path, PathBuf};

use dudley_parser::render::{Style, render};
use dudley_parser::{Diagnostic, Layout, Severity, check};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitStr, Token, Visibility};

use crate::generate::{Options, generate};

/// The place of a call of a macro.
pub trait CallSite {
    /// The file of the call, if it is known.
    fn file(&self) -> Option<PathBuf>;

    /// The line of the file that the literal begins in, from 1.
    fn line(&self) -> usize;

    /// The folder of the package that is compiled.
    fn package(&self) -> Option<PathBuf>;
}

/// The arguments of `layout!`.
struct Call {
    attributes: Vec<Attribute>,
    module: Option<(Visibility, Ident)>,
    literal: LitStr,
    options: Options,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let module = if input.peek(Token![mod]) {
            input.parse::<Token![mod]>()?;
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some((visibility, name))
        } else if attributes.is_empty() && matches!(visibility, Visibility::Inherited) {
            None
        } else {
            return Err(input.error("expected `mod name = \"path.dud\"`"));
        };
        let literal = input.parse().map_err(|error| {
            let expected = "expected the path of a layout (`\"restart.dud\"`), or its text";
            syn::Error::new(error.span(), expected)
        })?;
        let mut options = Options::default();
        while !input.is_empty() {
            if module.is_some() && input.peek(Token![;]) {
                input.parse::<Token![;]>()?;
                break;
            }
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            option(input, &mut options)?;
        }
        if !input.is_empty() {
            return Err(input.error("expected nothing more"));
        }
        Ok(Self { attributes, module, literal, options })
    }
}

/// One word behind the literal.
fn option(input: ParseStream<'_>, options: &mut Options) -> syn::Result<()> {
    if input.peek(Token![crate]) {
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        let literal: LitStr = input.parse()?;
        let path = literal.parse_with(syn::Path::parse_mod_style).map_err(|_| {
            syn::Error::new(literal.span(), "expected the path of a crate, such as `\"::dudley\"`")
        })?;
        options.krate = quote!(#path);
        return Ok(());
    }
    let expected = "unknown option: expected `crate = \"path\"` or `transfer`";
    let word: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), expected))?;
    if word != "transfer" {
        return Err(syn::Error::new(word.span(), expected));
    }
    options.transfer = true;
    Ok(())
}

/// The expansion of `layout!`; errors of the layout become errors of the compiler.
pub fn expand(input: TokenStream, site: impl FnOnce(&LitStr) -> Box<dyn CallSite>) -> TokenStream {
    match syn::parse2::<Call>(input).and_then(|call| {
        let site = site(&call.literal);
        expand_call(&call, &*site)
    }) {
        Ok(tokens) => tokens,
        Err(error) => error.to_compile_error(),
    }
}

fn expand_call(call: &Call, site: &dyn CallSite) -> syn::Result<TokenStream> {
    let fail = |message: String| syn::Error::new(call.literal.span(), message);
    let value = call.literal.value();
    let (layout, tracked) = if is_path(&value) {
        let found = locate(&value, site).map_err(fail)?;
        (load(&found.path).map_err(fail)?, Some(found.tracked))
    } else {
        (inline(&value, site).map_err(fail)?, None)
    };
    let code = generate(&layout, &call.options);
    let tracked = tracked.map(|path| {
        quote! { const _: &[::core::primitive::u8] = ::core::include_bytes!(#path); }
    });
    Ok(match &call.module {
        None => quote! { #tracked #code },
        Some((visibility, name)) => {
            let attributes = &call.attributes;
            let doc = format!(" Reads and writes streams of the layout `{name}`.");
            quote! {
                #(#attributes)*
                #[doc = #doc]
                #visibility mod #name {
                    #tracked
                    #code
                }
            }
        }
    })
}

/// Whether a literal is the path of a layout; any other is the text of one.
fn is_path(value: &str) -> bool {
    !value.contains('\n') && value.ends_with(".dud")
}

/// A file, and how `include_bytes!` names it where the macro is called.
struct Located {
    path: PathBuf,
    tracked: TokenStream,
}

/// The file that a path means: from the file of the call, else from the folder of its package.
fn locate(value: &str, site: &dyn CallSite) -> Result<Located, String> {
    let mut tried = Vec::new();
    let beside = site.file().and_then(|file| Some(file.parent()?.join(value)));
    let package = site.package().map(|folder| folder.join(value));
    let from_package = quote! {
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #value)
    };
    let candidates = [(beside, quote!(#value)), (package, from_package)];
    for (path, tracked) in candidates {
        let Some(path) = path else { continue };
        if path.is_file() {
            return Ok(Located { path, tracked });
        }
        tried.push(format!("`{}`", path.display()));
    }
    Err(format!(
        "no layout `{value}`, neither beside the file of this call nor in the folder of its package \
         (tried {})",
        tried.join(" and ")
    ))
}

/// The checked layout of a file.
///
/// # Errors
/// A message with all errors of the layout, each with file, line and marker; or why the file
/// cannot be read.
pub fn load(path: &Path) -> Result<Layout, String> {
    let shown = path.display().to_string();
    let text = std::fs::read(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    checked(&text, &shown)
}

/// The checked layout of a text in the program. Messages have the lines of the program.
fn inline(value: &str, site: &dyn CallSite) -> Result<Layout, String> {
    match check(value.as_bytes()).layout {
        Some(layout) => Ok(layout),
        None => {
            let shown =
                site.file().map_or_else(|| "layout".to_owned(), |it| it.display().to_string());
            let before = "\n".repeat(site.line().saturating_sub(1));
            checked((before + value).as_bytes(), &shown)
        }
    }
}

fn checked(text: &[u8], shown: &str) -> Result<Layout, String> {
    let checked = check(text);
    let errors: Vec<Diagnostic> = checked.of(Severity::Error).cloned().collect();
    match checked.layout {
        Some(layout) if errors.is_empty() => Ok(layout),
        _ => {
            let rendered = render(&errors, &checked.text, shown, Style::Plain);
            Err(format!("the layout has errors\n{rendered}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No file is known.
    struct Nowhere;

    impl CallSite for Nowhere {
        fn file(&self) -> Option<PathBuf> {
            None
        }

        fn line(&self) -> usize {
            7
        }

        fn package(&self) -> Option<PathBuf> {
            None
        }
    }

    fn expanded(input: TokenStream) -> String {
        expand(input, |_| Box::new(Nowhere)).to_string()
    }

    #[test]
    fn forms_of_the_call() {
        let text = "x = f8";
        let bare = expanded(quote!(#text));
        assert!(bare.contains("pub struct Root"), "{bare}");
        let module = expanded(quote!(#[cfg(all())] pub(crate) mod a = #text;));
        assert!(module.starts_with("# [cfg (all ())]") && module.contains("pub (crate) mod a {"));
        let renamed = expanded(quote!(mod a = #text, crate = "crate::engine"));
        assert!(renamed.contains("crate :: engine :: typed") && !renamed.contains(":: dudley ::"));
    }

    #[test]
    fn wrong_calls_say_what_is_expected() {
        let wrong = |input| {
            let tokens = expanded(input);
            let message = tokens.split('"').nth(1).unwrap_or_default().to_owned();
            assert!(tokens.contains("compile_error"), "{tokens}");
            message
        };
        assert_eq!(wrong(quote!(restart)), "expected the path of a layout (`\\");
        assert!(wrong(quote!(pub "a.dud")).starts_with("expected `mod name"));
        assert!(wrong(quote!("x = f8", order = "little")).starts_with("unknown option"));
        assert!(wrong(quote!("a.dud")).starts_with("no layout `a.dud`"));
        assert!(wrong(quote!("x = f9")).starts_with("the layout has errors"));
    }
}
