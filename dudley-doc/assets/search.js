// Finds items, types and their fields by their names, documentation, units, types and attributes, with the keyboard
// alone if one likes.

function anchorOf(row) {
  return `${row.f || ""}#${row.a || row.p}`;
}

// Letters as they are compared: small, without accents.
function folded(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

// What there is of a row to be found by; made once.
function textsOf(row) {
  row.texts ??= [row.p, row.p.slice(row.nm), row.q || "", `${row.w || ""} ${row.z || ""}`].map(folded);
  return row.texts;
}

// How well a row fits; 0 is not at all.
function fitness(row, words) {
  const [path, name, type, text] = textsOf(row);
  let total = 0;
  for (const word of words) {
    if (name === word || path === word) total += 100;
    else if (name.startsWith(word)) total += 50;
    else if (name.includes(word)) total += 25;
    else if (path.includes(word)) total += 12;
    else if (type === word) total += 8;
    else if (text.includes(word)) total += 5;
    else return 0;
  }
  return total - Math.min(4, path.length / 40);
}

// Types and their fields as rows, as far as this page has them.
function rowsOfTypes(types) {
  const here = row => document.getElementById(row.a);
  const rows = types.flatMap(({ name, anchor, fields }) => [
    { p: name, nm: 0, a: anchor },
    ...fields.map(([field, , , type, , a]) => ({ p: `${name}.${field}`, nm: name.length + 1, q: type, a })),
  ]);
  return rows.filter(here);
}

function found(rows, query, most) {
  const words = folded(query).split(/\s+/).filter(word => word);
  if (words.length === 0) return [];
  const hits = [];
  for (const row of rows) {
    const fits = row.p === "/" ? 0 : fitness(row, words);
    if (fits > 0) hits.push([fits, row]);
  }
  hits.sort((a, b) => b[0] - a[0]);
  return hits.slice(0, most).map(hit => hit[1]);
}

function listenSearch(rows, go) {
  const input = document.getElementById("search");
  const list = document.getElementById("hits");
  let hits = [];
  let at = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const mark = () => {
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const take = row => {
    close();
    input.blur();
    go(row);
  };
  input.addEventListener("input", () => {
    hits = found(rows, input.value, 40);
    at = 0;
    list.replaceChildren(...hits.map(row => {
      const item = html("li", { role: "option" }, html("bdi", {}, row.p));
      if (row.w) item.append(html("small", {}, row.w.slice(0, 120)));
      item.addEventListener("pointerdown", event => {
        event.preventDefault();
        take(row);
      });
      return item;
    }));
    list.hidden = hits.length === 0;
    input.setAttribute("aria-expanded", String(hits.length > 0));
    mark();
  });
  input.addEventListener("keydown", event => {
    if (event.key === "ArrowDown") at = Math.min(hits.length - 1, at + 1);
    else if (event.key === "ArrowUp") at = Math.max(0, at - 1);
    else if (event.key === "Enter" && hits[at]) return take(hits[at]);
    else if (event.key === "Escape") {
      close();
      return input.blur();
    } else return;
    event.preventDefault();
    mark();
  });
  input.addEventListener("blur", close);
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

if (typeof module !== "undefined") Object.assign(module.exports, { found });
