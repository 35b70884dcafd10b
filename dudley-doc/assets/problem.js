// What is wrong with the params that are typed into a page.

// Params that are said to be wrong; others are counted.
const SAID = 3;

// Why a param cannot have its value, if so.
function reasonOf({ label, type, range }, value) {
  const [least, greatest] = range.map(BigInt);
  if (value !== null && value >= least && value <= greatest) return "";
  const said = `from ${shownNumber(least, false)} to ${shownNumber(greatest, false)}`;
  return `${label} must be a whole number ${said}${type ? ` (${type})` : ""}.`;
}

// What is said of all: which params are wrong, or what they make of an item; rows `beyond` are none.
function problemOf({ data, results, unknown, indices, wrong }, beyond) {
  const reasons = [...wrong.values()];
  if (reasons.length) {
    const more = reasons.length > SAID ? ` And ${reasons.length - SAID} more.` : "";
    return reasons.slice(0, SAID).join(" ") + more;
  }
  // What only a stream tells is not wrong.
  const illegal = node => node !== undefined && node !== null && results[node] === null && !unknown[node];
  for (const [at, row] of data.rows.entries()) {
    if (beyond.has(at) || (row.r && indices.includes(null))) continue;
    if (illegal(row.n) || illegal(row.b)) return `The size of ${row.p} is illegal with these params.`;
    if (illegal(row.at)) return `The address of ${row.p} is illegal with these params.`;
  }
  return illegal(data.end) ? "Some size is illegal with these params." : "";
}
