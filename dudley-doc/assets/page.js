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
