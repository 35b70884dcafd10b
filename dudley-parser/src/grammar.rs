//! The parser that pest makes from `grammar.pest`. Do not edit: run `cargo xtask grammar`.

#![allow(clippy::all, dead_code, missing_docs, unused_imports, unreachable_pub)]
pub(crate) struct Grammar;
#[allow(dead_code, non_camel_case_types, clippy::upper_case_acronyms)]
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Rule {
    ///End-of-input
    EOI,
    r#opening,
    r#items,
    r#single,
    r#order,
    r#pack,
    r#summary,
    r#up,
    r#root,
    r#enter,
    r#data,
    r#param,
    r#stray_sign,
    r#stray_struct,
    r#prefix,
    r#body,
    r#struct_align,
    r#shape,
    r#terms,
    r#group,
    r#address,
    r#touching_terms,
    r#align,
    r#list,
    r#element_array,
    r#element_int,
    r#signs,
    r#anonymous,
    r#repeat,
    r#suffix,
    r#filter,
    r#args,
    r#stored,
    r#name,
    r#name_rest,
    r#number,
    r#int,
    r#value,
    r#t,
    r#want_item,
    r#want_tail,
    r#want_type,
    r#want_value,
    r#want_primitive,
    r#want_brace,
    r#want_align,
    r#want_shape_end,
    r#want_dim,
    r#want_address,
    r#want_list_end,
    r#want_element,
    r#want_count,
    r#want_filter,
    r#want_args_end,
    r#want_arg,
    r#want_stored_end,
    r#want_group_end,
}
impl Rule {
    pub fn all_rules() -> &'static [Rule] {
        &[
            Rule::r#opening,
            Rule::r#items,
            Rule::r#single,
            Rule::r#order,
            Rule::r#pack,
            Rule::r#summary,
            Rule::r#up,
            Rule::r#root,
            Rule::r#enter,
            Rule::r#data,
            Rule::r#param,
            Rule::r#stray_sign,
            Rule::r#stray_struct,
            Rule::r#prefix,
            Rule::r#body,
            Rule::r#struct_align,
            Rule::r#shape,
            Rule::r#terms,
            Rule::r#group,
            Rule::r#address,
            Rule::r#touching_terms,
            Rule::r#align,
            Rule::r#list,
            Rule::r#element_array,
            Rule::r#element_int,
            Rule::r#signs,
            Rule::r#anonymous,
            Rule::r#repeat,
            Rule::r#suffix,
            Rule::r#filter,
            Rule::r#args,
            Rule::r#stored,
            Rule::r#name,
            Rule::r#name_rest,
            Rule::r#number,
            Rule::r#int,
            Rule::r#value,
            Rule::r#t,
            Rule::r#want_item,
            Rule::r#want_tail,
            Rule::r#want_type,
            Rule::r#want_value,
            Rule::r#want_primitive,
            Rule::r#want_brace,
            Rule::r#want_align,
            Rule::r#want_shape_end,
            Rule::r#want_dim,
            Rule::r#want_address,
            Rule::r#want_list_end,
            Rule::r#want_element,
            Rule::r#want_count,
            Rule::r#want_filter,
            Rule::r#want_args_end,
            Rule::r#want_arg,
            Rule::r#want_stored_end,
            Rule::r#want_group_end,
        ]
    }
}
#[allow(clippy::all)]
impl ::pest::Parser<Rule> for Grammar {
    fn parse<'i>(
        rule: Rule,
        input: &'i str,
    ) -> ::core::result::Result<
        ::pest::iterators::Pairs<'i, Rule>,
        ::pest::error::Error<Rule>,
    > {
        mod rules {
            #![allow(clippy::upper_case_acronyms)]
            pub mod hidden {
                use super::super::Rule;
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn skip(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    Ok(state)
                }
            }
            pub mod visible {
                use super::super::Rule;
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#opening(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#opening,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#SOI(state)
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#order(state).and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#pack(state).and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#summary(state)
                                                                                .and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#items(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#items,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#SOI(state)
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#name(state)
                                                                                .and_then(|state| { self::r#t(state) })
                                                                                .and_then(|state| {
                                                                                    self::r#data(state)
                                                                                        .or_else(|state| { self::r#param(state) })
                                                                                        .or_else(|state| { self::r#enter(state) })
                                                                                        .or_else(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#list(state)
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .optional(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                        .or_else(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#body(state)
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .optional(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#struct_align(state)
                                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                        .or_else(|state| { self::r#want_tail(state) })
                                                                                })
                                                                        })
                                                                        .or_else(|state| { self::r#up(state) })
                                                                        .or_else(|state| { self::r#root(state) })
                                                                        .or_else(|state| { self::r#stray_sign(state) })
                                                                        .or_else(|state| { self::r#stray_struct(state) })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            self::r#EOI(state)
                                                                .or_else(|state| { self::r#want_item(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#single(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#single,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#SOI(state)
                                                        .and_then(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    self::r#name(state)
                                                                        .and_then(|state| { self::r#t(state) })
                                                                        .and_then(|state| {
                                                                            self::r#data(state)
                                                                                .or_else(|state| { self::r#param(state) })
                                                                                .or_else(|state| { self::r#enter(state) })
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#list(state)
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .optional(|state| {
                                                                                                            state
                                                                                                                .sequence(|state| {
                                                                                                                    self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#body(state)
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .optional(|state| {
                                                                                                            state
                                                                                                                .sequence(|state| {
                                                                                                                    self::r#struct_align(state)
                                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .or_else(|state| { self::r#want_tail(state) })
                                                                        })
                                                                })
                                                                .or_else(|state| { self::r#up(state) })
                                                                .or_else(|state| { self::r#root(state) })
                                                                .or_else(|state| { self::r#stray_sign(state) })
                                                                .or_else(|state| { self::r#stray_struct(state) })
                                                                .or_else(|state| { self::r#want_item(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .lookahead(
                                                                    false,
                                                                    |state| {
                                                                        state
                                                                            .match_range('['..'[')
                                                                            .or_else(|state| { state.match_range('*'..'*') })
                                                                            .or_else(|state| { state.match_range('@'..'@') })
                                                                            .or_else(|state| { state.match_range('%'..'%') })
                                                                            .or_else(|state| { state.match_string("->") })
                                                                            .or_else(|state| { state.match_range('('..'(') })
                                                                    },
                                                                )
                                                                .or_else(|state| { self::r#want_item(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#order(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#order,
                                        |state| {
                                            state
                                                .match_range('<'..'<')
                                                .or_else(|state| { state.match_range('>'..'>') })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#pack(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#pack,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('%'..'%')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            self::r#int(state)
                                                                .or_else(|state| { self::r#want_align(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#summary(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#summary,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .lookahead(true, |state| { state.match_range('{'..'{') })
                                                        .and_then(|state| { self::r#body(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#up(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#up,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("..")
                                                        .and_then(|state| { self::r#t(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#root(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#root,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('/'..'/')
                                                        .and_then(|state| { self::r#t(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#enter(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#enter,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('/'..'/')
                                                        .and_then(|state| { self::r#t(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#data(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#data,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('='..'=')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#name(state).and_then(|state| { self::r#t(state) })
                                                                        })
                                                                        .or_else(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    self::r#prefix(state)
                                                                                        .and_then(|state| {
                                                                                            self::r#name(state)
                                                                                                .or_else(|state| { self::r#want_primitive(state) })
                                                                                        })
                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                })
                                                                        })
                                                                        .or_else(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    self::r#body(state)
                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                        .and_then(|state| {
                                                                                            state
                                                                                                .optional(|state| {
                                                                                                    state
                                                                                                        .sequence(|state| {
                                                                                                            self::r#struct_align(state)
                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                        })
                                                                        .and_then(|state| {
                                                                            state
                                                                                .optional(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#shape(state).and_then(|state| { self::r#t(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                        .and_then(|state| {
                                                                            state
                                                                                .optional(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            state
                                                                                                .lookahead(
                                                                                                    true,
                                                                                                    |state| {
                                                                                                        state
                                                                                                            .match_range('-'..'-')
                                                                                                            .or_else(|state| { state.match_range('@'..'@') })
                                                                                                            .or_else(|state| { state.match_range('%'..'%') })
                                                                                                    },
                                                                                                )
                                                                                                .and_then(|state| {
                                                                                                    state.optional(|state| { self::r#filter(state) })
                                                                                                })
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .repeat(|state| {
                                                                                                            state
                                                                                                                .sequence(|state| {
                                                                                                                    self::r#address(state)
                                                                                                                        .or_else(|state| { self::r#align(state) })
                                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .or_else(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#list(state)
                                                                                .and_then(|state| { self::r#t(state) })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .optional(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .or_else(|state| { self::r#want_type(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#param(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#param,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string(":=")
                                                        .or_else(|state| { state.match_range(':'..':') })
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    self::r#int(state)
                                                                        .and_then(|state| { self::r#t(state) })
                                                                        .and_then(|state| {
                                                                            state
                                                                                .repeat(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#address(state)
                                                                                                .or_else(|state| { self::r#align(state) })
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .or_else(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    self::r#name(state).and_then(|state| { self::r#t(state) })
                                                                                })
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#prefix(state)
                                                                                                .and_then(|state| {
                                                                                                    self::r#name(state)
                                                                                                        .or_else(|state| { self::r#want_primitive(state) })
                                                                                                })
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                        })
                                                                                })
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#body(state)
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .optional(|state| {
                                                                                                            state
                                                                                                                .sequence(|state| {
                                                                                                                    self::r#struct_align(state)
                                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .optional(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#shape(state).and_then(|state| { self::r#t(state) })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .optional(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    state
                                                                                                        .lookahead(
                                                                                                            true,
                                                                                                            |state| {
                                                                                                                state
                                                                                                                    .match_range('-'..'-')
                                                                                                                    .or_else(|state| { state.match_range('@'..'@') })
                                                                                                                    .or_else(|state| { state.match_range('%'..'%') })
                                                                                                            },
                                                                                                        )
                                                                                                        .and_then(|state| {
                                                                                                            state.optional(|state| { self::r#filter(state) })
                                                                                                        })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .repeat(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#address(state)
                                                                                                                                .or_else(|state| { self::r#align(state) })
                                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .or_else(|state| { self::r#want_value(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#stray_sign(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#stray_sign,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('<'..'<')
                                                        .or_else(|state| { state.match_range('>'..'>') })
                                                        .or_else(|state| { state.match_range('|'..'|') })
                                                        .and_then(|state| { self::r#t(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#stray_struct(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#stray_struct,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .lookahead(true, |state| { state.match_range('{'..'{') })
                                                        .and_then(|state| { self::r#body(state) })
                                                        .and_then(|state| { self::r#t(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#prefix(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#prefix,
                                        |state| {
                                            state
                                                .match_range('<'..'<')
                                                .or_else(|state| { state.match_range('>'..'>') })
                                                .or_else(|state| { state.match_range('|'..'|') })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#body(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#body,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('{'..'{')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#pack(state).and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#name(state)
                                                                                .and_then(|state| { self::r#t(state) })
                                                                                .and_then(|state| {
                                                                                    self::r#data(state)
                                                                                        .or_else(|state| { self::r#param(state) })
                                                                                        .or_else(|state| { self::r#enter(state) })
                                                                                        .or_else(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#list(state)
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .optional(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                        .or_else(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#body(state)
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .optional(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#struct_align(state)
                                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                        .or_else(|state| { self::r#want_tail(state) })
                                                                                })
                                                                        })
                                                                        .or_else(|state| { self::r#up(state) })
                                                                        .or_else(|state| { self::r#root(state) })
                                                                        .or_else(|state| { self::r#stray_sign(state) })
                                                                        .or_else(|state| { self::r#stray_struct(state) })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .match_range('}'..'}')
                                                                .or_else(|state| { self::r#want_brace(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#struct_align(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#struct_align,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('%'..'%')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            self::r#int(state)
                                                                .or_else(|state| { self::r#want_align(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#shape(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#shape,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('['..'[')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .match_range(']'..']')
                                                                .or_else(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    self::r#int(state)
                                                                                        .or_else(|state| { self::r#name(state) })
                                                                                        .or_else(|state| { self::r#group(state) })
                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                        .and_then(|state| {
                                                                                            state.optional(|state| { self::r#terms(state) })
                                                                                        })
                                                                                })
                                                                                .or_else(|state| { self::r#want_dim(state) })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .repeat(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    state
                                                                                                        .match_range(','..',')
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .sequence(|state| {
                                                                                                                    self::r#int(state)
                                                                                                                        .or_else(|state| { self::r#name(state) })
                                                                                                                        .or_else(|state| { self::r#group(state) })
                                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                                        .and_then(|state| {
                                                                                                                            state.optional(|state| { self::r#terms(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                                .or_else(|state| { self::r#want_dim(state) })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .match_range(']'..']')
                                                                                        .or_else(|state| { self::r#want_shape_end(state) })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#terms(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#terms,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .match_range('+'..'+')
                                                                                .or_else(|state| { state.match_range('-'..'-') })
                                                                                .or_else(|state| { state.match_range('*'..'*') })
                                                                                .or_else(|state| { state.match_range('/'..'/') })
                                                                                .and_then(|state| { self::r#t(state) })
                                                                        })
                                                                        .and_then(|state| {
                                                                            state
                                                                                .repeat(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            state
                                                                                                .match_range('+'..'+')
                                                                                                .or_else(|state| { state.match_range('-'..'-') })
                                                                                                .or_else(|state| { state.match_range('*'..'*') })
                                                                                                .or_else(|state| { state.match_range('/'..'/') })
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .and_then(|state| {
                                                                    state
                                                                        .optional(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    self::r#number(state)
                                                                                        .or_else(|state| { self::r#name(state) })
                                                                                        .or_else(|state| { self::r#group(state) })
                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            state
                                                                                                .match_range('+'..'+')
                                                                                                .or_else(|state| { state.match_range('-'..'-') })
                                                                                                .or_else(|state| { state.match_range('*'..'*') })
                                                                                                .or_else(|state| { state.match_range('/'..'/') })
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                        })
                                                                                        .and_then(|state| {
                                                                                            state
                                                                                                .repeat(|state| {
                                                                                                    state
                                                                                                        .sequence(|state| {
                                                                                                            state
                                                                                                                .match_range('+'..'+')
                                                                                                                .or_else(|state| { state.match_range('-'..'-') })
                                                                                                                .or_else(|state| { state.match_range('*'..'*') })
                                                                                                                .or_else(|state| { state.match_range('/'..'/') })
                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .optional(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#number(state)
                                                                                                        .or_else(|state| { self::r#name(state) })
                                                                                                        .or_else(|state| { self::r#group(state) })
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#group(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#group,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('('..'(')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    self::r#int(state)
                                                                        .or_else(|state| { self::r#name(state) })
                                                                        .or_else(|state| { self::r#group(state) })
                                                                        .and_then(|state| { self::r#t(state) })
                                                                        .and_then(|state| {
                                                                            state.optional(|state| { self::r#terms(state) })
                                                                        })
                                                                })
                                                                .or_else(|state| { self::r#want_dim(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .match_range(')'..')')
                                                                .or_else(|state| { self::r#want_group_end(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#address(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#address,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('@'..'@')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            self::r#int(state)
                                                                .or_else(|state| { self::r#name(state) })
                                                                .or_else(|state| { self::r#group(state) })
                                                                .or_else(|state| { self::r#want_address(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state.optional(|state| { self::r#touching_terms(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#touching_terms(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#touching_terms,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    state
                                                                        .match_range('+'..'+')
                                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                                        .and_then(|state| {
                                                                            state
                                                                                .repeat(|state| {
                                                                                    state
                                                                                        .match_range('+'..'+')
                                                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                                                })
                                                                        })
                                                                })
                                                                .and_then(|state| {
                                                                    state
                                                                        .optional(|state| {
                                                                            self::r#number(state)
                                                                                .or_else(|state| { self::r#name(state) })
                                                                                .or_else(|state| { self::r#group(state) })
                                                                        })
                                                                })
                                                        })
                                                        .or_else(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    state
                                                                        .match_range('*'..'*')
                                                                        .or_else(|state| { state.match_range('/'..'/') })
                                                                        .and_then(|state| {
                                                                            self::r#number(state)
                                                                                .or_else(|state| { self::r#name(state) })
                                                                                .or_else(|state| { self::r#group(state) })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .match_range('+'..'+')
                                                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                                                        .and_then(|state| {
                                                                                            state
                                                                                                .repeat(|state| {
                                                                                                    state
                                                                                                        .match_range('+'..'+')
                                                                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .optional(|state| {
                                                                                            self::r#number(state)
                                                                                                .or_else(|state| { self::r#name(state) })
                                                                                                .or_else(|state| { self::r#group(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                        .or_else(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .match_range('*'..'*')
                                                                                        .or_else(|state| { state.match_range('/'..'/') })
                                                                                        .and_then(|state| {
                                                                                            self::r#number(state)
                                                                                                .or_else(|state| { self::r#name(state) })
                                                                                                .or_else(|state| { self::r#group(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#align(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#align,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('%'..'%')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            self::r#int(state)
                                                                .or_else(|state| { self::r#want_align(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#list(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#list,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('['..'[')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .match_range(']'..']')
                                                                .or_else(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#element_array(state)
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#list(state)
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .optional(|state| {
                                                                                                            state
                                                                                                                .sequence(|state| {
                                                                                                                    self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .or_else(|state| { self::r#anonymous(state) })
                                                                                .or_else(|state| { self::r#element_int(state) })
                                                                                .or_else(|state| { self::r#want_element(state) })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .repeat(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    state
                                                                                                        .match_range(','..',')
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            self::r#element_array(state)
                                                                                                                .or_else(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#list(state)
                                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                                                .and_then(|state| {
                                                                                                                                    state
                                                                                                                                        .optional(|state| {
                                                                                                                                            state
                                                                                                                                                .sequence(|state| {
                                                                                                                                                    self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                                                                })
                                                                                                                                        })
                                                                                                                                })
                                                                                                                        })
                                                                                                                })
                                                                                                                .or_else(|state| { self::r#anonymous(state) })
                                                                                                                .or_else(|state| { self::r#element_int(state) })
                                                                                                                .or_else(|state| {
                                                                                                                    state
                                                                                                                        .lookahead(true, |state| { state.match_range(']'..']') })
                                                                                                                })
                                                                                                                .or_else(|state| { self::r#want_element(state) })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .match_range(']'..']')
                                                                                        .or_else(|state| { self::r#want_list_end(state) })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#element_array(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#element_array,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            self::r#name(state).and_then(|state| { self::r#t(state) })
                                                        })
                                                        .or_else(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    self::r#prefix(state)
                                                                        .and_then(|state| {
                                                                            self::r#name(state)
                                                                                .or_else(|state| { self::r#want_primitive(state) })
                                                                        })
                                                                        .and_then(|state| { self::r#t(state) })
                                                                })
                                                        })
                                                        .or_else(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    self::r#body(state)
                                                                        .and_then(|state| { self::r#t(state) })
                                                                        .and_then(|state| {
                                                                            state
                                                                                .optional(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            self::r#struct_align(state)
                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#shape(state).and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .lookahead(
                                                                                    true,
                                                                                    |state| {
                                                                                        state
                                                                                            .match_range('-'..'-')
                                                                                            .or_else(|state| { state.match_range('@'..'@') })
                                                                                            .or_else(|state| { state.match_range('%'..'%') })
                                                                                    },
                                                                                )
                                                                                .and_then(|state| {
                                                                                    state.optional(|state| { self::r#filter(state) })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .repeat(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#address(state)
                                                                                                        .or_else(|state| { self::r#align(state) })
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| {
                                                            state.optional(|state| { self::r#signs(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#element_int(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#element_int,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    self::r#int(state)
                                                        .or_else(|state| { self::r#group(state) })
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state.optional(|state| { self::r#signs(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#signs(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#signs,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('+'..'+')
                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .match_range('+'..'+')
                                                                                .or_else(|state| { state.match_range('-'..'-') })
                                                                                .and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#anonymous(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#anonymous,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('/'..'/')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#name(state)
                                                                                .and_then(|state| { self::r#t(state) })
                                                                                .and_then(|state| {
                                                                                    self::r#data(state)
                                                                                        .or_else(|state| { self::r#param(state) })
                                                                                        .or_else(|state| { self::r#enter(state) })
                                                                                        .or_else(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#list(state)
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .optional(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#repeat(state).and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                        .or_else(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    self::r#body(state)
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            state
                                                                                                                .optional(|state| {
                                                                                                                    state
                                                                                                                        .sequence(|state| {
                                                                                                                            self::r#struct_align(state)
                                                                                                                                .and_then(|state| { self::r#t(state) })
                                                                                                                        })
                                                                                                                })
                                                                                                        })
                                                                                                })
                                                                                        })
                                                                                        .or_else(|state| { self::r#want_tail(state) })
                                                                                })
                                                                        })
                                                                        .or_else(|state| { self::r#up(state) })
                                                                        .or_else(|state| { self::r#root(state) })
                                                                        .or_else(|state| { self::r#stray_sign(state) })
                                                                        .or_else(|state| { self::r#stray_struct(state) })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#repeat(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#repeat,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('*'..'*')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            self::r#group(state)
                                                                .or_else(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#int(state)
                                                                                .or_else(|state| { self::r#name(state) })
                                                                                .or_else(|state| { self::r#want_count(state) })
                                                                                .and_then(|state| {
                                                                                    state.optional(|state| { self::r#suffix(state) })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#suffix(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#suffix,
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('+'..'+')
                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .match_range('+'..'+')
                                                                        .or_else(|state| { state.match_range('-'..'-') })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#filter(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#filter,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_string("->")
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            self::r#name(state)
                                                                .or_else(|state| { self::r#want_filter(state) })
                                                        })
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state.optional(|state| { self::r#args(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#stored(state).and_then(|state| { self::r#t(state) })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#args(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#args,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('('..'(')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .match_range(')'..')')
                                                                .or_else(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            self::r#value(state)
                                                                                .or_else(|state| { self::r#name(state) })
                                                                                .or_else(|state| { self::r#want_arg(state) })
                                                                                .and_then(|state| { self::r#t(state) })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .repeat(|state| {
                                                                                            state
                                                                                                .sequence(|state| {
                                                                                                    state
                                                                                                        .match_range(','..',')
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                        .and_then(|state| {
                                                                                                            self::r#value(state)
                                                                                                                .or_else(|state| { self::r#name(state) })
                                                                                                                .or_else(|state| { self::r#want_arg(state) })
                                                                                                        })
                                                                                                        .and_then(|state| { self::r#t(state) })
                                                                                                })
                                                                                        })
                                                                                })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .match_range(')'..')')
                                                                                        .or_else(|state| { self::r#want_args_end(state) })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| { self::r#t(state) })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#stored(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .atomic(
                            ::pest::Atomicity::CompoundAtomic,
                            |state| {
                                state
                                    .rule(
                                        Rule::r#stored,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('['..'[')
                                                        .and_then(|state| { self::r#t(state) })
                                                        .and_then(|state| {
                                                            state
                                                                .sequence(|state| {
                                                                    self::r#int(state)
                                                                        .or_else(|state| { self::r#name(state) })
                                                                        .or_else(|state| { self::r#group(state) })
                                                                        .and_then(|state| { self::r#t(state) })
                                                                        .and_then(|state| {
                                                                            state.optional(|state| { self::r#terms(state) })
                                                                        })
                                                                })
                                                                .or_else(|state| { self::r#want_dim(state) })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .match_range(']'..']')
                                                                .or_else(|state| { self::r#want_stored_end(state) })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#name(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#name,
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('a'..'z')
                                                        .or_else(|state| { state.match_range('A'..'Z') })
                                                        .or_else(|state| { state.match_range('_'..'_') })
                                                        .and_then(|state| { self::r#name_rest(state) })
                                                })
                                                .or_else(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            state
                                                                .match_range('"'..'"')
                                                                .and_then(|state| {
                                                                    state
                                                                        .repeat(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .lookahead(
                                                                                            false,
                                                                                            |state| {
                                                                                                state
                                                                                                    .match_range('"'..'"')
                                                                                                    .or_else(|state| { state.match_range('\\'..'\\') })
                                                                                                    .or_else(|state| { state.match_range('\n'..'\n') })
                                                                                                    .or_else(|state| { state.match_range('\r'..'\r') })
                                                                                            },
                                                                                        )
                                                                                        .and_then(|state| { self::r#ANY(state) })
                                                                                })
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            state
                                                                                                .match_range('\\'..'\\')
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .lookahead(
                                                                                                            false,
                                                                                                            |state| {
                                                                                                                state
                                                                                                                    .match_range('\n'..'\n')
                                                                                                                    .or_else(|state| { state.match_range('\r'..'\r') })
                                                                                                            },
                                                                                                        )
                                                                                                })
                                                                                                .and_then(|state| { self::r#ANY(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .and_then(|state| { state.match_range('"'..'"') })
                                                        })
                                                })
                                                .or_else(|state| {
                                                    state
                                                        .sequence(|state| {
                                                            state
                                                                .match_range('\''..'\'')
                                                                .and_then(|state| {
                                                                    state
                                                                        .repeat(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .lookahead(
                                                                                            false,
                                                                                            |state| {
                                                                                                state
                                                                                                    .match_range('\''..'\'')
                                                                                                    .or_else(|state| { state.match_range('\\'..'\\') })
                                                                                                    .or_else(|state| { state.match_range('\n'..'\n') })
                                                                                                    .or_else(|state| { state.match_range('\r'..'\r') })
                                                                                            },
                                                                                        )
                                                                                        .and_then(|state| { self::r#ANY(state) })
                                                                                })
                                                                                .or_else(|state| {
                                                                                    state
                                                                                        .sequence(|state| {
                                                                                            state
                                                                                                .match_range('\\'..'\\')
                                                                                                .and_then(|state| {
                                                                                                    state
                                                                                                        .lookahead(
                                                                                                            false,
                                                                                                            |state| {
                                                                                                                state
                                                                                                                    .match_range('\n'..'\n')
                                                                                                                    .or_else(|state| { state.match_range('\r'..'\r') })
                                                                                                            },
                                                                                                        )
                                                                                                })
                                                                                                .and_then(|state| { self::r#ANY(state) })
                                                                                        })
                                                                                })
                                                                        })
                                                                })
                                                                .and_then(|state| { state.match_range('\''..'\'') })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#name_rest(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    crate::parse::runs::run(
                        state,
                        |bytes| {
                            let mut at = 0;
                            while let Some(byte) = bytes.get(at) {
                                match byte {
                                    b'a'..=b'z' => at += 1,
                                    b'A'..=b'Z' => at += 1,
                                    b'0'..=b'9' => at += 1,
                                    b'_' => at += 1,
                                    _ => break,
                                }
                            }
                            at
                        },
                    )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#number(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#number,
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .match_range('0'..'9')
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .match_range('0'..'9')
                                                                        .or_else(|state| { state.match_range('a'..'z') })
                                                                        .or_else(|state| { state.match_range('A'..'Z') })
                                                                        .or_else(|state| { state.match_range('_'..'_') })
                                                                        .or_else(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .match_range('.'..'.')
                                                                                        .and_then(|state| { state.match_range('0'..'9') })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#int(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#int,
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .optional(|state| {
                                                            state
                                                                .match_range('-'..'-')
                                                                .or_else(|state| { state.match_range('+'..'+') })
                                                        })
                                                        .and_then(|state| { state.match_range('0'..'9') })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .match_range('0'..'9')
                                                                        .or_else(|state| { state.match_range('a'..'z') })
                                                                        .or_else(|state| { state.match_range('A'..'Z') })
                                                                        .or_else(|state| { state.match_range('_'..'_') })
                                                                        .or_else(|state| {
                                                                            state
                                                                                .sequence(|state| {
                                                                                    state
                                                                                        .match_range('.'..'.')
                                                                                        .and_then(|state| { state.match_range('0'..'9') })
                                                                                })
                                                                        })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#value(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#value,
                            |state| {
                                state
                                    .atomic(
                                        ::pest::Atomicity::Atomic,
                                        |state| {
                                            state
                                                .sequence(|state| {
                                                    state
                                                        .optional(|state| {
                                                            state
                                                                .match_range('-'..'-')
                                                                .or_else(|state| { state.match_range('+'..'+') })
                                                        })
                                                        .and_then(|state| {
                                                            state
                                                                .optional(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .match_range('.'..'.')
                                                                                .and_then(|state| { state.match_range('0'..'9') })
                                                                        })
                                                                })
                                                        })
                                                        .and_then(|state| { state.match_range('0'..'9') })
                                                        .and_then(|state| {
                                                            state
                                                                .repeat(|state| {
                                                                    state
                                                                        .sequence(|state| {
                                                                            state
                                                                                .match_range('e'..'e')
                                                                                .or_else(|state| { state.match_range('E'..'E') })
                                                                                .and_then(|state| {
                                                                                    state
                                                                                        .match_range('-'..'-')
                                                                                        .or_else(|state| { state.match_range('+'..'+') })
                                                                                })
                                                                        })
                                                                        .or_else(|state| { state.match_range('0'..'9') })
                                                                        .or_else(|state| { state.match_range('a'..'z') })
                                                                        .or_else(|state| { state.match_range('A'..'Z') })
                                                                        .or_else(|state| { state.match_range('_'..'_') })
                                                                        .or_else(|state| { state.match_range('.'..'.') })
                                                                })
                                                        })
                                                })
                                        },
                                    )
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#t(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    crate::parse::runs::run(
                        state,
                        |bytes| {
                            let mut at = 0;
                            while let Some(byte) = bytes.get(at) {
                                match byte {
                                    b' ' => at += 1,
                                    b'\t'..=b'\r' => at += 1,
                                    b'#' => {
                                        let is_in = |byte: &&u8| !matches!(byte, b'\n' | b'\r');
                                        at += bytes[at..].iter().take_while(is_in).count();
                                    }
                                    _ => break,
                                }
                            }
                            at
                        },
                    )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_item(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_item,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_tail(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_tail,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_type(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_type,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_value(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_value,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_primitive(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_primitive,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_brace(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_brace,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_align(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_align,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_shape_end(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_shape_end,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_dim(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_dim,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_address(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_address,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_list_end(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_list_end,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_element(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_element,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_count(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_count,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_filter(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_filter,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_args_end(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_args_end,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_arg(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_arg,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_stored_end(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_stored_end,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(non_snake_case, unused_variables)]
                pub fn r#want_group_end(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state
                        .rule(
                            Rule::r#want_group_end,
                            |state| {
                                state
                                    .sequence(|state| {
                                        state
                                            .lookahead(false, |state| { self::r#ANY(state) })
                                            .and_then(|state| { super::hidden::skip(state) })
                                            .and_then(|state| { self::r#ANY(state) })
                                    })
                            },
                        )
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn ANY(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.skip(1)
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn EOI(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.rule(Rule::EOI, |state| state.end_of_input())
                }
                #[inline]
                #[allow(dead_code, non_snake_case, unused_variables)]
                pub fn SOI(
                    state: ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                ) -> ::pest::ParseResult<
                    ::alloc::boxed::Box<::pest::ParserState<'_, Rule>>,
                > {
                    state.start_of_input()
                }
            }
            pub use self::visible::*;
        }
        ::pest::state(
            input,
            |state| {
                match rule {
                    Rule::r#opening => rules::r#opening(state),
                    Rule::r#items => rules::r#items(state),
                    Rule::r#single => rules::r#single(state),
                    Rule::r#order => rules::r#order(state),
                    Rule::r#pack => rules::r#pack(state),
                    Rule::r#summary => rules::r#summary(state),
                    Rule::r#up => rules::r#up(state),
                    Rule::r#root => rules::r#root(state),
                    Rule::r#enter => rules::r#enter(state),
                    Rule::r#data => rules::r#data(state),
                    Rule::r#param => rules::r#param(state),
                    Rule::r#stray_sign => rules::r#stray_sign(state),
                    Rule::r#stray_struct => rules::r#stray_struct(state),
                    Rule::r#prefix => rules::r#prefix(state),
                    Rule::r#body => rules::r#body(state),
                    Rule::r#struct_align => rules::r#struct_align(state),
                    Rule::r#shape => rules::r#shape(state),
                    Rule::r#terms => rules::r#terms(state),
                    Rule::r#group => rules::r#group(state),
                    Rule::r#address => rules::r#address(state),
                    Rule::r#touching_terms => rules::r#touching_terms(state),
                    Rule::r#align => rules::r#align(state),
                    Rule::r#list => rules::r#list(state),
                    Rule::r#element_array => rules::r#element_array(state),
                    Rule::r#element_int => rules::r#element_int(state),
                    Rule::r#signs => rules::r#signs(state),
                    Rule::r#anonymous => rules::r#anonymous(state),
                    Rule::r#repeat => rules::r#repeat(state),
                    Rule::r#suffix => rules::r#suffix(state),
                    Rule::r#filter => rules::r#filter(state),
                    Rule::r#args => rules::r#args(state),
                    Rule::r#stored => rules::r#stored(state),
                    Rule::r#name => rules::r#name(state),
                    Rule::r#name_rest => rules::r#name_rest(state),
                    Rule::r#number => rules::r#number(state),
                    Rule::r#int => rules::r#int(state),
                    Rule::r#value => rules::r#value(state),
                    Rule::r#t => rules::r#t(state),
                    Rule::r#want_item => rules::r#want_item(state),
                    Rule::r#want_tail => rules::r#want_tail(state),
                    Rule::r#want_type => rules::r#want_type(state),
                    Rule::r#want_value => rules::r#want_value(state),
                    Rule::r#want_primitive => rules::r#want_primitive(state),
                    Rule::r#want_brace => rules::r#want_brace(state),
                    Rule::r#want_align => rules::r#want_align(state),
                    Rule::r#want_shape_end => rules::r#want_shape_end(state),
                    Rule::r#want_dim => rules::r#want_dim(state),
                    Rule::r#want_address => rules::r#want_address(state),
                    Rule::r#want_list_end => rules::r#want_list_end(state),
                    Rule::r#want_element => rules::r#want_element(state),
                    Rule::r#want_count => rules::r#want_count(state),
                    Rule::r#want_filter => rules::r#want_filter(state),
                    Rule::r#want_args_end => rules::r#want_args_end(state),
                    Rule::r#want_arg => rules::r#want_arg(state),
                    Rule::r#want_stored_end => rules::r#want_stored_end(state),
                    Rule::r#want_group_end => rules::r#want_group_end(state),
                    Rule::EOI => rules::EOI(state),
                }
            },
        )
    }
}
