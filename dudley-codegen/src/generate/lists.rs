//! The types of lists: of one kind of item, or of several.

use dudley_parser::layout::{ListId, Step};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::Generator;

impl Generator<'_> {
    /// The type of a list, with a mode `M`.
    pub(super) fn list_type(&mut self, id: ListId, hint: &str) -> TokenStream {
        if let Some(known) = self.lists.get(&id) {
            return known.clone();
        }
        let k = self.krate.clone();
        let item = self.list_item(id, hint);
        let tokens = quote!(#k::typed::List<#item, M>);
        self.lists.insert(id, tokens.clone());
        tokens
    }

    fn list_item(&mut self, id: ListId, hint: &str) -> TokenStream {
        let layout = self.layout;
        // Each kind with the places in the brackets where it stands.
        let mut kinds: Vec<(TokenStream, Vec<(usize, usize)>)> = Vec::new();
        let mut known: Vec<(Step, TokenStream)> = Vec::new();
        for (piece, repeat) in layout[id].pieces.iter().enumerate() {
            for (element, &step) in layout.run(layout[*repeat].body).iter().enumerate() {
                let found = known.iter().find(|(other, _)| *other == step);
                let tokens = match found {
                    Some((_, tokens)) => tokens.clone(),
                    None => self.list_step(step, &format!("{hint}_item")),
                };
                known.push((step, tokens.clone()));
                let same =
                    kinds.iter_mut().find(|(kind, _)| kind.to_string() == tokens.to_string());
                match same {
                    Some((_, places)) => places.push((piece, element)),
                    None => kinds.push((tokens, vec![(piece, element)])),
                }
            }
        }
        match kinds.len() {
            0 => quote!(()),
            1 => kinds.swap_remove(0).0,
            _ => self.list_enum(&kinds, hint),
        }
    }

    fn list_step(&mut self, step: Step, hint: &str) -> TokenStream {
        match step {
            Step::Array(id) => self.kind(&self.layout[id], 0, hint).tokens,
            Step::Group(dict) => {
                let ty = self.dict(dict, hint);
                quote!(#ty<M>)
            }
            Step::Repeat(id) => self.list_type(self.layout[id].list, hint),
            // The checker puts nothing else into brackets.
            Step::Param(_) | Step::Enter(_) => quote!(()),
        }
    }

    /// Items of a list of different forms.
    fn list_enum(
        &mut self,
        kinds: &[(TokenStream, Vec<(usize, usize)>)],
        hint: &str,
    ) -> TokenStream {
        let k = self.krate.clone();
        let ident = self.names.camel(&format!("{hint}_item"));
        let mut variants = Vec::new();
        let mut arms = Vec::new();
        // The kind of each item in the brackets of each piece.
        let mut pieces: Vec<Vec<usize>> = Vec::new();
        for (at, (tokens, places)) in kinds.iter().enumerate() {
            let variant = format_ident!("Item{}", at);
            let doc = format!(" The kind of item {at} in the brackets.");
            variants.push(quote! { #[doc = #doc] #variant(#tokens) });
            for &(piece, element) in places {
                pieces.resize(pieces.len().max(piece + 1), Vec::new());
                let piece = &mut pieces[piece];
                piece.resize(piece.len().max(element + 1), 0);
                piece[element] = at;
            }
            let number = Literal::usize_unsuffixed(at);
            let pattern = if at + 1 == kinds.len() { quote!(_) } else { quote!(#number) };
            arms.push(quote! { #pattern => Self::#variant(#k::typed::Kind::of(at)) });
        }
        let pieces = pieces.iter().map(|piece| {
            let piece = piece.iter().map(|kind| Literal::usize_unsuffixed(*kind));
            quote!(&[#(#piece),*])
        });
        let transfer = self.transfer.then(|| enum_transfer(&k, &ident, kinds.len()));
        self.items.push(quote! {
            /// An item of a list whose items have different forms.
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            pub enum #ident<M = #k::typed::Reading> {
                #(#variants,)*
            }

            impl<M: #k::typed::Mode> #k::typed::Kind<M> for #ident<M> {
                fn of(at: #k::typed::Handle<M>) -> Self {
                    match at.kind_among(&[#(#pieces),*]) {
                        #(#arms,)*
                    }
                }
            }

            #transfer
        });
        quote!(#ident<M>)
    }
}

/// An item of several kinds handled without knowing which it is.
fn enum_transfer(k: &TokenStream, ident: &proc_macro2::Ident, kinds: usize) -> TokenStream {
    let variants: Vec<_> = (0..kinds).map(|at| format_ident!("Item{}", at)).collect();
    quote! {
        impl #k::typed::Transfer for #ident<#k::typed::Reading> {
            type Into = #ident<#k::typed::Writing>;

            fn transfer(&self, into: &Self::Into) -> #k::Result<()> {
                match (self, into) {
                    #((Self::#variants(from), #ident::#variants(into)) => {
                        #k::typed::Transfer::transfer(from, into)
                    })*
                    // Both are of one list, so of one kind.
                    _ => ::core::result::Result::Ok(()),
                }
            }
        }

        impl #k::typed::Inspect for #ident<#k::typed::Reading> {
            fn inspect(
                &self,
                see: &mut dyn ::core::ops::FnMut(&::core::primitive::str, #k::Result<#k::Value>),
            ) {
                match self {
                    #(Self::#variants(item) => #k::typed::Inspect::inspect(item, see),)*
                }
            }
        }
    }
}
