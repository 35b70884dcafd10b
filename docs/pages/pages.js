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
  if (index === null) return null;
  // The second may lie at an address of its own, wherever the first is.
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
    case 14:
    case 15: {
      const a = results[op[1]];
      const b = results[op[2]];
      if (a === null || b === null) return null;
      if (op[0] === 14) return within(a * b);
      return b === 0n || a % b !== 0n ? null : within(a / b);
    }
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

// The operations that an operation takes the results of.
function operands(op) {
  switch (op[0]) {
    case 4:
      return [...op[1], ...op[2]];
    case 5:
    case 6:
      return [op[1]];
    case 7:
      return [...op[1], op[2]];
    case 8:
      return [op[1], op[3]];
    case 9:
    case 11:
    case 14:
    case 15:
      return [op[1], op[2]];
    case 10:
      return op[1];
    case 12:
      return op.slice(1);
    default:
      return [];
  }
}

// Which results are none since only a stream tells them: what else is wrong with them is not known.
function unknownOf(ops, results) {
  const unknown = new Array(ops.length).fill(false);
  if (!ops.some(op => op[0] === 13)) return unknown;
  ops.forEach((op, at) => {
    unknown[at] = results[at] === null && (op[0] === 13 || needed(op, results).some(node => unknown[node]));
  });
  return unknown;
}

// The operations that an operation takes the results of, as they are.
function needed(op, results) {
  if (op[0] !== 12) return operands(op);
  const [, index, first, second, third] = op;
  if (results[index] === null) return [index];
  return results[index] === 0n ? [first] : results[index] === 1n ? [second] : [second, third];
}

// Which operations come to something else in another repetition.
function movingOf(ops) {
  const moving = new Array(ops.length);
  ops.forEach((op, at) => {
    moving[at] = op[0] === 3 || operands(op).some(node => moving[node]);
  });
  return moving;
}

// What single operations come to in other repetitions than those of `results`: no more is carried out than they
// need.
function elsewhere(ops, moving, params, results, indices) {
  // What does not move is as it was.
  const found = Object.create(results);
  const done = new Set();
  return node => {
    const open = [node];
    while (open.length) {
      const at = open[open.length - 1];
      const needed = moving[at] && !done.has(at) ? operands(ops[at]).filter(one => moving[one] && !done.has(one)) : null;
      if (needed && needed.length) {
        for (const one of needed) open.push(one);
        continue;
      }
      if (needed) {
        found[at] = operate(ops[at], found, params, indices);
        done.add(at);
      }
      open.pop();
    }
    return found[node];
  };
}

if (typeof module !== "undefined") module.exports = { evaluate, unknownOf, movingOf, elsewhere };

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

// What lies between the boxes, and the box that it is there for, or what may lie there.
function gapsOf(boxes, from, to, unknown = []) {
  const gaps = [];
  let here = from;
  for (const box of boxes) {
    if (box.start > here) gaps.push({ start: here, end: box.start, before: box });
    here = Math.max(here, box.end);
  }
  if (to > here) gaps.push({ start: here, end: to, before: null });
  const left = [...unknown].sort((a, b) => a.at - b.at);
  let at = 0;
  for (const gap of gaps) {
    while (at < left.length && left[at].at < gap.start) at++;
    const first = at;
    while (at < left.length && left[at].at < gap.end) at++;
    if (at > first) gap.unknown = left.slice(first, at).map(one => one.label);
  }
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

  set(boxes, from, to, unknown = []) {
    boxes.sort((a, b) => a.start - b.start || a.end - b.end);
    const end = boxes.reduce((end, box) => Math.max(end, box.end), from);
    Object.assign(this, { boxes, from, to: Math.max(to, end) });
    this.gaps = gapsOf(boxes, from, this.to, unknown);
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
      const fill = gap.unknown ? "var(--code)" : `url(#${this.pattern})`;
      const rect = this.rect(gap, x, width, top, height, { fill, class: "gap" });
      rect.append(svg("title", {}, blame(gap)));
      parts.push(rect);
    }
    if (!this.small) parts.push(...this.groups(x, width));
    let last = -1;
    const thin = {};
    for (const box of this.boxes) {
      if (!seen(box.start, box.end)) continue;
      const left = x(box.start);
      const right = Math.max(x(box.end), left + 1);
      // What would lie within a pixel that is drawn is left out.
      if (right - last < 1 && box !== this.chosen) continue;
      last = right;
      if (right - left < 3 && box !== this.chosen) {
        // Thin ones of a colour are one shape: there may be thousands.
        thin[box.kind] = `${thin[box.kind] || ""}M${left.toFixed(1)} ${top}h${(right - left).toFixed(1)}v${height}h${(left - right).toFixed(1)}z`;
      } else parts.push(this.boxOf(box, x, width));
    }
    for (const kind in thin) parts.push(svg("path", { d: thin[kind], class: "thin", fill: COLOURS[kind] }));
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
    const width = this.logarithmic ? 0 : x(box.start + box.stride) - x(box.start);
    if (width < 4) return;
    // All repetitions but the first are alike.
    const second = box.start + box.first;
    const from = Math.max(0, Math.floor((left - x(second)) / width));
    for (let at = from; x(second + at * box.stride) < right; at++) {
      const place = x(second + at * box.stride);
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
  return `${shownNumber(box.start)} … ${shownNumber(box.end)}, ${countedBytes(box.end - box.start)}`;
}

// Why there is nothing.
function blame(gap) {
  const bytes = `${countedBytes(gap.end - gap.start)} at ${shownNumber(gap.start)}`;
  if (gap.unknown) {
    const more = gap.unknown.length > 1 ? ` and ${gap.unknown.length - 1} more` : "";
    return `${bytes}: ${gap.unknown[0]}${more} may lie there; how large it is, is not known`;
  }
  if (!gap.before) return `${bytes}: the size is a multiple of the alignment`;
  const { label, explicit, align } = gap.before;
  if (explicit) return `${bytes}: ${label} says its address`;
  return align ? `${bytes}: ${label} is aligned to ${align}` : `${bytes} before ${label}`;
}

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

// A file that is looked at: a worker reads it through the WebAssembly of `reader.js`, and answers. Only
// the ranges that are asked for are read.

// Runs in the worker, which knows nothing else of the page.
function readerWorker() {
  const files = new FileReaderSync();
  const read = { requests: 0, bytes: 0, failed: null };
  let file = null;
  let wasm = null;
  const page = {
    length: () => BigInt(file.size),
    read(address, into, count) {
      const from = Number(address);
      try {
        const bytes = new Uint8Array(files.readAsArrayBuffer(file.slice(from, from + count)));
        new Uint8Array(wasm.memory.buffer).set(bytes, into >>> 0);
        read.requests += 1;
        read.bytes += bytes.length;
        return bytes.length;
      } catch (error) {
        read.failed = error.message;
        return 0;
      }
    },
    progress: bytes => postMessage({ progress: Number(bytes) }),
  };
  const ask = request => {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const room = wasm.room(text.length) >>> 0;
    new Uint8Array(wasm.memory.buffer).set(text, room);
    const length = wasm.call() >>> 0;
    const answer = new Uint8Array(wasm.memory.buffer, wasm.answer() >>> 0, length);
    return JSON.parse(new TextDecoder().decode(answer));
  };
  onmessage = async ({ data }) => {
    try {
      if (data.module) {
        file = data.file;
        wasm = (await WebAssembly.instantiate(data.module, { page })).exports;
      }
      postMessage({ id: data.id, answer: ask(data.request), read });
    } catch (error) {
      postMessage({ id: data.id, failed: String(error), read });
    }
  };
}

const reader = { module: null };

// The reader is a file beside the page, which is loaded when it is needed: a script, since a page that
// was opened from a disk may load nothing else.
function readerModule() {
  reader.module ??= new Promise((done, fail) => {
    const script = html("script", { src: "reader.js" });
    script.onload = done;
    script.onerror = () => fail(new Error("reader.js, which reads streams, is not beside this page; dudc doc writes it."));
    document.head.append(script);
  }).then(async () => {
    const packed = Uint8Array.from(atob(window.DUDLEY_READER), letter => letter.charCodeAt(0));
    const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(bytes).arrayBuffer());
  });
  reader.module.catch(() => { reader.module = null; });
  return reader.module;
}

