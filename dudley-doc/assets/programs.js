// Programs that read an item: what the params come to is put into the holes of a template.

// The languages and texts of the programs for a row. One with a number that is not known could not run; `dudc` says why.
function programsOf(row, { templates, sets }, results) {
  return sets[row.s].flatMap(at => {
    const [name, template] = templates[at];
    const { text, whole } = filled(template, row, results);
    return whole || name === "dudc" ? [[name, text]] : [];
  });
}

// A template with its numbers, and whether all of them are known.
function filled(template, row, results) {
  let whole = true;
  const number = node => {
    if (node !== undefined && node !== null && results[node] !== null) return results[node].toString();
    whole = false;
    return "?";
  };
  const [name, parts, strides] = row.h;
  const path = () => (parts.length === 0 ? row.p : parts.map(part => (typeof part === "number" ? number(part) : part)).join(""));
  const there = (row.d || []).map((node, at) => [node, strides[at]]).filter(([node]) => node === null || results[node] !== -1n);
  const dims = () => there.map(([node]) => number(node));
  const tuple = all => (all.length === 1 ? `${all[0]},` : all.join(", "));
  const parenthesized = all => (all.length ? `(${all.join(", ")})` : "");
  const holes = {
    name: () => name,
    address: () => number(row.at),
    bytes: () => number(row.b),
    count: () => number(row.n),
    shape: () => tuple(dims()),
    extents: () => parenthesized(dims().reverse().map(dim => `${dim}_int64`)),
    colons: () => parenthesized(there.map(() => ":")),
    strides: () => tuple(there.map(([, stride]) => number(stride))),
    shell: () => `'${path().replaceAll("'", "'\\''")}'`,
    rust: () => JSON.stringify(path()),
    methods: () => path().split("/").slice(1).map(part => `.${part}()`).join(""),
  };
  const texts = template.map(part => (typeof part === "string" ? part : part[0] === "v" ? number(part[1]) : holes[part[0]]()));
  return { text: texts.join(""), whole };
}
