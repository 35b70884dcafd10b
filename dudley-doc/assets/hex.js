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
