"use strict";
// Carries out the operations of a layout: nothing else is known of it here. An operation is a list,
// its code first; `results[n]` is what operation n comes to, a BigInt, or null where a number is
// illegal or missing. All is checked within 63 bits.

const LIMIT = 2n ** 63n - 1n;

const within = value => (value >= -LIMIT - 1n && value <= LIMIT ? value : null);
const natural = value => (value !== null && value >= 0n && value <= LIMIT ? value : null);
const alignUp = (value, to) => natural(((value + to - 1n) / to) * to);

function product(dims, element, results) {
  let count = 1n;
  for (const dim of dims) {
    const value = results[dim];
    if (value === null) return null;
    if (value !== -1n) count *= value;
  }
  if (count === 0n) return 0n;
  const bytes = natural(results[element]);
  return bytes === null ? null : natural(count * bytes);
}

function repeated(index, first, second, third) {
  if (index === null || first === null) return null;
  if (index === 0n) return first;
  if (second === null) return null;
  if (index === 1n) return second;
  if (third === null) return null;
  const stride = third > second ? third - second : 0n;
  return natural(second + (index - 1n) * stride);
}

// One operation; `params` are BigInts or null, `indices` the numbers of repetitions.
function operate(op, results, params, indices) {
  switch (op[0]) {
    case 0:
      return BigInt(op[1]);
    case 2: {
      const value = params[op[1]];
      return value === null || value === undefined || value < -1n ? null : within(value);
    }
    case 3:
      return indices[op[1]] ?? null;
    case 4: {
      let total = 0n;
      for (const node of op[1]) {
        if (results[node] === null) return null;
        total += results[node];
      }
      for (const node of op[2]) {
        if (results[node] === null) return null;
        total -= results[node];
      }
      return within(total);
    }
    case 5: {
      const value = results[op[1]];
      if (value === null || value === 0n || value === -1n) return value;
      return natural(value + BigInt(op[2]));
    }
    case 6:
      return natural(results[op[1]]);
    case 7:
      return product(op[1], op[2], results);
    case 8: {
      const cursor = natural(results[op[1]]);
      const bytes = natural(results[op[3]]);
      if (cursor === null || bytes === null) return null;
      return bytes === 0n ? cursor : alignUp(cursor, BigInt(op[2]));
    }
    case 9: {
      const a = natural(results[op[1]]);
      const b = natural(results[op[2]]);
      return a === null || b === null ? null : natural(a + b);
    }
    case 10: {
      let greatest = 0n;
      for (const node of op[1]) {
        if (results[node] === null) return null;
        if (results[node] > greatest) greatest = results[node];
      }
      return greatest;
    }
    case 11: {
      const bytes = results[op[1]];
      return bytes === null || bytes === 0n ? bytes : results[op[2]];
    }
    case 12:
      return repeated(
        natural(results[op[1]]), natural(results[op[2]]), natural(results[op[3]]),
        natural(results[op[4]]));
    default:
      return null;
  }
}

function evaluate(ops, params, indices) {
  const results = new Array(ops.length);
  for (let at = 0; at < ops.length; at++) {
    results[at] = operate(ops[at], results, params, indices);
  }
  return results;
}

if (typeof module !== "undefined") module.exports = { evaluate };

// A stretch of memory drawn to scale, or with the lengths as logarithms: boxes, what is between them,
// zoom. `boxes` are {start, end, label, kind, href, note, row}, in bytes.

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  return node;
}

function html(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const key in attributes) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), attributes[key]);
    else node.setAttribute(key, attributes[key]);
  }
  node.append(...children);
  return node;
}

const COLOURS = {
  float: "var(--float)", complex: "var(--complex)", int: "var(--int)", bool: "var(--bool)",
  text: "var(--text-item)", struct: "var(--struct)", list: "var(--list)", param: "var(--param)",
};

function kindOf(dtype) {
  const name = dtype.replace(/^[<>|]/, "");
  if (/^f\d/.test(name)) return "float";
  if (/^c\d/.test(name)) return "complex";
  if (/^[iup]\d/.test(name)) return "int";
  if (name === "b1") return "bool";
  if (/^[SU]\d/.test(name)) return "text";
  return "struct";
}