class Reader {
  constructor(file) {
    this.file = file;
    this.waiting = new Map();
    this.next = 0;
    this.ended = null;
    this.read = { requests: 0, bytes: 0, failed: null };
    this.progress = () => {};
  }

  // Starts a worker, and answers the first request.
  async open(request) {
    const module = await readerModule();
    // Closed while the module came: nobody would end the worker.
    if (this.ended) throw new Error(this.ended);
    const url = URL.createObjectURL(new Blob([`(${readerWorker})()`], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = event => this.end(event.message || "the reader has failed");
    const answer = await this.ask(request, { module, file: this.file });
    URL.revokeObjectURL(url);
    return answer;
  }

  ask(request, more = {}) {
    const id = this.next++;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.worker.postMessage({ id, request, ...more });
    });
  }

  heard({ id, answer, failed, read, progress }) {
    if (progress !== undefined) return void this.progress(progress);
    this.read = read;
    const { done, fail } = this.waiting.get(id) || {};
    this.waiting.delete(id);
    // After a trap nothing in the worker is what it was.
    if (failed) fail?.(new Error(failed));
    else done?.(answer);
  }

  end(why = "closed") {
    this.ended = why;
    this.worker?.terminate();
    for (const { fail } of this.waiting.values()) fail(new Error(why));
    this.waiting.clear();
  }
}

// Bytes of a file with what they are: each belongs to an element of an item, to the signature, or to nobody.

const HEX_LINE = 16;
const HEX_LINES = 24;

class HexView {
  constructor(view, found) {
    Object.assign(this, { view, length: Number(found.length), address: 0, chosen: null, pieces: [] });
    const turn = (by, text, title) => html("button", { type: "button", title, onclick: () => this.go(this.address + by * HEX_LINE * HEX_LINES) }, text);
    this.field = html("input", { type: "text", size: 14, "aria-label": "Go to an address", placeholder: "address" });
    this.field.addEventListener("change", () => {
      const at = /^\s*(0x[0-9a-f]+|\d+)\s*$/i.test(this.field.value) ? Number(this.field.value) : NaN;
      this.field.toggleAttribute("aria-invalid", Number.isNaN(at));
      if (!Number.isNaN(at)) this.go(at, at);
    });
    this.info = html("div", { class: "hex-info", role: "status" }, "Choose a byte to see what it is.");
    this.grid = html("div", { class: "hex", tabindex: 0, role: "group", "aria-label": "Bytes; the arrow keys move" });
    this.host = html("div", { class: "hex-view" }, html("div", { class: "controls" }, html("h3", {}, "Bytes"),
      turn(-1, "←", "Before"), turn(1, "→", "Behind"), this.field), this.info, html("div", { class: "wide" }, this.grid));
    this.grid.addEventListener("pointerover", event => this.light(this.byteOf(event.target)));
    this.grid.addEventListener("pointerleave", () => this.light(this.chosen));
    this.grid.addEventListener("click", event => this.choose(this.byteOf(event.target)));
    this.grid.addEventListener("keydown", event => this.move(event));
  }

  byteOf(element) {
    return element.dataset?.at === undefined ? null : Number(element.dataset.at);
  }

  // Shows the stretch that an address is in; the byte there is chosen if it is said.
  async go(address, chosen = null) {
    address = Math.min(Math.max(0, Number(address)), Math.max(0, this.length - 1));
    const whole = HEX_LINE * HEX_LINES;
    const near = address >= this.address && address < this.address + whole && this.pieces.length;
    if (!(near && chosen !== null)) this.address = address - address % HEX_LINE;
    try {
      if (!(near && chosen !== null)) {
        const found = await this.view.ask({ do: "bytes", address: this.address, count: whole });
        this.draw(found);
      }
      if (chosen !== null) {
        await this.choose(address);
        this.host.scrollIntoView({ block: "nearest" });
      }
    } catch (error) {
      this.view.wrong(error);
    }
  }

  draw({ address, bytes = "", pieces = [] }) {
    this.pieces = pieces;
    const count = bytes.length / 2;
    // The last that begins before it: what lies within another item is shown as itself.
    const owners = new Array(count).fill(-1);
    pieces.forEach(([start, length], at) => {
      const from = Math.max(0, start - address);
      const to = Math.min(count, start + length - address);
      for (let byte = from; byte < to; byte++) owners[byte] = at;
    });
    this.owners = owners;
    const lines = [];
    for (let from = 0; from < count; from += HEX_LINE) {
      const line = html("div", { class: "hex-line" }, html("span", { class: "hex-at" }, (address + from).toString(16).padStart(8, "0")));
      const text = html("span", { class: "hex-text" });
      for (let byte = from; byte < from + HEX_LINE; byte++) {
        if (byte >= count) {
          line.append(html("span", { class: "hex-none" }, "  "));
          continue;
        }
        const digits = bytes.slice(2 * byte, 2 * byte + 2);
        const code = parseInt(digits, 16);
        const attributes = { class: this.classOf(owners[byte]), "data-at": address + byte };
        line.append(html("span", attributes, digits));
        text.append(html("span", attributes, code > 32 && code < 127 ? String.fromCharCode(code) : "·"));
      }
      line.append(text);
      lines.push(line);
    }
    this.grid.replaceChildren(...lines);
    this.field.placeholder = shownNumber(address);
    this.light(this.chosen);
  }

  // A colour for each row, in two shades for neighbours.
  classOf(piece) {
    if (piece < 0) return "hb nobody";
    const row = this.pieces[piece][2];
    return row === null ? "hb mark" : `hb h${row % 6}${piece % 2 ? " odd" : ""}`;
  }

  ownerOf(at) {
    return at === null ? -1 : this.owners?.[at - this.address] ?? -1;
  }

