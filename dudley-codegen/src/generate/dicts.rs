//! A struct for each dict, with a method for each item.

use dudley_parser::layout::path::push_name;
use dudley_parser::layout::{
    ArrayId, DictId, DocKey, Element, ListId, ParamId, ParamValue, ROOT, RecordId,
    Scope as Declared, Step,
};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Generator;
use crate::class::Class;
use crate::names::Scope;

/// A method that every dict has.
const HANDLE: &str = "handle";

/// Methods that a reader, a writer or addresses have besides the items of the root.
const OF_ROOT: &[&str] = &[
    HANDLE,
    "params",
    "stream",
    "measure",
    "check_own_layout",
    "check_constants",
    "data_end",
    "finish",
    "finish_bytes",
    "untyped",
];

/// An item of a dict.
enum Child {
    Array(ArrayId),
    /// A member of the records of an array, which are spliced into the dict.
    Spliced(ArrayId, Step),
    Dict(DictId),
    List(ListId),
    Param(ParamId),
}

/// The methods of a dict.
struct Methods {
    names: Scope,
    /// The methods of items that params place.
    placed: Vec<TokenStream>,
    /// The methods of items that only a stream places.
    varying: Vec<TokenStream>,
    /// All of them by name, and whether their items may be absent.
    all: Vec<(Ident, bool)>,
}

