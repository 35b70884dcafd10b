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