  light(at) {
    const piece = this.ownerOf(at);
    for (const element of this.grid.querySelectorAll(".hb")) {
      const own = Number(element.dataset.at);
      element.classList.toggle("lit", own === at || (piece >= 0 && this.owners[own - this.address] === piece));
    }
    if (at !== null && at !== this.chosen) {
      this.info.replaceChildren(html("span", { class: "hint" }, shownNumber(at)), " ",
        html("bdi", {}, piece < 0 ? "in no item" : visible(this.pieces[piece][3])));
    } else if (this.said) this.info.replaceChildren(...this.said);
  }

  async choose(at) {
    if (at === null) return;
    this.chosen = at;
    this.said = null;
    const found = await this.view.ask({ do: "element", address: at });
    if (this.chosen !== at) return;
    const piece = this.ownerOf(at);
    const parts = [html("span", { class: "hint" }, `${shownNumber(found.address ?? at)} `)];
    if (found.path === undefined) parts.push(html("bdi", {}, piece < 0 ? "in no item" : visible(this.pieces[piece][3])));
    else {
      const link = this.view.anchor(this.view.pathOf(found.row) || "");
      const path = html("code", {}, html("bdi", {}, visible(found.path)));
      parts.push(link ? html("a", { href: link }, path) : path, " ", html("span", { class: "t" }, found.type.length > 60 ? "" : visible(found.type)));
      if (found.value) parts.push(" = ", html("code", { class: "hex-value" }, visible(found.value)));
      if (found.unit) parts.push(" ", html("span", { class: "unit" }, visible(found.unit)));
      if (found.error) parts.push(" ", html("span", { class: "wrong" }, visible(found.error)));
      if (found.words) parts.push(html("div", { class: "hint" }, remarks(found)));
    }
    this.said = parts;
    this.view.mark(found.row);
    this.light(at);
  }

  move(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -HEX_LINE, ArrowDown: HEX_LINE, PageUp: -HEX_LINE * HEX_LINES, PageDown: HEX_LINE * HEX_LINES }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const to = (this.chosen ?? this.address) + by;
    if (to >= 0 && to < this.length) this.go(to, to);
  }
}

// What is in a file that is dropped on the page: params, items with their values, bytes. All of it is text
// of a stranger, and is shown as text.

const ROWS_AT_ONCE = 300;
// What is read at once to find the least and the greatest number; more takes a click.
const AUTOMATIC = 4 << 20;

