/**
 * The Dudley layout language for tree-sitter. The rules of the language are in docs/language.md;
 * what is wrong there (two places for an item, a list in a struct) may still parse here.
 */

const number = /[0-9][0-9A-Za-z_]*/;
const signed = /[-+]?[0-9][0-9A-Za-z_]*/;

/** Rules, with commas between them; the last comma may be there. */
const list = (rule) => seq(rule, repeat(seq(',', rule)), optional(','));

module.exports = grammar({
  name: 'dud',

  extras: ($) => [/[\s\uFEFF]/, $.documentation, $.attributes, $.comment],

  rules: {
    layout: ($) =>
      seq(
        optional(field('order', alias(token(/[<>]/), $.order))),
        optional(field('packing', $.align)),
        optional(field('summary', alias($.struct, $.summary))),
        repeat($._item),
        optional(field('end', $.terminator)),
      ),

    _item: ($) => choice($.data, $.param, $.dict, $.list, $.type, $.up, $.root),

    data: ($) =>
      seq(
        field('name', $._name),
        '=',
        choice($._array, seq($.items, optional($.repeat))),
      ),

    param: ($) =>
      seq(
        field('name', $._name),
        choice(':=', ':'),
        choice(seq(field('value', alias(signed, $.integer)), repeat($._place)), $._array),
      ),

    dict: ($) => seq(field('name', $._name), '/'),

    list: ($) => seq(field('name', $._name), $.items, optional($.repeat)),

    type: ($) =>
      seq(field('name', $._name), $.struct, optional($.align)),

    up: () => '..',
    root: () => '/',

    // ---- types -------------------------------------------------------------------------

    _array: ($) =>
      seq(
        field('type', $._type),
        optional(field('shape', $.shape)),
        optional($.filter),
        repeat($._place),
      ),

    _type: ($) =>
      choice(
        $.primitive,
        alias($.identifier, $.type_name),
        alias($.string, $.type_name),
        // `} %8` belongs to the struct; behind a shape it is the place of the item.
        prec.right(1, seq($.struct, optional($.align))),
      ),

    // A prefix touches the name.
    primitive: () =>
      token(
        choice(
          /[<>|]?(i[1248]|u[1248]|f[248]|c4|c8|c16|b1|S1|U[124]|p[48])/,
          /[<>|]([A-Za-z_][A-Za-z0-9_]*|"[^"\\\r\n]*"|'[^'\\\r\n]*')/,
        ),
      ),

    struct: ($) => seq('{', optional(field('packing', $.align)), repeat($._item), '}'),

    shape: ($) => seq('[', $._dim, repeat(seq(',', $._dim)), ']'),

    _dim: ($) =>
      seq(
        choice(alias(signed, $.integer), alias($._name, $.param_name), $.parentheses),
        repeat($._term),
      ),

    parentheses: ($) => seq('(', $._dim, ')'),

    _term: ($) =>
      prec.right(
        seq(
          repeat1(alias(choice('+', '-', '*', '/'), $.sign)),
          optional(choice(alias(number, $.integer), alias($._name, $.param_name), $.parentheses)),
        ),
      ),

    // ---- places, repeats, filters --------------------------------------------------------

    _place: ($) => choice($.address, $.align),

    address: ($) =>
      seq(
        '@',
        choice(alias(signed, $.integer), alias($._name, $.param_name), $.parentheses),
        repeat($._touching),
      ),

    // Behind a `*` or `/` an operand touches: else it begins something else.
    _touching: ($) =>
      choice(
        alias(token.immediate(prec(3, /[*\/][A-Za-z0-9_]+/)), $.term),
        seq(token.immediate(prec(3, /[*\/]\(/)), $._dim, ')'),
        prec.right(
          seq(
            alias(token.immediate(prec(2, /[-+]/)), $.sign),
            optional(
              choice(
                alias(token.immediate(number), $.integer),
                alias(token.immediate(/[A-Za-z_][A-Za-z0-9_]*/), $.param_name),
                seq(token.immediate('('), $._dim, ')'),
              ),
            ),
          ),
        ),
      ),

    align: ($) => seq('%', alias(signed, $.integer)),

    repeat: ($) =>
      seq(
        '*',
        choice(
          $.parentheses,
          seq(
            choice(alias(signed, $.integer), alias($._name, $.param_name)),
            optional(alias(token.immediate(prec(2, /[-+]+/)), $.sign)),
          ),
        ),
      ),

    filter: ($) =>
      seq(
        '->',
        field('name', alias($._name, $.filter_name)),
        optional($.arguments),
        optional(field('stored', $.stored)),
      ),

    arguments: ($) =>
      seq('(', optional(seq($._argument, repeat(seq(',', $._argument)))), ')'),

    _argument: ($) =>
      choice($._name, alias(/[-+]?\.?[0-9]([eE][-+]|[0-9A-Za-z_.])*/, $.number)),

    stored: ($) => seq('[', $._dim, ']'),

    // ---- lists ---------------------------------------------------------------------------

    items: ($) => seq('[', optional(list($._element)), ']'),

    _element: ($) =>
      choice(
        seq($.items, optional($.repeat)),
        $.group,
        $.parentheses,
        seq($._array, repeat(alias(choice('+', '-'), $.sign))),
        seq(alias(signed, $.integer), repeat(alias(choice('+', '-'), $.sign))),
      ),

    group: ($) => seq('/', repeat($._item)),

    // ---- tokens --------------------------------------------------------------------------

    // The name of a primitive may be any other name too.
    _name: ($) => choice($.identifier, $.string, alias($.primitive, $.identifier)),

    identifier: () => /[A-Za-z_][A-Za-z0-9_]*/,

    // Before comments, since a `#` in quotes begins none.
    string: ($) =>
      choice(
        seq(
          '"',
          repeat(choice(token.immediate(prec(1, /[^"\\\r\n]+/)), $.escape)),
          token.immediate('"'),
        ),
        seq(
          "'",
          repeat(choice(token.immediate(prec(1, /[^'\\\r\n]+/)), $.escape)),
          token.immediate("'"),
        ),
      ),

    escape: () => token.immediate(prec(1, /\\(u\{[0-9A-Fa-f]{1,6}\}|[^\r\n])/)),

    documentation: () => token(/##([^#\r\n][^\r\n]*)?/),
    attributes: () => token(/#:[^\r\n]*/),
    comment: () => token(/#[^\r\n]*/),

    // Dashes up to the end of a line, and all behind them, which is not read.
    terminator: () => token(/-+[ \t]*([\r\n](.|[\r\n])*)?/),
  },
});