// Where an address stands between 0 and 1.
function scaleOf(boxes, from, to, logarithmic) {
  if (!logarithmic) return at => (to > from ? (at - from) / (to - from) : 0);
  const bounds = [...new Set([from, to, ...boxes.flatMap(box => [box.start, box.end])])];
  bounds.sort((a, b) => a - b);
  const sums = [0];
  for (let at = 1; at < bounds.length; at++) {
    sums.push(sums[at - 1] + Math.log2(1 + bounds[at] - bounds[at - 1]));
  }
  const total = sums[sums.length - 1] || 1;
  return value => {
    let low = 0;
    let high = bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (bounds[middle] <= value) low = middle;
      else high = middle - 1;
    }
    const rest = value > bounds[low] ? Math.log2(1 + value - bounds[low]) : 0;
    return Math.min(1, (sums[low] + rest) / total);
  };
}

// What lies between the boxes, and the box that it is there for.
function gapsOf(boxes, from, to) {
  const gaps = [];
  let here = from;
  for (const box of boxes) {
    if (box.start > here) gaps.push({ start: here, end: box.start, before: box });
    here = Math.max(here, box.end);
  }
  if (to > here) gaps.push({ start: here, end: to, before: null });
  return gaps;
}

// Boxes that begin before all before them have ended.
function overlapsOf(boxes) {
  let end = -Infinity;
  return boxes.filter(box => {
    const over = box.start < end;
    end = Math.max(end, box.end);
    return over;
  });
}

// Boxes of one dict that lie side by side.
function groupsOf(boxes) {
  const groups = [];
  for (const box of boxes) {
    const last = groups[groups.length - 1];
    if (last && last.name === box.group) last.end = Math.max(last.end, box.end);
    else groups.push({ name: box.group, start: box.start, end: box.end });
  }
  return groups.filter(group => group.name);
}

let patterns = 0;

class MemoryMap {
  constructor(host, { small = false, choose = null } = {}) {
    Object.assign(this, { host, small, choose, logarithmic: false, from: 0, to: 0 });
    Object.assign(this, { boxes: [], view: [0, 1], chosen: null, pattern: `gap${patterns++}` });
    this.top = small ? 2 : 26;
    this.height = small ? 34 : 58;
    if (!small) host.append(this.controls());
    this.drawing = svg("svg", { class: "map", height: this.top + this.height + 20 });
    if (!small) this.drawing.setAttribute("aria-label", "Memory map");
    host.append(this.drawing);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(host);
  }

  controls() {
    const button = (label, title, act) => {
      return html("button", { type: "button", title, onclick: act }, label);
    };
    const log = button("Log scale", "Lengths as logarithms (l)", () => this.toggle());
    log.setAttribute("aria-pressed", "false");
    log.id = "log";
    this.log = log;
    return html("div", { class: "controls" }, log,
      button("+", "Nearer", () => this.zoom(0.5, 0.5)),
      button("−", "Farther", () => this.zoom(0.5, 2)),
      button("All", "The whole memory", () => this.show(0, 1)),
      html("p", { class: "hint" }, "Click a box to see it; drag to move, Ctrl and wheel to zoom."));
  }

  toggle() {
    this.logarithmic = !this.logarithmic;
    this.log.setAttribute("aria-pressed", String(this.logarithmic));
    this.view = [0, 1];
    this.draw();
  }