// Every character can be seen: none changes how the others are shown.
function visible(text) {
  return text
    .replace(/[\u0000-\u001f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
      c => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

// Documentation without the unit at its start, which stands elsewhere.
function remarks({ words = "", unit }) {
  return visible(unit && words.startsWith(`(${unit})`) ? words.slice(unit.length + 2).trim() : words);
}

function sized(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let at = 0;
  for (; bytes >= 1024 && at < 4; at++) bytes /= 1024;
  return `${at ? bytes.toPrecision(3) : bytes} ${units[at]}`;
}

class FileView {
  constructor(page) {
    this.page = page;
    this.shown = 0;
    this.paths = new Map();
    this.listen();
  }

  listen() {
    const field = document.getElementById("file-field");
    const button = document.getElementById("open");
    if (!field || !button) return;
    button.addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
      if (field.files.length) this.open(field.files[0]);
      field.value = "";
    });
    const files = event => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
    const over = (event, on) => {
      if (!files(event)) return;
      event.preventDefault();
      document.documentElement.classList.toggle("dropping", on);
    };
    document.addEventListener("dragover", event => over(event, true));
    document.addEventListener("dragleave", event => event.relatedTarget || over(event, false));
    document.addEventListener("drop", event => {
      over(event, false);
      const [file] = event.dataTransfer?.files || [];
      if (file) this.open(file);
    });
    document.addEventListener("keydown", event => {
      const typing = /^(INPUT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey;
      if (event.key === "o" && !typing) field.click();
    });
  }

  async open(file, insists = false) {
    this.close();
    // Whether all is there that needs no click.
    this.done = false;
    const reader = new Reader(file);
    this.reader = reader;
    this.start(file);
    try {
      const { text, raw, big } = this.page.data.layout;
      const found = await reader.open({ do: "open", layout: text, raw, big, insists, params: this.page.givenParams() });
      if (this.reader !== reader) return;
      this.found = found;
      this.summary(found, insists);
      if (found.rows) await this.rows();
      this.hex = new HexView(this, found);
      this.section.append(this.hex.host);
      await this.hex.go(0);
      await this.numbers();
    } catch (error) {
      this.wrong(error);
    }
    if (this.reader === reader) this.done = true;
  }

  close() {
    this.page.fileOrder = null;
    this.reader?.end();
    this.reader = null;
    this.section?.remove();
    this.section = null;
  }

  start(file) {
    this.notes = html("div", { class: "notes", role: "alert" });
    this.facts = html("ul", { class: "facts" }, html("li", {}, sized(file.size)));
    this.count = html("li", { class: "read", title: "Bytes of the file that were read so far" });
    this.facts.append(this.count);
    const close = html("button", { type: "button", class: "close", title: "Close the file", onclick: () => this.close() }, "Close");
    this.section = html("section", { id: "file", "aria-label": "The file" },
      html("h2", {}, "File ", html("bdi", {}, visible(file.name)), close), this.facts, this.notes);
    document.getElementById("main").prepend(this.section);
    this.section.scrollIntoView({ block: "start" });
  }

  // An error does not take away what was found before it.
  wrong(error) {
    if (!this.section || error.message === "closed") return;
    this.notes.append(html("p", { class: "wrong" }, visible(error.message)));
  }

  async ask(request) {
    const reader = this.reader;
    const answer = await reader.ask(request);
    if (this.reader !== reader) throw new Error("closed");
    const { bytes, requests, failed } = reader.read;
    this.count.textContent = `${sized(bytes)} read in ${requests} ${requests === 1 ? "range" : "ranges"}`;
    if (failed && !this.failed) this.wrong(new Error(`The file cannot be read: ${failed}`));
    this.failed = failed;
    if (answer.error && request.do !== "element") this.wrong(new Error(answer.error));
    return answer;
  }

  summary(found, insists) {
    const { kind, order, layout, own } = found;
    const facts = [];
    if (kind) facts.push(`${kind} stream`, order);
    if (layout !== undefined && layout !== null) facts.push(`layout at ${shownNumber(layout)}`);
    this.count.before(...facts.map(text => html("li", {}, text)));
    for (const note of found.notes) this.wrong(new Error(note));
    if (!kind) return;
    const unread = found.params.some(({ error }) => error);
    const says = own === true ? `It is of the layout of this page, whose params are now those of the file${unread ? ", but for those that cannot be read" : ""}.`
      : own === false ? "Its own layout is another than that of this page, and is what follows."
      : "The layout is its own.";
    const line = html("p", { class: "hint" }, says);
    if (own === false) line.append(" ", html("button", { type: "button", onclick: () => this.open(this.reader.file, true) }, "Read it by the layout of this page"));
    if (insists) line.append(" Whatever layout is attached to it is not used.");
    this.section.append(line);
    if (own === false && found.words) this.section.append(html("p", { class: "words" }, visible(found.words)));
    if (own === true) this.page.fileOrder = order;
    if (own === true) this.page.setParams(new Map(found.params.map(({ label, value }) => [visible(label), value])));
    if (found.params.length) {
      const params = found.params.map(({ label, value, error }) => html("li", error ? { class: "wrong", title: visible(error) } : {},
        html("code", {}, html("bdi", {}, visible(label)), ` = ${error ? "?" : value}`)));
      this.section.append(html("ul", { class: "values", "aria-label": "Params" }, ...params));
    }
  }

  // The table, with the rows that fit what is typed.
  async rows() {
    const field = html("input", { type: "search", placeholder: "Only paths with …", "aria-label": "Only paths with" });
    field.addEventListener("input", () => this.fill(field.value).catch(error => this.wrong(error)));
    this.body = html("tbody", {});
    this.more = html("button", { type: "button", onclick: () => this.add().catch(error => this.wrong(error)) });
    const head = ["path", "type", "address", "bytes", "unit", "value"].map(name => html("th", /address|bytes/.test(name) ? { class: "num" } : {}, name));
    const table = html("table", { class: "found" }, html("thead", {}, html("tr", {}, ...head)), this.body);
    this.section.append(this.found.rows > 20 ? field : "", html("div", { class: "wide" }, table), this.more);
    if (this.found.more) this.section.append(html("p", { class: "hint" }, "There are more items than are shown here."));
    await this.fill("");
  }

  async fill(word) {
    this.word = word;
    this.shown = 0;
    this.body.replaceChildren();
    await this.add();
  }

  async add() {
    const word = this.word;
    const { rows, more } = await this.ask({ do: "rows", word, from: this.shown, count: ROWS_AT_ONCE });
    if (word !== this.word) return;
    this.shown += rows.length;
    for (const row of rows) this.paths.set(row.row, row.path);
    this.body.append(...rows.map(row => this.row(row)));
    this.more.textContent = `${shownNumber(Math.min(more, ROWS_AT_ONCE), false)} more of ${shownNumber(more, false)}`;
    this.more.hidden = more === 0;
  }

  row(row) {
    const cell = (label, children, attributes = {}) => html("td", { "data-label": label, ...attributes }, ...children);
    const path = html("bdi", {}, visible(row.path));
    const link = this.anchor(row.path);
    const shape = (row.shape || []).map(dim => shownNumber(dim, false)).join(" × ");
    const value = html("td", { class: "value", "data-label": "value" });
    // Of what is cut off there is the beginning.
    if (row.value !== undefined && row.value !== null) value.append(html("code", {}, visible(row.value)), row.error ? " " : "");
    if (row.error) value.append(html("span", { class: "wrong" }, visible(row.error)));
    else if (row.filter && (row.value ?? null) === null) value.append(html("span", { class: "hint" }, `stored by ${row.filter}`));
    const tr = html("tr", { "data-found": row.row });
    const numeric = !row.error && !row.text && row.count > 16 && !row.filter;
    if (numeric) {
      const button = html("button", { type: "button", class: "numbers", onclick: () => this.measure(row, button).catch(error => this.wrong(error)) }, "min … max");
      value.append(" ", button);
      tr.measure = row.bytes <= AUTOMATIC ? () => this.measure(row, button) : null;
    }
    if (row.drawn && !row.error) {
      value.append(" ", html("button", { type: "button", class: "numbers", onclick: () => this.plot(row, tr).catch(error => this.wrong(error)) }, "plot"));
    }
    const type = row.list !== undefined ? `list of ${shownNumber(row.list, false)}` : row.left !== undefined ? `… ${shownNumber(row.left, false)} more` : row.type || "";
    const at = row.address === undefined ? [] : [html("button", { type: "button", class: "at", title: "Its bytes", onclick: () => this.hex?.go(row.address, row.address) }, shownNumber(row.address))];
    tr.append(
      cell("path", [link ? html("a", { href: link }, path) : path], { class: "path" }),
      cell("type", [html("span", { class: "t" }, visible(type.length > 60 ? `${type.slice(0, 60)}…` : type)), shape ? html("span", { class: "f" }, shape) : ""], { class: "type" }),
      cell("address", at, { class: "num" }),
      cell("bytes", [row.bytes === undefined ? "" : shownNumber(row.bytes, false)], { class: "num" }),
      cell("unit", [visible(row.unit || "")], { class: "unit" }), value);
    if (row.words) tr.title = remarks(row);
    return tr;
  }

  // Where the page speaks of the item.
  anchor(path) {
    if (this.found.own !== true) return null;
    if (!this.anchors) {
      this.anchors = new Map(this.page.data.rows.map(row => [row.p, anchorOf(row)]));
    }
    const names = ["i", "j", "k"];
    let depth = 0;
    return this.anchors.get(visible(path).replace(/\[:\]/g, () => `/[${names[depth++] || `i${depth}`}]`)) || null;
  }

  pathOf(row) {
    return this.paths?.get(row);
  }

  // The row that a byte belongs to.
  mark(row) {
    for (const tr of this.body?.children || []) tr.classList.toggle("picked", Number(tr.dataset.found) === row);
  }

  async numbers() {
    for (const tr of [...this.body?.children || []]) if (tr.measure) await tr.measure();
  }

  // A second click closes it.
  async plot(row, tr) {
    if (tr.nextElementSibling?.classList.contains("plot")) return tr.nextElementSibling.remove();
    const plot = new PlotView(this, row);
    tr.after(plot.host);
    await plot.load();
  }

  async measure(row, button) {
    let done = 0;
    button.disabled = true;
    this.reader.progress = bytes => {
      done += bytes;
      button.textContent = `${sized(done)} of ${sized(row.bytes)}`;
    };
    // What is wrong is said by who asks.
    const { numbers } = await this.ask({ do: "numbers", row: row.row });
    const lines = numbers.map(one => {
      const odd = [["NaN", one.nan], ["infinite", one.inf]].filter(([, count]) => count).map(([name, count]) => `, ${shownNumber(count, false)} ${name}`);
      const range = one.min === null ? "no numbers" : `${one.min} … ${one.max}`;
      const mean = one.mean === null ? "" : `, mean ${one.mean}`;
      return html("div", { class: "range" }, `${visible(one.field)} ${one.part} ${range}${mean}${odd.join("")}`.trim());
    });
    button.replaceWith(...lines);
  }
}

// A first look at the numbers of a row: a line of one dimension, an image of two, and a slider for each other.

const WIDTH = 640;
const HEIGHT = 260;
const LEFT = 76;
const BELOW = 38;
const ABOVE = 10;
// From dark to light, so that they are told apart in grey as well.
const SHADES = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

// Round numbers within a range, about as many as wanted.
function ticks(low, high, wanted) {
  if (!(high > low)) return [low];
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
  const found = [];
  for (let at = Math.ceil(low / step); at * step <= high; at++) found.push(at * step);
  return found;
}

function tickText(value) {
  const text = String(Number(value.toPrecision(6)));
  return text.length > 9 ? value.toExponential(2) : text;
}

class PlotView {
  constructor(view, row) {
    this.view = view;
    this.row = row;
    this.at = [];
    this.field = undefined;
    this.canvas = html("canvas", { role: "img", tabindex: 0 });
    this.controls = html("div", { class: "sliders" });
    this.words = html("p", { class: "hint" });
    const close = html("button", { type: "button", class: "close", title: "Close the plot", onclick: () => this.host.remove() }, "Close");
    this.host = html("tr", { class: "plot" }, html("td", { colspan: 6 }, close, this.controls, this.canvas, this.words));
    this.canvas.addEventListener("pointermove", event => this.point(event));
  }

  async load() {
    const asked = { do: "plot", row: this.row.row, at: this.at };
    if (this.field !== undefined) asked.field = this.field;
    const found = await this.view.ask(asked);
    if (found.error) return this.host.remove();
    this.found = found;
    if (!this.controls.firstChild) this.control(found);
    const numbers = found.values.filter(value => value !== null);
    this.low = numbers.reduce((a, b) => Math.min(a, b), Infinity);
    this.high = numbers.reduce((a, b) => Math.max(a, b), -Infinity);
    this.draw();
    this.say();
  }

  // A choice of fields, and a slider for each dimension that is not drawn.
  control({ fields, field, shape, drawn }) {
    const again = () => this.load().catch(error => this.view.wrong(error));
    if (fields.length > 1) {
      const options = fields.map(name => html("option", { value: name, ...(name === field ? { selected: "" } : {}) }, visible(name)));
      const select = html("select", { "aria-label": "Field" }, ...options);
      select.addEventListener("change", () => {
        this.field = select.value;
        this.at = [];
        this.controls.replaceChildren();
        again();
      });
      this.controls.append(select);
    }
    shape.forEach((count, dim) => {
      if (drawn.includes(dim) || count < 2) return;
      const slider = html("input", { type: "range", min: 0, max: count - 1, value: 0, "aria-label": `Index of dimension ${dim}` });
      const shown = html("output", {}, "0");
      slider.addEventListener("input", () => {
        shown.textContent = slider.value;
        this.at[dim] = Number(slider.value);
        for (let before = 0; before < dim; before++) this.at[before] ??= 0;
        again();
      });
      this.controls.append(html("label", {}, `dimension ${dim} `, slider, " ", shown));
    });
  }

  // The numbers of indices along a dimension that is drawn, and what separates two of them.
  axis(which) {
    const { shape, drawn, steps } = this.found;
    const step = steps[which];
    return { dim: drawn[which], step, count: Math.ceil(shape[drawn[which]] / step) };
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const { canvas } = this;
    canvas.width = WIDTH * ratio;
    canvas.height = HEIGHT * ratio;
    canvas.style.width = `${WIDTH}px`;
    const paint = canvas.getContext("2d");
    paint.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    this.colour = name => style.getPropertyValue(name).trim();
    paint.font = "11px sans-serif";
    if (!(this.high >= this.low)) {
      paint.fillStyle = this.colour("--quiet");
      return paint.fillText("no finite numbers", LEFT, HEIGHT / 2);
    }
    if (this.found.drawn.length === 1) this.line(paint);
    else this.image(paint);
  }

  // Frame, ticks and names of the axes of a box; the vertical axis grows upwards, or downwards for rows of an image.
  axes(paint, box, across, upright, names) {
    paint.strokeStyle = this.colour("--line");
    paint.fillStyle = this.colour("--quiet");
    paint.strokeRect(box.left, box.top, box.width, box.height);
    paint.textAlign = "center";
    for (const tick of ticks(across.low, across.high, 6)) {
      const x = box.left + across.place(tick) * box.width;
      paint.fillText(tickText(tick), x, box.top + box.height + 14);
    }
    paint.fillText(names[0], box.left + box.width / 2, HEIGHT - 6);
    paint.textAlign = "right";
    for (const tick of ticks(upright.low, upright.high, 5)) {
      const y = box.top + upright.place(tick) * box.height;
      paint.fillText(tickText(tick), box.left - 5, y + 4);
    }
    paint.save();
    paint.translate(11, box.top + box.height / 2);
    paint.rotate(-Math.PI / 2);
    paint.textAlign = "center";
    paint.fillText(names[1], 0, 0, box.height);
    paint.restore();
  }

  line(paint) {
    const { values } = this.found;
    const { step, count, dim } = this.axis(0);
    const box = { left: LEFT, top: ABOVE, width: WIDTH - LEFT - 14, height: HEIGHT - ABOVE - BELOW };
    const flat = this.high === this.low;
    const [low, high] = flat ? [this.low - 1, this.high + 1] : [this.low, this.high];
    const across = { low: 0, high: (count - 1) * step, place: value => value / ((count - 1) * step) };
    const upright = { low, high, place: value => 1 - (value / 2 - low / 2) / (high / 2 - low / 2) };
    this.axes(paint, box, across, upright, [`index of dimension ${dim}`, this.name()]);
    paint.strokeStyle = paint.fillStyle = this.colour("--accent");
    paint.beginPath();
    let open = false;
    values.forEach((value, at) => {
      if (value === null) { open = false; return; }
      const [x, y] = [box.left + across.place(at * step) * box.width, box.top + upright.place(value) * box.height];
      if (open) paint.lineTo(x, y);
      else paint.moveTo(x, y);
      // What has no neighbours is a point.
      if (!open && (values[at + 1] ?? null) === null) paint.fillRect(x - 1, y - 1, 2, 2);
      open = true;
    });
    paint.stroke();
    this.find = (x, y) => {
      const at = Math.round((x - box.left) / box.width * (count - 1));
      return at >= 0 && at < count ? [[at * step], values[at]] : null;
    };
  }

  image(paint) {
    const { values } = this.found;
    const [rows, columns] = [this.axis(0), this.axis(1)];
    const height = HEIGHT - ABOVE - BELOW;
    const share = columns.count * columns.step / (rows.count * rows.step);
    const width = Math.max(60, Math.min(WIDTH - LEFT - 110, height * share));
    const box = { left: LEFT, top: ABOVE, width, height };
    const pixels = new ImageData(columns.count, rows.count);
    values.forEach((value, at) => {
      if (value !== null) pixels.data.set([...this.shade(value), 255], 4 * at);
    });
    const small = document.createElement("canvas");
    small.width = columns.count;
    small.height = rows.count;
    small.getContext("2d").putImageData(pixels, 0, 0);
    paint.imageSmoothingEnabled = false;
    paint.drawImage(small, box.left, box.top, width, height);
    // An index is in the middle of its pixel.
    const along = ({ step, count }) => ({ low: 0, high: (count - 1) * step, place: value => (value / step + 0.5) / count });
    this.axes(paint, box, along(columns), along(rows), [`index of dimension ${columns.dim}`, `index of dimension ${rows.dim}`]);
    this.scale(paint, { left: box.left + width + 16, top: ABOVE, width: 12, height });
    this.find = (x, y) => {
      const column = Math.floor((x - box.left) / width * columns.count);
      const row = Math.floor((y - box.top) / height * rows.count);
      const there = column >= 0 && column < columns.count && row >= 0 && row < rows.count;
      return there ? [[row * rows.step, column * columns.step], values[row * columns.count + column]] : null;
    };
  }

  shade(value) {
    const part = this.high > this.low ? (value / 2 - this.low / 2) / (this.high / 2 - this.low / 2) : 0.5;
    const place = part * (SHADES.length - 1);
    const at = Math.min(Math.floor(place), SHADES.length - 2);
    return SHADES[at].map((from, channel) => from + (SHADES[at + 1][channel] - from) * (place - at));
  }

  // What the colours mean.
  scale(paint, { left, top, width, height }) {
    for (let y = 0; y < height; y++) {
      paint.fillStyle = `rgb(${this.shade(this.high + (this.low - this.high) * (y / height)).join(",")})`;
      paint.fillRect(left, top + y, width, 1);
    }
    paint.fillStyle = this.colour("--quiet");
    paint.textAlign = "left";
    paint.fillText(tickText(this.high), left + width + 4, top + 9);
    paint.fillText(tickText(this.low), left + width + 4, top + height);
    paint.fillText(visible(this.found.unit || this.row.unit || ""), left + width + 4, top + height / 2);
  }

  name() {
    const { field, unit, absolute } = this.found;
    const name = visible(`${this.row.path}${field ? `.${field}` : ""}`);
    const shown = unit || this.row.unit;
    return `${absolute ? `|${name}|` : name}${shown ? ` (${visible(shown)})` : ""}`;
  }

  say(at = null) {
    const { steps, absolute, values } = this.found;
    const odd = values.filter(value => value === null).length;
    const words = [this.name()];
    if (at) words.push(`[${at[0].join(", ")}] = ${at[1] === null ? "no finite number" : at[1]}`);
    if (steps.some(step => step > 1)) words.push(`every ${steps.map(step => `${step}.`).join(" × ")} element`);
    if (absolute) words.push("absolute values");
    if (odd) words.push(`${shownNumber(odd, false)} not finite`);
    this.words.textContent = words.join("; ");
    this.canvas.setAttribute("aria-label", `${this.name()}: ${tickText(this.low)} to ${tickText(this.high)}`);
  }

  point(event) {
    const shown = this.canvas.getBoundingClientRect();
    const scale = WIDTH / shown.width;
    this.say(this.find?.((event.clientX - shown.left) * scale, (event.clientY - shown.top) * scale));
  }
}

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

// The page follows its params: numbers, map and programs are made anew from the operations.

let hexadecimal = false;

// Fields that are made at once.
const FIELDS = 200;

function shownNumber(value, address = true) {
  if (value === null || value === undefined) return "—";
  if (hexadecimal && address && value >= 0) return "0x" + value.toString(16);
  const digits = value.toString().replace("-", "−");
  return digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, "\u202f") : digits;
}

function countedBytes(count) {
  return `${shownNumber(count, false)} ${Number(count) === 1 ? "byte" : "bytes"}`;
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
    this.takeDefaults();
    this.depth = data.rows.reduce((most, row) => Math.max(most, row.r ? row.r.length : 0), 0);
    this.indices = new Array(this.depth).fill(0n);
    this.numbers = numbersIn(document);
    this.open = new Map();
    this.boxesOfRows = new Map();
    this.strips = new Map();
    this.stripsSeen = new Set();
    this.wrong = new Map();
    this.readAddress();
    this.listen();
    this.prepareMap();
    this.prepareRows();
    this.update();
    this.follow();
    this.file = new FileView(this);
  }

  takeDefaults() {
    this.params = [...this.defaults];
    // Nobody said these.
    this.assumed = new Set(this.data.params.flatMap((param, at) => (param.example ? [at] : [])));
  }

  // A param that somebody said.
  setParam(at, value) {
    this.params[at] = value;
    this.assumed.delete(at);
  }

  showParam(at, field) {
    field.value = this.params[at];
    field.closest("label").classList.toggle("example", this.assumed.has(at));
  }

  // Params by their labels, as a file has them.
  setParams(values) {
    this.data.params.forEach((param, at) => {
      const value = values.get(param.label);
      if (value === undefined) return;
      this.setParam(at, BigInt(value));
      const field = document.querySelector(`[data-param="${at}"]`);
      if (field) this.showParam(at, field);
    });
    this.update();
  }

  // The fixed params that have another value than the layout says: no file tells those.
  givenParams() {
    const given = {};
    this.data.params.forEach((param, at) => {
      const value = this.params[at];
      if (param.fixed && value !== null && value !== this.defaults[at]) given[param.label] = value.toString();
    });
    return given;
  }

  // Params in the address of the page: `?IMAX=512`.
  readAddress() {
    const said = new URLSearchParams(location.search);
    this.data.params.forEach((param, at) => {
      const value = said.get(param.label);
      if (value !== null && /^-?\d{1,19}$/.test(value)) this.setParam(at, BigInt(value));
    });
  }

  writeAddress() {
    const said = new URLSearchParams();
    this.data.params.forEach((param, at) => {
      if (this.params[at] !== null && this.params[at] !== this.defaults[at]) {
        said.set(param.label, this.params[at].toString());
      }
    });
    this.query = said.toString() ? `?${said}` : "";
    try {
      history.replaceState(null, "", location.pathname + this.query + location.hash);
    } catch {
      // A page that may not change its address works all the same.
    }
  }

  // Links to other pages take the params along, when they are about to be followed.
  listenLinks() {
    const take = event => {
      const link = event.target.closest?.("a[href*='.html']");
      if (link && link.search !== this.query) link.search = this.query;
    };
    for (const type of ["pointerdown", "focusin", "click"]) document.addEventListener(type, take, true);
  }

  listen() {
    const form = document.getElementById("inputs");
    if (form) {
      this.prepareFields(form);
      const show = () => form.querySelectorAll("[data-param]").forEach(field => this.showParam(Number(field.dataset.param), field));
      show();
      form.addEventListener("submit", event => event.preventDefault());
      form.addEventListener("input", event => this.take(event.target));
      form.addEventListener("reset", () => {
        this.takeDefaults();
        this.indices.fill(0n);
        setTimeout(() => {
          show();
          this.update();
        });
      });
    }
    this.prepareIndices();
    this.listenLinks();
    listenSearch([...this.data.rows, ...rowsOfTypes(this.data.types)], row => this.go(row));
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

  // Of a layout with several pages the params stand in the data that they share. Where there are many, the page can
  // be used before all their fields are there.
  prepareFields(form) {
    if (form.querySelector("[data-param]")) return;
    const behind = document.getElementById("indices");
    const add = from => {
      const some = this.data.params.slice(from, from + FIELDS);
      behind.before(...some.map((param, at) => this.fieldOf(param, from + at)));
      if (from + FIELDS < this.data.params.length) setTimeout(() => add(from + FIELDS));
    };
    add(0);
  }

  fieldOf(param, at) {
    const field = html("input", { type: "text", inputmode: "numeric", "data-param": at });
    const name = html("span", {}, html("bdi", {}, param.label));
    const label = html("label", { title: param.words || "" }, name, field);
    this.showParam(at, field);
    this.markField(at, field);
    return label;
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
    if (field.dataset.param !== undefined) {
      this.setParam(Number(field.dataset.param), value);
      field.closest("label").classList.remove("example");
    } else {
      field.toggleAttribute("aria-invalid", !fine);
      if (!fine) field.setAttribute("aria-invalid", "true");
      this.indices[Number(field.dataset.index)] = value !== null && value >= 0n ? value : null;
    }
    this.update();
  }

  update() {
    const { data } = this;
    this.results = evaluate(data.ops, this.params, this.indices);
    this.unknown = unknownOf(data.ops, this.results);
    const beyond = new Set(data.rows.flatMap((row, at) => (this.isBeyond(row) ? [at] : [])));
    for (const { element, node, value, address, row } of this.numbers) {
      const now = node === null ? BigInt(value) : beyond.has(row) ? null : this.results[node];
      const text = node !== null && this.unknown[node] && !beyond.has(row) ? "?" : shownNumber(now, address);
      if (element.textContent !== text) element.textContent = text;
    }
    for (const element of document.querySelectorAll("[data-p]")) {
      element.textContent = this.params[Number(element.dataset.p)] ?? "—";
    }
    this.markFields();
    const problem = document.getElementById("problem");
    if (problem) problem.textContent = problemOf(this, beyond);
    this.updateMap();
    for (const element of this.stripsSeen) this.drawStrip(element);
    for (const [at, cell] of this.open) this.fillDetail(at, cell);
    this.writeAddress();
  }

  markFields() {
    const before = this.wrong;
    this.wrong = new Map(this.data.params.map((param, at) => [at, reasonOf(param, this.params[at])]).filter(([, reason]) => reason));
    for (const at of new Set([...before.keys(), ...this.wrong.keys()])) {
      const field = document.querySelector(`[data-param="${at}"]`);
      if (field) this.markField(at, field);
    }
  }

  markField(at, field) {
    const reason = this.wrong.get(at);
    for (const [name, value] of [["aria-invalid", "true"], ["title", reason]]) {
      if (reason) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
  }

  // Whether a list has no such repetition.
  isBeyond(row) {
    return (row.r || []).some((count, depth) => {
      const many = count === null ? null : this.results[count];
      return many !== null && (this.indices[depth] === null || this.indices[depth] >= many);
    });
  }

  placeOf(row, results) {
    return this.placeBy(row, node => results[node]);
  }

  placeBy(row, valueOf) {
    const start = row.at === undefined ? null : valueOf(row.at);
    const bytes = row.b === undefined ? null : valueOf(row.b);
    if (start === null || bytes === null || bytes <= 0n) return null;
    return { start: Number(start), end: Number(start + bytes) };
  }

  // A row has one box, of which only the place changes with the params.
  boxOf(row, place) {
    let box = this.boxesOfRows.get(row);
    if (!box) {
      const kind = row.k === "p" ? "param" : row.t !== undefined ? "struct" : kindOf(row.q || "");
      const parts = segments(row.p);
      box = {
        start: 0, end: 0, kind, row, label: row.p, href: anchorOf(row), note: row.w, align: row.al || 1,
        explicit: row.x, group: parts.length > 1 ? `/${parts[0]}` : "",
      };
      this.boxesOfRows.set(row, box);
    }
    box.start = place.start;
    box.end = place.end;
    return box;
  }

  // All that has a place; a list is one box from its first item to its last. `unknown` are the addresses from which
  // on lies something whose place or size is not known, and what that is.
  boxes(unknown = []) {
    const { data } = this;
    const zero = new Array(this.depth).fill(0n);
    const first = this.depth ? evaluate(data.ops, this.params, zero) : this.results;
    const at = this.elsewhereOf(first);
    const boxes = [];
    let list = null;
    let here = Number(data.start);
    for (const row of data.rows) {
      if (row.k === "l" && !row.r) list = null;
      if (row.sp && !row.r) this.addRecords(boxes, row);
      else if (!row.r && row.k !== "l") {
        const place = this.placeOf(row, this.results);
        if (place) boxes.push(this.boxOf(row, place));
      }
      if (!row.r) here = this.passed(row, here, unknown);
      if (row.k === "l" && !row.r) {
        list = { ...this.boxOf(row, { start: Infinity, end: -Infinity }), kind: "list", first: 0, stride: 0, filled: 0, list: row };
        continue;
      }
      if (!row.r || !list || !row.p.startsWith(`${list.label}/`)) continue;
      const counts = row.r.map(count => (count === null ? null : first[count]));
      if (counts.some(many => many !== null && many <= 0n)) continue;
      // Members that stand for items lie within their record.
      const [start, bytes] = (row.sp ?? [row.at, row.b]).map(node => node ?? undefined);
      const whole = { at: start, b: bytes };
      const from = this.placeOf(whole, first);
      // Between what lies somewhere, or says where it lies, there may be other things than padding.
      const lost = [start, bytes].some(node => (node === undefined ? row.k === "a" : first[node] === null));
      if (row.x || lost || counts.includes(null)) list.filled = NaN;
      if (!from || counts.includes(null)) {
        here = this.passed(row, here, unknown);
        continue;
      }
      const last = at(counts.map(many => many - 1n));
      const to = this.placeBy(whole, last);
      if (!to) continue;
      if (list.end < 0) boxes.push(list);
      const many = counts.reduce((count, many) => count * many, 1n);
      if (!row.sp || list.inside !== start) list.filled += (from.end - from.start) * Number(many);
      list.inside = row.sp ? start : null;
      list.start = Math.min(list.start, from.start);
      list.end = Math.max(list.end, to.end);
      here = Math.max(here, to.end);
      if (counts[0] > 1n) {
        // A list begins at any address, so its first repetition may have another length than all others.
        const second = this.placeBy(whole, at([1n]));
        const third = counts[0] > 2n ? this.placeBy(whole, at([2n])) : null;
        const first = second ? second.start - from.start : 0;
        const stride = third ? third.start - second.start : first;
        if (list.count === undefined) Object.assign(list, { first, stride, count: counts[0] });
        // Of several things repeated, one behind the other, each may have its own.
        else if (third && list.count > 2n && stride !== list.stride) list.stride = 0;
      }
    }
    return boxes;
  }

  // Where what follows a row may begin. One whose place or size is not known is somewhere behind what was before it.
  passed(row, here, unknown) {
    const [at, b] = row.sp || [row.at, row.b];
    const get = node => (node === undefined || node === null ? null : this.results[node]);
    const [start, bytes] = [get(at), get(b)];
    if (start !== null && bytes !== null) return bytes > 0n ? Number(start + bytes) : here;
    if (row.k !== "a") return here;
    unknown.push({ at: start === null ? here : Number(start), label: row.p });
    return start === null ? here : Number(start);
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

  // What operations come to in some repetition, where `first` are the results in the first one.
  elsewhereOf(first) {
    this.moving ??= movingOf(this.data.ops);
    const known = new Map();
    return indices => {
      const all = Array.from({ length: this.depth }, (_, depth) => indices[depth] ?? 0n);
      const key = all.join(",");
      if (!known.has(key)) known.set(key, elsewhere(this.data.ops, this.moving, this.params, first, all));
      return known.get(key);
    };
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
    this.prepareStrips();
  }

  // There may be thousands of types, so the strip of one is drawn when it is about to be seen.
  prepareStrips() {
    const all = document.querySelectorAll(".strip[data-type]");
    const watch = new IntersectionObserver(changes => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) {
          this.stripsSeen.add(target);
          this.drawStrip(target);
        } else this.stripsSeen.delete(target);
      }
    }, { rootMargin: "400px" });
    all.forEach(element => watch.observe(element));
    window.addEventListener("beforeprint", () => all.forEach(element => this.drawStrip(element).draw()));
  }

  drawStrip(element) {
    let strip = this.strips.get(element);
    if (!strip) this.strips.set(element, (strip = new MemoryMap(element, { small: true })));
    this.fillStrip(strip, this.data.types[Number(element.dataset.type)]);
    return strip;
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
    const unknown = [];
    const boxes = this.boxes(unknown);
    this.map.chosen = boxes.find(box => box.label === chosen) || null;
    this.map.set(boxes, this.data.start, end === null ? 0 : Number(end), unknown);
    const open = this.map.gaps.filter(gap => gap.unknown);
    const gaps = this.map.gaps.filter(gap => gap.before && !gap.unknown);
    const total = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0);
    const within = boxes.filter(box => box.end - box.start > box.filled);
    const over = overlapsOf(boxes).slice(0, 20);
    const lines = [...over.map(box => `${box.label} overlaps what lies before it`), ...gaps.slice(0, 100).map(blame), ...open.slice(0, 100).map(blame), ...within.map(box => `${countedBytes(box.end - box.start - box.filled)} in ${box.label}`)];
    const places = `${countedBytes(total)} in ${gaps.length} ${gaps.length === 1 ? "place" : "places"}`;
    const summary = [gaps.length ? places : "", within.length ? "some within lists" : "", over.length ? "overlaps" : "", open.length ? "not all is known" : ""].filter(text => text).join(", ");
    this.blames.replaceChildren(
      html("summary", {}, summary ? `Padding: ${summary}` : "No padding"),
      html("ul", {}, ...lines.map(line => html("li", {}, line))));
    if (this.map.chosen) this.choose(this.map.chosen);
  }

  // How far the repetitions of a list are from each other.
  strideOf(box) {
    if (!box.stride) return "";
    const steady = `${shownNumber(box.stride, false)} bytes from one repetition to the next`;
    if (box.first === box.stride) return `, ${steady}`;
    return `, ${shownNumber(box.first, false)} bytes from the first repetition to the second, then ${steady}`;
  }

  // Says what a box is, and shows what is inside of a record.
  choose(box) {
    const near = html("button", { type: "button", onclick: () => this.map.showBox(box) }, "Zoom to it");
    this.info.replaceChildren(
      html("a", { href: box.href }, html("code", {}, box.label)), ` ${span(box)}${this.strideOf(box)}. ${box.note || ""} `, near);
    this.inner.replaceChildren();
    const strip = boxes => {
      const inner = new MemoryMap(this.inner, { small: true });
      const from = Math.min(...boxes.map(one => one.start));
      // Up to the next repetition, if there is one.
      const [index] = this.indices;
      inner.set(boxes, from, box.stride && index + 1n < box.count ? from + (index === 0n ? box.first : box.stride) : 0);
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
    document.querySelectorAll("button.counted").forEach(button => this.foldCounts(button));
  }

  // Params that only count an item are shown with it.
  foldCounts(button) {
    const rows = button.dataset.rows.split(" ").map(at => document.querySelector(`tr[data-row="${at}"]`));
    const fold = folded => rows.forEach(tr => tr?.classList.toggle("folded", folded));
    button.hidden = false;
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      fold(open);
    });
    fold(true);
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
    else if (address !== null && cursor !== null && !this.isBeyond(row)) {
      const gap = address - cursor;
      facts.push(["alignment", `${row.al || 1}${gap > 0n ? `; ${countedBytes(gap)} of padding before it` : "; no padding before it"}`]);
    }
    facts.push(["elements", shownNumber(get(row.n), false)]);
    const uses = this.data.params.filter(param => param.rows.includes(at)).map(param => param.label);
    if (uses.length) facts.push(["depends on", uses.join(", ")]);
    const list = html("dl", {}, ...facts.flatMap(([name, text]) => [html("dt", {}, name), html("dd", {}, text)]));
    cell.replaceChildren(list, this.programs(row, cell));
  }

  // Where there is no such repetition, its address is that of something else.
  programs(row, cell) {
    if (this.isBeyond(row)) return html("p", { class: "hint" }, "There is no such repetition with these params.");
    const tabs = html("div", { class: "tabs", role: "tablist" });
    const code = html("pre", {});
    const copy = html("button", { type: "button" }, "Copy");
    copy.addEventListener("click", () => navigator.clipboard?.writeText(code.textContent));
    const all = programsOf(row, this.data.snippets, this.results);
    const pick = name => {
      cell.dataset.tab = name;
      [...tabs.children].forEach(tab => tab.setAttribute("aria-selected", String(tab.textContent === name)));
      code.textContent = all.find(one => one[0] === name)[1];
    };
    tabs.append(...all.map(([name]) => html("button", { type: "button", role: "tab", onclick: () => pick(name) }, name)));
    pick(all.some(one => one[0] === cell.dataset.tab) ? cell.dataset.tab : all[0][0]);
    const order = this.data.layout.big ? "big-endian" : "little-endian";
    const other = this.fileOrder && this.fileOrder !== order;
    const note = other ? html("p", { class: "hint" }, `The programs are for ${order} streams; the file above is ${this.fileOrder}.`) : "";
    // What is filtered, or lies where only a stream tells, takes more than a few lines.
    const few = all.some(([name]) => /^(Python|C|Fortran)$/.test(name));
    const module = few ? "" : html("p", { class: "hint" }, html("code", {}, this.data.layout.module), " makes a Python module that reads it.");
    return html("div", {}, tabs, note, html("div", { class: "code" }, copy, code), module);
  }

  go(row) {
    const target = anchorOf(row);
    if (row.f && !location.pathname.endsWith(`/${row.f}`)) location.href = row.f + location.search + target.slice(row.f.length);
    else location.hash = target.slice((row.f || "").length);
  }

  // An anchor of another page leads there.
  follow() {
    const hash = decoded(location.hash.slice(1));
    const there = hash && document.getElementById(hash);
    if (there) return there.scrollIntoView({ block: "center" });
    const row = hash && this.data.rows.find(row => (row.a || row.p) === hash);
    if (row && row.f) this.go(row);
  }
}

// What is no text in percents is taken as it is.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
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
  document.addEventListener("keydown", event => {
    const typing = /^(INPUT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey;
    if (event.key === "d" && !typing) flip();
  });
}

if (typeof document !== "undefined") {
  listenTheme();
  const own = document.getElementById("data");
  const data = own ? JSON.parse(own.textContent) : window.DUDLEY;
  if (data) window.page = new Page(data);
  else document.documentElement.classList.add("plain");
}
