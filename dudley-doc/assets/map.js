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
