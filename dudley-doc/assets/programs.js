// Programs that read an item: what the params come to is put into the holes of a template.

function filled(template, row, results) {
  const number = node => (node === undefined || node === null || results[node] === null ? "?" : results[node].toString());
  const [name, parts, strides] = row.h;
  const path = parts.length === 0 ? row.p : parts.map(part => (typeof part === "number" ? number(part) : part)).join("");
  const there = (row.d || []).map((node, at) => [node, strides[at]]).filter(([node]) => node === null || results[node] !== -1n);
  const dims = there.map(([node]) => number(node));
  const tuple = all => (all.length === 1 ? `${all[0]},` : all.join(", "));
  const parenthesized = all => (all.length ? `(${all.join(", ")})` : "");
  const holes = {
    name: () => name,
    address: () => number(row.at),
    bytes: () => number(row.b),
    count: () => number(row.n),
    shape: () => tuple(dims),
    extents: () => parenthesized([...dims].reverse().map(dim => `${dim}_int64`)),
    colons: () => parenthesized(dims.map(() => ":")),
    strides: () => tuple(there.map(([, stride]) => number(stride))),
    shell: () => `'${path.replaceAll("'", "'\\''")}'`,
    rust: () => JSON.stringify(path),
    methods: () => path.split("/").slice(1).map(part => `.${part}()`).join(""),
  };
  return template
    .map(part => (typeof part === "string" ? part : part[0] === "v" ? number(part[1]) : holes[part[0]]()))
    .join("");
}