  listen() {
    const drawing = this.drawing;
    if (this.small) return;
    drawing.addEventListener("wheel", event => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = (event.clientX - drawing.getBoundingClientRect().left) / this.width();
      this.zoom(at, event.deltaY > 0 ? 1.25 : 0.8);
    }, { passive: false });
    let from = null;
    drawing.addEventListener("pointerdown", event => { from = [event.clientX, ...this.view]; });
    window.addEventListener("pointerup", () => { from = null; });
    drawing.addEventListener("pointermove", event => {
      if (from === null || Math.abs(event.clientX - from[0]) < 4) return;
      const by = ((from[0] - event.clientX) / this.width()) * (from[2] - from[1]);
      this.show(from[1] + by, from[2] + by);
    });
  }

  width() {
    return Math.max(200, this.host.clientWidth);
  }

  zoom(at, by) {
    const [low, high] = this.view;
    const centre = low + at * (high - low);
    this.show(centre - (centre - low) * by, centre + (high - centre) * by);
  }

  show(low, high) {
    const width = Math.min(1, Math.max(1e-9, high - low));
    low = Math.min(1 - width, Math.max(0, low));
    this.view = [low, low + width];
    this.draw();
  }

  showBox(box) {
    const scale = scaleOf(this.boxes, this.from, this.to, this.logarithmic);
    const [low, high] = [scale(box.start), scale(box.end)];
    this.show(low - (high - low) * 0.1, high + (high - low) * 0.1);
  }

  set(boxes, from, to) {
    boxes.sort((a, b) => a.start - b.start || a.end - b.end);
    const end = boxes.reduce((end, box) => Math.max(end, box.end), from);
    Object.assign(this, { boxes, from, to: Math.max(to, end) });
    this.gaps = gapsOf(boxes, from, this.to);
    this.later();
  }

  // Several changes are drawn once, with the next frame.
  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const { drawing, top, height, gaps = [] } = this;
    const width = this.width();
    const parts = [this.defs()];
    drawing.setAttribute("viewBox", `0 0 ${width} ${top + height + 20}`);
    if (this.boxes.length === 0) {
      drawing.replaceChildren(svg("text", { x: 4, y: 20 }, "No place is known with these params."));
      return;
    }
    const scale = scaleOf(this.boxes, this.from, this.to, this.logarithmic);
    const [low, high] = this.view;
    const x = at => ((scale(at) - low) / (high - low)) * width;
    const seen = (start, end) => x(end) >= 0 && x(start) <= width;
    for (const gap of gaps) {
      if (!seen(gap.start, gap.end) || x(gap.end) - x(gap.start) < 0.7) continue;
      const fill = `url(#${this.pattern})`;
      const rect = this.rect(gap, x, width, top, height, { fill, class: "gap" });
      rect.append(svg("title", {}, blame(gap)));
      parts.push(rect);
    }
    if (!this.small) parts.push(...this.groups(x, width));
    let last = -1;
    for (const box of this.boxes) {
      if (!seen(box.start, box.end)) continue;
      const right = Math.max(x(box.end), x(box.start) + 1);
      // What would lie within a pixel that is drawn is left out.
      if (right - last < 1 && box !== this.chosen) continue;
      last = right;
      if (right - x(box.start) < 3 && box !== this.chosen) {
        const fill = COLOURS[box.kind];
        parts.push(this.rect(box, x, width, top, height, { class: "thin", fill }));
      } else parts.push(this.boxOf(box, x, width));
    }
    parts.push(...this.axis(x, width));
    drawing.replaceChildren(...parts);
  }

  defs() {
    const size = { width: 6, height: 6 };
    const pattern = svg("pattern", { id: this.pattern, ...size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    pattern.append(svg("rect", { ...size, fill: "var(--code)" }), svg("rect", { width: 2, height: 6, fill: "var(--bad)", opacity: 0.6 }));
    const defs = svg("defs", {});
    defs.append(pattern);
    return defs;
  }

  rect(one, x, width, y, height, attributes) {
    const left = Math.max(-2, x(one.start));
    const right = Math.min(width + 2, Math.max(x(one.end), x(one.start) + 1));
    return svg("rect", { x: left, y, width: Math.max(0, right - left), height, rx: right - left > 8 ? 3 : 0, ...attributes });
  }

  groups(x, width) {
    return groupsOf(this.boxes).flatMap(group => {
      const left = Math.max(0, x(group.start));
      const right = Math.min(width, x(group.end));
      if (right - left < 2) return [];
      const label = fitted(group.name, right - left);
      const text = label ? [svg("text", { x: left + 5, y: 16 }, label)] : [];
      return [this.rect(group, x, width, 4, 16, { class: "group" }), ...text];
    });
  }

  boxOf(box, x, width) {
    const { top, height } = this;
    const anchor = svg("a", { href: box.href || "#", "aria-label": `${box.label}, ${span(box)}` });
    const chosen = box === this.chosen ? " chosen" : "";
    const rect = this.rect(box, x, width, top, height, { class: `box${chosen}`, fill: COLOURS[box.kind] });
    rect.append(svg("title", {}, `${box.label}\n${span(box)}${box.note ? `\n${box.note}` : ""}`));
    anchor.append(rect);
    const left = Math.max(0, x(box.start));
    const right = Math.min(width, x(box.end));
    const label = fitted(segments(box.label).pop() || box.label, right - left);
    if (label) anchor.append(svg("text", { x: left + 5, y: top + height / 2 + 4, class: "in" }, label));
    if (box.stride > 0) this.drawStride(anchor, box, x, left, right);
    if (this.choose) {
      anchor.addEventListener("click", event => {
        event.preventDefault();
        this.chosen = box;
        this.draw();
        this.choose(box);
      });
      anchor.addEventListener("dblclick", () => this.showBox(box));
    }
    return anchor;
  }

  // Lines where one record ends and the next begins.
  drawStride(anchor, box, x, left, right) {
    const first = this.logarithmic ? 0 : x(box.start + box.stride) - x(box.start);
    if (first < 4) return;
    const from = Math.max(1, Math.floor((left - x(box.start)) / first));
    for (let at = from; x(box.start + at * box.stride) < right; at++) {
      const place = x(box.start + at * box.stride);
      const line = { x1: place, x2: place, y1: this.top, y2: this.top + this.height, stroke: "var(--card)", "stroke-opacity": 0.7 };
      anchor.append(svg("line", line));
    }
  }

  axis(x, width) {
    const y = this.top + this.height + 14;
    const places = [this.from, ...this.boxes.map(box => box.start), this.to];
    const labels = [];
    let last = -80;
    for (const place of places) {
      const at = x(place);
      if (at < 0 || at > width || at - last < 70) continue;
      const anchor = at > width - 60 ? "end" : "start";
      labels.push(svg("text", { x: at, y, class: "axis", "text-anchor": anchor }, shownNumber(place)));
      last = at + (anchor === "end" ? 60 : 0);
    }
    return labels;
  }
}

function fitted(label, width) {
  const most = Math.floor((width - 8) / 6.6);
  if (most < 2) return "";
  return label.length <= most ? label : most < 4 ? "" : label.slice(0, most - 1) + "…";
}

function span(box) {
  return `${shownNumber(box.start)} … ${shownNumber(box.end)}, ${shownNumber(box.end - box.start)} bytes`;
}

// Why there is nothing.
function blame(gap) {
  const bytes = `${shownNumber(gap.end - gap.start)} bytes at ${shownNumber(gap.start)}`;
  if (!gap.before) return `${bytes}: the size is a multiple of the alignment`;
  const { label, explicit, align } = gap.before;
  if (explicit) return `${bytes}: ${label} says its address`;
  return align ? `${bytes}: ${label} is aligned to ${align}` : `${bytes} before ${label}`;
}

// Finds items by their names, documentation and units, with the keyboard alone if one likes.

function anchorOf(row) {
  return `${row.f || ""}#${row.a || row.p}`;
}

// How well a row fits; 0 is not at all.
function fitness(row, words) {
  const path = row.p.toLowerCase();
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/^:/, "");
  const text = (row.w || "").toLowerCase();
  let total = 0;
  for (const word of words) {
    if (name === word || path === word) total += 100;
    else if (name.startsWith(word)) total += 50;
    else if (name.includes(word)) total += 25;
    else if (path.includes(word)) total += 12;
    else if (text.includes(word)) total += 5;
    else return 0;
  }
  return total - Math.min(4, path.length / 40);
}

