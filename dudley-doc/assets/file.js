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