impl Generator<'_> {
    /// Makes the type of a dict and all that is in it.
    pub(super) fn dict(&mut self, dict: DictId, name: &str) -> Ident {
        let ident = match dict {
            ROOT => Ident::new("Root", proc_macro2::Span::call_site()),
            _ => self.names.camel(name),
        };
        let path = self.dict_path(dict);
        let reserved = if dict == ROOT { OF_ROOT } else { &[HANDLE] };
        let mut methods = Methods {
            names: Scope::with(reserved),
            placed: Vec::new(),
            varying: Vec::new(),
            all: Vec::new(),
        };
        for child in self.children(dict) {
            self.method(dict, name, path.as_deref(), &child, &mut methods);
        }
        let key = if dict == ROOT { DocKey::LAYOUT } else { DocKey::of(self.layout[dict].span) };
        let what = match &path {
            Some(path) if dict != ROOT => format!("The dict `{path}`."),
            Some(_) => "The root dict.".to_owned(),
            None => "An item of a list.".to_owned(),
        };
        let doc = self.docs.plain(self.layout, key, &what);
        let item = self.dict_type(&ident, &doc, &methods);
        self.items.push(item);
        ident
    }

    fn dict_type(&self, ident: &Ident, doc: &TokenStream, methods: &Methods) -> TokenStream {
        let k = &self.krate;
        let Methods { placed, varying, .. } = methods;
        // Methods have the names of the items, whatever the conventions of Rust.
        let conventional = |(name, _): &(Ident, bool)| {
            let name = name.to_string();
            ["from_", "into_", "to_", "as_"].iter().any(|prefix| name.starts_with(prefix))
        };
        let allow = methods.all.iter().any(conventional).then(|| {
            quote! { #[allow(clippy::wrong_self_convention)] }
        });
        let transfer = self.transfer.then(|| self.dict_transfer(ident, &methods.all));
        let varying = match varying.as_slice() {
            [] => TokenStream::new(),
            varying => quote! {
                /// Items whose places only a stream tells.
                #allow
                impl<M: #k::typed::Measured> #ident<M> {
                    #(#varying)*
                }
            },
        };
        quote! {
            #doc
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            pub struct #ident<M = #k::typed::Reading> {
                at: #k::typed::Handle<M>,
            }

            impl<M: #k::typed::Mode> #k::typed::Kind<M> for #ident<M> {
                fn of(at: #k::typed::Handle<M>) -> Self {
                    Self { at }
                }
            }

            #allow
            impl<M: #k::typed::Mode> #ident<M> {
                /// The item, as programs without a type for it see it.
                #[must_use]
                pub const fn handle(&self) -> &#k::typed::Handle<M> {
                    &self.at
                }

                #(#placed)*
            }

            #varying
            #transfer
        }
    }

    /// A dict handled as a whole.
    fn dict_transfer(&self, ident: &Ident, all: &[(Ident, bool)]) -> TokenStream {
        let k = &self.krate;
        let copied = all.iter().map(|(name, optional)| {
            let fallible = if *optional { quote!(?) } else { TokenStream::new() };
            quote!(#k::typed::Transfer::transfer(&self.#name() #fallible, &into.#name() #fallible)?;)
        });
        let seen = all.iter().map(|(name, _)| name);
        let (into, see) =
            if all.is_empty() { (quote!(_), quote!(_)) } else { (quote!(into), quote!(see)) };
        quote! {
            impl #k::typed::Transfer for #ident<#k::typed::Reading> {
                type Into = #ident<#k::typed::Writing>;

                fn transfer(&self, #into: &Self::Into) -> #k::Result<()> {
                    #(#copied)*
                    ::core::result::Result::Ok(())
                }
            }

            impl #k::typed::Inspect for #ident<#k::typed::Reading> {
                fn inspect(
                    &self,
                    #see: &mut dyn ::core::ops::FnMut(
                        &::core::primitive::str,
                        #k::Result<#k::Value>,
                    ),
                ) {
                    #(#k::typed::Inspect::inspect(&self.#seen(), see);)*
                }
            }
        }
    }

    /// The items of a dict in the order of the text, and the streamed params of one that repeats.
    fn children(&self, dict: DictId) -> Vec<Child> {
        let layout = self.layout;
        let mut children = Vec::new();
        let home = layout[dict].home;
        for &step in layout.run(layout[home].run) {
            match step {
                Step::Array(id) if layout[id].dict == Some(dict) && layout[id].spliced => {
                    let Element::Record(record) = layout[id].element else { continue };
                    children.extend(self.members(record).map(|member| Child::Spliced(id, member)));
                }
                Step::Array(id) if layout[id].dict == Some(dict) => {
                    children.push(Child::Array(id));
                }
                Step::Enter(id) if layout[id].parent == Some(dict) => {
                    children.push(Child::Dict(id));
                }
                Step::Repeat(id) => {
                    let list = layout[id].list;
                    let first = layout[list].pieces.first() == Some(&id);
                    if first && layout[list].dict == dict && layout[list].outer.is_none() {
                        children.push(Child::List(list));
                    }
                }
                Step::Param(id) => {
                    let repeated = layout[id].scope == Declared::Repeated(dict);
                    let key = DocKey::of(layout[id].span);
                    if repeated && layout[id].is_streamed() && !self.is_const(key) {
                        children.push(Child::Param(id));
                    }
                }
                _ => {}
            }
        }
        children
    }

    /// The members of a record that are presented as items of its dict (spec 3.10).
    fn members(&self, record: RecordId) -> impl Iterator<Item = Step> {
        let steps = self.layout.run(self.layout[record].members).iter().copied();
        steps.filter(|step| self.layout.presented_member(*step).is_some())
    }

    fn method(
        &mut self,
        dict: DictId,
        owner: &str,
        path: Option<&str>,
        child: &Child,
        methods: &mut Methods,
    ) {
        match *child {
            Child::Array(id) => self.array_method(owner, path, id, Step::Array(id), methods),
            Child::Spliced(id, member) => self.array_method(owner, path, id, member, methods),
            Child::Dict(id) => self.dict_method(dict, owner, id, methods),
            Child::List(id) => self.list_method(owner, path, id, methods),
            Child::Param(id) => self.param_method(id, methods),
        }
    }

    /// The method for data, or for a member of its records that is spliced into its dict.
    fn array_method(
        &mut self,
        owner: &str,
        path: Option<&str>,
        id: ArrayId,
        shown: Step,
        methods: &mut Methods,
    ) {
        let layout = self.layout;
        let Some((symbol, span)) = layout.presented_member(shown) else { return };
        let key = DocKey::of(span);
        if self.is_const(key) {
            return;
        }
        let name = layout.name(symbol).to_owned();
        let (outer, outer_optional) = match shown {
            Step::Array(own) if own == id => (0, false),
            _ => self.rank(&layout[id]),
        };
        let kind = match shown {
            Step::Array(array) => self.kind(&layout[array], outer, &join_names(owner, &name)),
            Step::Param(param) => self.stored_kind(&layout[param], outer),
            _ => return,
        };
        let class = self.classes.arrays.get(&id).copied().unwrap_or(Class::Params);
        let path = join_path(path, &name);
        let method = methods.names.snake(&name);
        let tokens = &kind.tokens;
        let k = &self.krate;
        methods.all.push((method.clone(), kind.optional || outer_optional));
        let tokens = if kind.optional || outer_optional {
            let more = "There only if a param is -1 (its attribute is `presence`).";
            let errors = "# Errors";
            let which = "If that param is neither 0 nor -1, or cannot be read.";
            let doc = self.docs.data(layout, key, &path, &kind.dtype, &[more, errors, which]);
            quote! {
                #doc
                pub fn #method(&self) -> #k::Result<::core::option::Option<#tokens>> {
                    self.at.optional(#name)
                }
            }
        } else {
            let doc = self.docs.data(layout, key, &path, &kind.dtype, &[]);
            quote! {
                #doc
                #[must_use]
                pub fn #method(&self) -> #tokens {
                    self.at.child(#name)
                }
            }
        };
        methods.push(class, tokens);
    }

    fn dict_method(&mut self, _: DictId, owner: &str, id: DictId, methods: &mut Methods) {
        let name = self.layout.name(self.layout[id].name).to_owned();
        let ty = self.dict(id, &join_names(owner, &name));
        let what = format!("The dict `{name}`.");
        let doc = self.docs.plain(self.layout, DocKey::of(self.layout[id].span), &what);
        let method = methods.names.snake(&name);
        methods.all.push((method.clone(), false));
        let tokens = quote! {
            #doc
            #[must_use]
            pub fn #method(&self) -> #ty<M> {
                self.at.child(#name)
            }
        };
        methods.push(Class::Constant, tokens);
    }

    fn list_method(&mut self, owner: &str, path: Option<&str>, id: ListId, methods: &mut Methods) {
        let name = self.layout.name(self.layout[id].name).to_owned();
        let tokens = self.list_type(id, &join_names(owner, &name));
        let class = self.classes.lists.get(&id).copied().unwrap_or(Class::Params);
        let what = format!("The list `{}`.", join_path(path, &name));
        let doc = self.docs.plain(self.layout, DocKey::of(self.layout[id].span), &what);
        let method = methods.names.snake(&name);
        methods.all.push((method.clone(), false));
        let tokens = quote! {
            #doc
            #[must_use]
            pub fn #method(&self) -> #tokens {
                self.at.child(#name)
            }
        };
        methods.push(class, tokens);
    }

    /// Of a param that is read anew in each repetition.
    fn param_method(&mut self, id: ParamId, methods: &mut Methods) {
        let param = &self.layout[id];
        let name = self.layout.name(param.name).to_owned();
        let ordinal = proc_macro2::Literal::u32_unsuffixed(param.ordinal);
        let dtype = match param.value {
            ParamValue::Streamed(primitive, order) => primitive.with_order(order),
            ParamValue::Fixed(_) => String::new(),
        };
        let key = DocKey::of(param.span);
        let label = self.layout.param_label(id);
        let doc = self.docs.data(self.layout, key, &label, &format!(": {dtype}"), &[]);
        let method = methods.names.snake(&name);
        methods.all.push((method.clone(), false));
        let k = &self.krate;
        methods.varying.push(quote! {
            #doc
            #[must_use]
            pub fn #method(&self) -> #k::typed::Param<M> {
                self.at.param(#name, #ordinal)
            }
        });
    }

    /// The path of a dict that is in no list.
    pub(super) fn dict_path(&self, dict: DictId) -> Option<String> {
        let mut names = Vec::new();
        let mut here = dict;
        while here != ROOT {
            let declared = &self.layout[here];
            if declared.list.is_some() {
                return None;
            }
            names.push(self.layout.name(declared.name));
            here = declared.parent?;
        }
        let mut path = String::new();
        for name in names.iter().rev() {
            path.push('/');
            push_name(&mut path, name);
        }
        if path.is_empty() {
            path.push('/');
        }
        Some(path)
    }
}

impl Methods {
    fn push(&mut self, class: Class, tokens: TokenStream) {
        match class {
            Class::Constant | Class::Params => self.placed.push(tokens),
            Class::Varying => self.varying.push(tokens),
        }
    }
}

/// The name of the type of an item in a dict or list.
pub(super) fn join_names(owner: &str, name: &str) -> String {
    match owner {
        "Root" => name.to_owned(),
        owner => format!("{owner}_{name}"),
    }
}

/// The path of something in a dict, as far as that has one.
pub(super) fn join_path(dict: Option<&str>, name: &str) -> String {
    let mut path = match dict {
        Some("/") | None => String::new(),
        Some(dict) => dict.to_owned(),
    };
    if dict.is_some() {
        path.push('/');
    }
    push_name(&mut path, name);
    path
}