function found(rows, query, most) {
  const words = query.toLowerCase().split(/\s+/).filter(word => word);
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

// The page follows its params: numbers, map and programs are made anew from the operations.

let hexadecimal = false;

function shownNumber(value, address = true) {
  if (value === null || value === undefined) return "—";
  if (hexadecimal && address && value >= 0) return "0x" + value.toString(16);
  const digits = value.toString().replace("-", "−");
  return digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : digits;
}

// The numbers in the page, each with its element; those of addresses may be hexadecimal.
function numbersIn(root) {
  return [...root.querySelectorAll("[data-n], [data-v]")].map(element => ({
    element,
    node: element.dataset.n === undefined ? null : Number(element.dataset.n),
    value: element.dataset.v,
    address: /^(address|offset)$/.test(element.closest("[data-label]")?.dataset.label || ""),
    row: Number(element.closest("tr[data-row]")?.dataset.row ?? -1),
  }));
}

// The names in a path; a quoted one may hold slashes.
function segments(path) {
  return path.match(/(?:"(?:\\.|[^"\\])*"|[^/"])+/g) || [];
}

class Page {
  constructor(data) {
    this.data = data;
    this.defaults = data.params.map(param => BigInt(param.value));
    this.params = [...this.defaults];
    this.depth = data.rows.reduce((most, row) => Math.max(most, row.r ? row.r.length : 0), 0);
    this.indices = new Array(this.depth).fill(0n);
    this.numbers = numbersIn(document);
    this.open = new Map();
    this.strips = [];
    this.readAddress();
    this.listen();
    this.prepareMap();
    this.prepareRows();
    this.update();
    this.follow();
  }

