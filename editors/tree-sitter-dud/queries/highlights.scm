; What the words of a layout are, for highlighting.

(comment) @comment
(documentation) @comment.documentation
(attributes) @attribute
(terminator) @comment

(order) @keyword.directive
(primitive) @type.builtin
(type_name) @type
(type name: (_) @type.definition)
(data name: (_) @variable.member)
(list name: (_) @variable.member)
(param name: (_) @constant)
(param_name) @constant
(dict name: (_) @module)
(up) @module
(root) @module
(filter_name) @function

(integer) @number
(number) @number
(string) @string
(escape) @string.escape
(sign) @operator

["=" ":" ":=" "->" "*" "@" "%"] @operator
["[" "]" "{" "}" "(" ")"] @punctuation.bracket
"," @punctuation.delimiter