  // Params in the address of the page: `?IMAX=512`.
  readAddress() {
    const said = new URLSearchParams(location.search);
    this.data.params.forEach((param, at) => {
      const value = said.get(param.label);
      if (value !== null && /^-?\d{1,19}$/.test(value)) this.params[at] = BigInt(value);
    });
  }

  writeAddress() {
    const said = new URLSearchParams();
    this.data.params.forEach((param, at) => {
      if (this.params[at] !== null && this.params[at] !== this.defaults[at]) {
        said.set(param.label, this.params[at].toString());
      }
    });
    const query = said.toString() ? `?${said}` : "";
    try {
      history.replaceState(null, "", location.pathname + query + location.hash);
    } catch {
      // A page that may not change its address works all the same.
    }
    for (const link of document.querySelectorAll("a[href*='.html']")) {
      if (query !== link.search) link.search = query;
    }
  }

  listen() {
    const form = document.getElementById("inputs");
    if (form) {
      this.prepareFields(form);
      const fields = [...form.querySelectorAll("[data-param]")];
      fields.forEach(field => {
        field.value = this.params[Number(field.dataset.param)];
      });
      form.addEventListener("submit", event => event.preventDefault());
      form.addEventListener("input", event => this.take(event.target));
      form.addEventListener("reset", () => {
        this.params = [...this.defaults];
        this.indices.fill(0n);
        setTimeout(() => {
          fields.forEach(field => {
            field.value = this.params[Number(field.dataset.param)];
            field.removeAttribute("aria-invalid");
          });
          this.update();
        });
      });
    }
    this.prepareIndices();
    listenSearch(this.data.rows, row => this.go(row));
    const hex = document.getElementById("hex");
    hex.addEventListener("click", () => {
      hexadecimal = !hexadecimal;
      hex.setAttribute("aria-pressed", String(hexadecimal));
      this.update();
    });
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("keydown", event => {
      if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey) return;
      if (event.key === "x") hex.click();
      if (event.key === "l") document.getElementById("log")?.click();
    });
  }

  // Of a layout with several pages the params stand in the data that they share.
  prepareFields(form) {
    if (form.querySelector("[data-param]")) return;
    const behind = document.getElementById("indices");
    this.data.params.forEach((param, at) => {
      const field = html("input", { type: "text", inputmode: "numeric", "data-param": at });
      const name = html("span", {}, html("bdi", {}, param.label));
      behind.before(html("label", { class: param.example ? "example" : "", title: param.words || "" }, name, field));
    });
  }

  prepareIndices() {
    const host = document.getElementById("indices");
    if (!host || this.depth === 0) return;
    host.append(html("h2", {}, "Repetitions"));
    const names = ["i", "j", "k"];
    for (let at = 0; at < this.depth; at++) {
      const field = html("input", { type: "text", inputmode: "numeric", value: "0", "data-index": at });
      host.append(html("label", {}, html("span", {}, names[at] || `i${at + 1}`), field));
    }
  }

  take(field) {
    const fine = /^\s*-?\d{1,19}\s*$/.test(field.value);
    const value = fine ? BigInt(field.value.trim()) : null;
    field.toggleAttribute("aria-invalid", !fine);
    if (!fine) field.setAttribute("aria-invalid", "true");
    if (field.dataset.param !== undefined) this.params[Number(field.dataset.param)] = value;
    else this.indices[Number(field.dataset.index)] = value !== null && value >= 0n ? value : null;
    field.closest("label").classList.remove("example");
    this.update();
  }

  update() {
    const { data } = this;
    this.results = evaluate(data.ops, this.params, this.indices);
    const beyond = new Set(data.rows.flatMap((row, at) => (this.isBeyond(row) ? [at] : [])));
    for (const { element, node, value, address, row } of this.numbers) {
      const now = node === null ? BigInt(value) : beyond.has(row) ? null : this.results[node];
      const text = shownNumber(now, address);
      if (element.textContent !== text) element.textContent = text;
    }
    for (const element of document.querySelectorAll("[data-p]")) {
      element.textContent = this.params[Number(element.dataset.p)] ?? "—";
    }
    const end = data.end === null ? 0n : this.results[data.end];
    const problem = document.getElementById("problem");
    if (problem) problem.textContent = end === null ? "Some size is illegal with these params." : "";
    this.updateMap();
    for (const strip of this.strips) strip();
    for (const [at, cell] of this.open) this.fillDetail(at, cell);
    this.writeAddress();
  }

  // Whether a list has no such repetition.
  isBeyond(row) {
    return (row.r || []).some((count, depth) => {
      const many = count === null ? null : this.results[count];
      return many !== null && (this.indices[depth] === null || this.indices[depth] >= many);
    });
  }

  placeOf(row, results) {
    const start = row.at === undefined ? null : results[row.at];
    const bytes = row.b === undefined ? null : results[row.b];
    if (start === null || bytes === null || bytes <= 0n) return null;
    return { start: Number(start), end: Number(start + bytes) };
  }

  boxOf(row, place) {
    const kind = row.k === "p" ? "param" : row.t !== undefined ? "struct" : kindOf(row.q || "");
    const parts = segments(row.p);
    return {
      ...place, kind, row, label: row.p, href: anchorOf(row), note: row.w, align: row.al || 1,
      explicit: row.x, group: parts.length > 1 ? `/${parts[0]}` : "",
    };
  }

  // All that has a place; a list is one box from its first item to its last.
  boxes() {
    const { data } = this;
    const zero = new Array(this.depth).fill(0n);
    const at = indices => (this.depth ? evaluate(data.ops, this.params, indices) : this.results);
    const first = at(zero);
    const second = at(zero.map((_, depth) => (depth === 0 ? 1n : 0n)));
    const last = at(this.lastIndices(first));
    const boxes = [];
    let list = null;
    for (const row of data.rows) {
      if (row.k === "l" && !row.r) list = null;
      if (row.sp && !row.r) this.addRecords(boxes, row);
      else if (!row.r && row.k !== "l") {
        const place = this.placeOf(row, this.results);
        if (place) boxes.push(this.boxOf(row, place));
      }
      if (row.k === "l" && !row.r) {
        list = { ...this.boxOf(row, { start: Infinity, end: -Infinity }), kind: "list", stride: 0, list: row };
        continue;
      }
      if (!row.r || !list || !row.p.startsWith(`${list.label}/`)) continue;
      const [from, next, to] = [first, second, last].map(results => this.placeOf(row, results));
      const many = row.r[0] === null ? null : first[row.r[0]];
      if (!from || !to || many === null || many <= 0n) continue;
      if (list.end < 0) boxes.push(list);
      if (row.r.length === 1) list.filled = (list.filled || 0) + from.end - from.start;
      list.start = Math.min(list.start, from.start);
      list.end = Math.max(list.end, to.end);
      if (next && many > 1n && list.stride === 0) list.stride = next.start - from.start;
    }
    return boxes;
  }

  // Members that stand for items of a dict: one box for all instances of their record.
  addRecords(boxes, row) {
    const [at, b] = row.sp.map(node => node ?? undefined);
    const last = boxes[boxes.length - 1];
    if (last && last.record === at && at !== undefined) return void last.members.push(row);
    const place = this.placeOf({ at, b }, this.results);
    if (!place) return;
    const label = `${row.p.slice(0, row.p.length - segments(row.p).pop().length)} (records)`;
    boxes.push({ ...this.boxOf(row, place), label, kind: "struct", record: at, members: [row], row: null });
  }

  lastIndices(results) {
    const last = new Array(this.depth).fill(0n);
    for (const row of this.data.rows) {
      (row.r || []).forEach((count, depth) => {
        const many = count === null ? null : results[count];
        if (many !== null && many - 1n > last[depth]) last[depth] = many - 1n;
      });
    }
    return last;
  }

  prepareMap() {
    const host = document.getElementById("memory");
    if (!host) return;
    this.map = new MemoryMap(host, { choose: box => this.choose(box) });
    const kinds = Object.entries(COLOURS).map(([name, colour]) => {
      return html("span", {}, html("i", { style: `background:${colour}` }), name);
    });
    this.info = html("div", { class: "chosen-info", role: "status" });
    this.inner = html("div", {});
    this.blames = html("details", { class: "blame" });
    host.append(html("div", { class: "legend" }, ...kinds), this.info, this.inner, this.blames);
    for (const element of document.querySelectorAll(".strip[data-type]")) {
      const type = this.data.types[Number(element.dataset.type)];
      const strip = new MemoryMap(element, { small: true });
      this.strips.push(() => this.fillStrip(strip, type));
    }
  }

  fillStrip(strip, type) {
    const boxes = [];
    const size = type.bytes === null ? null : this.results[type.bytes];
    for (const [label, offset, bytes, dtype, align, anchor] of type.fields) {
      const place = this.placeOf({ at: offset ?? undefined, b: bytes ?? undefined }, this.results);
      if (place) boxes.push({ ...place, label, kind: kindOf(dtype), align, href: `#${anchor}` });
    }
    strip.set(boxes, 0, size === null ? 0 : Number(size));
  }

  updateMap() {
    if (!this.map) return;
    const end = this.data.end === null ? null : this.results[this.data.end];
    const chosen = this.map.chosen && this.map.chosen.label;
    const boxes = this.boxes();
    this.map.chosen = boxes.find(box => box.label === chosen) || null;
    this.map.set(boxes, this.data.start, end === null ? 0 : Number(end));
    const gaps = this.map.gaps.filter(gap => gap.before);
    const total = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0);
    const within = boxes.filter(box => box.stride > box.filled);
    const over = overlapsOf(boxes).slice(0, 20);
    const lines = [...over.map(box => `${box.label} overlaps what lies before it`), ...gaps.slice(0, 100).map(blame), ...within.map(box => {
      return `${shownNumber(box.stride - box.filled, false)} bytes in each repetition of ${box.label}`;
    })];
    const places = `${shownNumber(total, false)} bytes in ${gaps.length} ${gaps.length === 1 ? "place" : "places"}`;
    const summary = [gaps.length ? places : "", within.length ? "some within lists" : "", over.length ? "overlaps" : ""].filter(text => text).join(", ");
    this.blames.replaceChildren(
      html("summary", {}, summary ? `Padding: ${summary}` : "No padding"),
      html("ul", {}, ...lines.map(line => html("li", {}, line))));
    if (this.map.chosen) this.choose(this.map.chosen);
  }

  // Says what a box is, and shows what is inside of a record.
  choose(box) {
    const stride = box.stride ? `, ${shownNumber(box.stride, false)} bytes from one repetition to the next` : "";
    const near = html("button", { type: "button", onclick: () => this.map.showBox(box) }, "Zoom to it");
    this.info.replaceChildren(
      html("a", { href: box.href }, html("code", {}, box.label)), ` ${span(box)}${stride}. ${box.note || ""} `, near);
    this.inner.replaceChildren();
    const strip = boxes => {
      const inner = new MemoryMap(this.inner, { small: true });
      const from = Math.min(...boxes.map(one => one.start));
      inner.set(boxes, from, box.stride ? from + box.stride : 0);
    };
    if (box.list) {
      const rows = this.data.rows.filter(row => row.r && row.p.startsWith(`${box.label}/`));
      const boxes = rows.flatMap(row => {
        const place = this.isBeyond(row) ? null : this.placeOf(row, this.results);
        return place ? [this.boxOf(row, place)] : [];
      });
      if (boxes.length) {
        this.inner.append(html("p", { class: "hint" }, `Repetition ${this.indices.join(", ")}:`));
        strip(boxes);
      }
    } else if (box.members) {
      const boxes = box.members.flatMap(row => {
        const place = this.placeOf(row, this.results);
        const counts = (row.d || []).map(node => (node === null ? null : this.results[node]));
        const many = Number(box.members.length && counts[0] > 0n ? counts[0] : 1n);
        return place ? [this.boxOf(row, { start: place.start, end: place.start + (place.end - place.start) / many })] : [];
      });
      this.inner.append(html("p", { class: "hint" }, "The first record:"));
      strip(boxes);
    } else if (box.row && box.row.t !== undefined) {
      const type = this.data.types[box.row.t];
      this.inner.append(html("p", { class: "hint" }, `One ${type.name}, offsets from its start:`));
      this.fillStrip(new MemoryMap(this.inner, { small: true }), type);
    }
  }

  prepareRows() {
    for (const tr of document.querySelectorAll("tr[data-row]")) {
      if (!tr.classList.contains("array")) continue;
      const at = Number(tr.dataset.row);
      const more = html("button", { type: "button", class: "more", "aria-expanded": "false", title: "How it lies, and how to read it" }, "⋯");
      more.setAttribute("aria-label", `More about ${this.data.rows[at].p}`);
      more.addEventListener("click", () => this.toggle(at, tr, more));
      tr.lastElementChild.prepend(more);
    }
  }

  toggle(at, tr, more) {
    const open = this.open.get(at);
    more.setAttribute("aria-expanded", String(!open));
    if (open) {
      open.parentElement.remove();
      this.open.delete(at);
      return;
    }
    const cell = html("td", { colspan: "7" });
    tr.after(html("tr", { class: "detail" }, cell));
    this.open.set(at, cell);
    this.fillDetail(at, cell);
  }

  // How an item lies, and programs that read it.
  fillDetail(at, cell) {
    const row = this.data.rows[at];
    const get = node => (node === undefined || node === null ? null : this.results[node]);
    const [cursor, address] = [get(row.c), get(row.at)];
    const facts = [];
    if (row.x) facts.push(["address", "as it is written in the layout"]);
    else if (address !== null && cursor !== null) {
      const gap = address - cursor;
      facts.push(["alignment", `${row.al || 1}${gap > 0n ? `; ${shownNumber(gap, false)} bytes of padding before it` : "; no padding before it"}`]);
    }
    facts.push(["elements", shownNumber(get(row.n), false)]);
    const uses = this.data.params.filter(param => param.rows.includes(at)).map(param => param.label);
    if (uses.length) facts.push(["depends on", uses.join(", ")]);
    const list = html("dl", {}, ...facts.flatMap(([name, text]) => [html("dt", {}, name), html("dd", {}, text)]));
    cell.replaceChildren(list, this.programs(row, cell));
  }

  programs(row, cell) {
    const { templates, sets } = this.data.snippets;
    const tabs = html("div", { class: "tabs", role: "tablist" });
    const code = html("pre", {});
    const copy = html("button", { type: "button" }, "Copy");
    copy.addEventListener("click", () => navigator.clipboard?.writeText(code.textContent));
    const all = sets[row.s].map(at => templates[at]);
    const pick = name => {
      cell.dataset.tab = name;
      [...tabs.children].forEach(tab => tab.setAttribute("aria-selected", String(tab.textContent === name)));
      code.textContent = this.filled(all.find(one => one[0] === name)[1], row);
    };
    tabs.append(...all.map(([name]) => html("button", { type: "button", role: "tab", onclick: () => pick(name) }, name)));
    pick(all.some(one => one[0] === cell.dataset.tab) ? cell.dataset.tab : all[0][0]);
    return html("div", {}, tabs, html("div", { class: "code" }, copy, code));
  }

  filled(template, row) {
    const number = node => (node === undefined || node === null || this.results[node] === null ? "?" : this.results[node].toString());
    const [name, parts, strides] = row.h;
    const path = parts.length === 0 ? row.p : parts.map(part => (typeof part === "number" ? number(part) : part)).join("");
    const there = (row.d || []).map((node, at) => [node, strides[at]]).filter(([node]) => node === null || this.results[node] !== -1n);
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

  go(row) {
    const target = anchorOf(row);
    if (row.f && !location.pathname.endsWith(`/${row.f}`)) location.href = row.f + location.search + target.slice(row.f.length);
    else location.hash = target.slice((row.f || "").length);
  }

  // An anchor of another page leads there.
  follow() {
    const hash = decodeURIComponent(location.hash.slice(1));
    const there = hash && document.getElementById(hash);
    if (there) return there.scrollIntoView({ block: "center" });
    const row = hash && this.data.rows.find(row => (row.a || row.p) === hash);
    if (row && row.f) this.go(row);
  }
}

function listenTheme() {
  const root = document.documentElement;
  const flip = () => {
    const dark = root.classList.contains("dark") || (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.toggle("dark", !dark);
    root.classList.toggle("light", dark);
  };
  document.getElementById("theme").addEventListener("click", flip);
}

if (typeof document !== "undefined") {
  listenTheme();
  const own = document.getElementById("data");
  const data = own ? JSON.parse(own.textContent) : window.DUDLEY;
  if (data) window.page = new Page(data);
  else document.documentElement.classList.add("plain");
}
