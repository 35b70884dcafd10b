// Looks at pages as a reader would: `pages.js CHROMIUM FOLDER PICTURES`, the folder holding the sites
// that tests/tests/doc.rs makes. Ends with an error that says what is not as it should be.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { Browser } = require("./browser.js");

const [chromium, folder, pictures] = process.argv.slice(2);
const url = (site, page, query = "") => pathToFileURL(path.join(folder, site, page)).href + query;

const cell = (row, label) => `document.getElementById(${JSON.stringify(row)}).querySelector('[data-label=${label}] span').textContent`;
const type = (label, value) => `(() => {
  const param = page.data.params.findIndex(param => param.label === ${JSON.stringify(label)});
  const field = document.querySelector('[data-param="' + param + '"]');
  field.value = ${JSON.stringify(value)};
  field.dispatchEvent(new Event("input", { bubbles: true }));
})()`;

// The places of padding, a line each.
const padding = "[...document.querySelectorAll('.blame li')].map(one => one.textContent).join('\\n')";

async function params(browser) {
  await browser.open(url("blast", "index.html"));
  // What nobody said is told as that.
  const assumed = "[...document.querySelectorAll('#inputs .example [data-param]')].map(field => Number(field.dataset.param))";
  const hint = "getComputedStyle(document.querySelector('#inputs .assumed')).display !== 'none'";
  assert.match(await browser.run("document.querySelector('#inputs .assumed').innerText"), /^Values in italics are assumed\.$/);
  const all = await browser.run(assumed);
  assert.ok(all.length > 1);
  await browser.run(type("IMAX", "10"));
  assert.deepEqual(await browser.run(assumed), all.slice(1));
  await browser.run("page.data.params.forEach((param, at) => { const field = document.querySelector(`[data-param='${at}']`); field.dispatchEvent(new Event('input', { bubbles: true })); })");
  assert.equal(await browser.run(hint), false);
  await browser.run("document.querySelector('#inputs [type=reset]').click()");
  await browser.until(hint);
  assert.deepEqual(await browser.run(assumed), all);
  // r and z are 8*IMAX*JMAX, rho is 8*(IMAX-1)*(JMAX-1); r begins at 80.
  await browser.run(type("IMAX", "512"));
  await browser.run(type("JMAX", "3"));
  assert.equal(await browser.run(cell("/z", "address")), "12\u202f368");
  assert.equal(await browser.run(cell("/rho", "bytes")), "8176");
  assert.equal(await browser.run("document.querySelector('.total b').textContent"), "33\u202f068");
  assert.match(await browser.run("location.search"), /IMAX=512/);
  // Nothing is left of r where a dimension is 0; what is no number is said.
  await browser.run(type("IMAX", "0"));
  assert.equal(await browser.run(cell("/z", "address")), "80");
  await browser.run(type("IMAX", "-2"));
  assert.equal(await browser.run(cell("/z", "address")), "—");
  const problem = "document.getElementById('problem').textContent";
  const marked = "[...document.querySelectorAll('[data-param][aria-invalid=true]')].map(field => [Number(field.dataset.param), field.title])";
  const reason = (name, type, most) => `${name} must be a whole number from −1 to ${most} (${type}).`.replaceAll(" 000", "\u202f000");
  const many = reason("IMAX", "i8", "9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f807");
  assert.equal(await browser.run(problem), many);
  assert.deepEqual(await browser.run(marked), [[0, many]]);
  await browser.run(type("IMAX", "twelve"));
  assert.equal(await browser.run("document.querySelector('[data-param=\"0\"]').getAttribute('aria-invalid')"), "true");
  // What one fits no other may: then that which takes them is named.
  await browser.run(type("IMAX", "4"));
  assert.deepEqual(await browser.run(marked), []);
  await browser.run(type("IMAX", "9223372036854775807"));
  assert.match(await browser.run(problem), /^The size of \/\w+ is illegal with these params\.$/);
  // A page that is opened with params shows them.
  await browser.open(url("blast", "index.html", "?IMAX=20&JMAX=10"));
  assert.equal(await browser.run(cell("/z", "address")), "1680");
  assert.deepEqual(await browser.run(assumed), all.slice(2));
  await browser.run("document.getElementById('hex').click()");
  assert.equal(await browser.run(cell("/z", "address")), "0x690");
  // The fourth record of the history.
  await browser.run("document.getElementById('hex').click()");
  const field = "document.querySelector('[data-index=\"0\"]')";
  await browser.run(`${field}.value = "3"; ${field}.dispatchEvent(new Event("input", { bubbles: true }))`);
  assert.equal(await browser.run(cell("/history/~5b.i~5d./energy", "address")), "4728");
}

async function map(browser) {
  await browser.open(url("blast", "index.html", "?IMAX=20&JMAX=10"));
  const boxes = await browser.run("page.map.boxes.map(box => [box.label, box.start, box.end])");
  assert.deepEqual(boxes[5], ["/r", 80, 1680]);
  assert.deepEqual(boxes[8], ["/history", 4648, 4884]);
  const width = "document.querySelectorAll('#memory .box')";
  const shares = await browser.run(`[...${width}].map(box => Number(box.getAttribute("width")))`);
  const total = shares.reduce((a, b) => a + b, 0);
  // To scale: r has 1600 of 4868 bytes.
  assert.ok(shares.some(one => Math.abs(one / total - 1600 / 4868) < 0.02), String(shares));
  await browser.run("document.getElementById('log').click()");
  const logs = await browser.run(`[...${width}].map(box => Number(box.getAttribute("width")))`);
  assert.ok(Math.min(...logs) > 10, String(logs));
  await browser.run("page.choose(page.map.boxes.find(box => box.label === '/history'))");
  const said = await browser.run("document.querySelector('.chosen-info').textContent");
  assert.match(said, /24 bytes from one repetition to the next/);
  assert.match(await browser.run(padding), /^36 bytes in \/history$/m);
}

// Lists that differ in length, lists in lists, and what has no size before it is read.
async function lists(browser) {
  await browser.open(url("lists", "index.html"));
  const boxes = await browser.run("page.map.boxes.map(box => [box.label, box.start, box.end])");
  assert.deepEqual(boxes, [["/a", 16, 32], ["/b", 32, 72], ["/q", 72, 115], ["/r", 120, 177], ["/c", 184, 192]]);
  const said = await browser.run(padding);
  assert.match(said, /^5 bytes in \/q$/m);
  assert.match(said, /^7 bytes in \/r$/m);
  assert.doesNotMatch(said, /overlap/);
  await browser.open(url("open", "index.html"));
  const open = await browser.run("document.querySelector('.blame').textContent");
  assert.match(open, /^Padding: 4 bytes in 1 place, not all is known4 bytes at 1044: \/e is aligned to 8/);
  assert.match(open, /972 bytes at 28: \/v and 1 more may lie there/);
  assert.doesNotMatch(open, /says its address/);
  // What no few lines read is read by a module.
  await browser.run("document.querySelectorAll('tr.array .more').forEach(more => more.click())");
  const hints = "[...document.querySelectorAll('.detail')].filter(one => /makes a Python module/.test(one.textContent)).map(one => one.previousElementSibling.id)";
  assert.deepEqual(await browser.run(hints), ["/v", "/z"]);
  const hint = "[...document.querySelectorAll('.detail .hint')].pop().textContent";
  assert.equal(await browser.run(hint), "dudc gen numpy one.dud makes a Python module that reads it.");
  // What cannot be in an address is no hindrance, nor is a letter for the colours.
  await browser.open(url("open", "index.html", "?M=200#%"));
  const dark = "document.documentElement.classList.contains('dark')";
  const before = await browser.run(dark);
  await browser.key("d");
  assert.notEqual(await browser.run(dark), before);
  // An example is one that is legal.
  assert.equal(await browser.run("document.getElementById('problem')?.textContent || ''"), "");
}

// A list whose first repetition is shorter: it begins where the alignment of its second item takes fewer bytes.
async function uneven(browser) {
  const chosen = async n => {
    await browser.open(url("uneven", "index.html", `?n=${n}`));
    await browser.run("page.choose(page.map.boxes.find(box => box.label === '/l'))");
    return browser.run(`document.querySelector('.chosen-info').textContent + "\\n" + ${padding}`);
  };
  assert.match(await chosen(5), /, 11 bytes from the first repetition to the second, then 16 bytes from one repetition to the next\./);
  assert.match(await chosen(5), /^30 bytes in \/l$/m);
  assert.match(await chosen(2), /, 11 bytes from one repetition to the next\./);
  assert.match(await chosen(2), /^9 bytes in \/l$/m);
  assert.doesNotMatch(await chosen(1), /repetition to the next/);
  assert.match(await chosen(1), /^2 bytes in \/l$/m);
  // Members that stand for items of a dict lie within their record.
  await browser.open(url("uneven", "index.html"));
  const m = "page.map.boxes.find(box => box.label === '/m')";
  assert.deepEqual(await browser.run(`[${m}.end - ${m}.start, ${m}.filled]`), [144, 144]);
}

// What does not exist has no program: its address is that of something else.
async function absent(browser) {
  await browser.open(url("none", "index.html", "?NREC=0"));
  const row = "/hist/~5b.i~5d./t";
  assert.equal(await browser.run(cell(row, "address")), "—");
  await browser.run(`document.getElementById("${row}").querySelector(".more").click()`);
  const detail = "document.querySelector('.detail').textContent";
  const reason = /There is no such repetition with these params\.$/;
  assert.match(await browser.run(detail), reason);
  assert.doesNotMatch(await browser.run(detail), /padding/);
  await browser.run(type("NREC", "2"));
  assert.match(await browser.run(detail), /dudc get .*\/hist\/0\/t/);
  await browser.run("[...document.querySelectorAll('.detail .tabs button')].find(tab => tab.textContent === 'C').click()");
  const field = "document.querySelector('[data-index=\"0\"]')";
  const repeat = value => browser.run(`${field}.value = "${value}"; ${field}.dispatchEvent(new Event("input", { bubbles: true }))`);
  await repeat(2);
  assert.match(await browser.run(detail), reason);
  await repeat("x");
  assert.match(await browser.run(detail), reason);
  // The language is as it was chosen.
  await repeat(1);
  assert.match(await browser.run(detail), /INT64_C\(32\)/);
}

// Params that only count an item fold into it; what has words of its own stays.
async function folded(browser) {
  await browser.open(url("counts", "index.html"));
  const shown = "[...document.querySelectorAll('tr.param')].filter(tr => tr.offsetParent !== null).map(tr => tr.id)";
  assert.deepEqual(await browser.run(shown), ["/:said", "/:both"]);
  const button = "document.getElementById('/name').querySelector('.counted')";
  assert.equal(await browser.run(`${button}.textContent`), "n_name, width");
  await browser.run(`${button}.click()`);
  assert.deepEqual(await browser.run(shown), ["/:n_name", "/:width", "/:said", "/:both"]);
  await browser.run(`${button}.click()`);
  assert.equal((await browser.run(shown)).length, 2);
  // A link to one shows it, from another page.
  await browser.open(url("blast", "index.html"));
  await browser.open(url("counts", "index.html") + "#/:n_name");
  assert.ok((await browser.run(shown)).includes("/:n_name"));
}

async function search(browser) {
  await browser.open(url("blast", "index.html"));
  await browser.key("/");
  for (const key of "energy") await browser.key(key);
  assert.match(await browser.run("document.querySelector('#hits li').textContent"), /^\/history\/\[i\]\/energy/);
  await browser.key("Enter");
  assert.equal(await browser.run("decodeURIComponent(location.hash)"), "#/history/~5b.i~5d./energy");
  assert.ok(await browser.run("document.querySelector('tr:target').textContent.includes('total energy')"));
  const hits = "[...document.querySelectorAll('#hits li bdi')].map(hit => hit.textContent)";
  for (const [word, hit] of [["pt.y", "pt.y"], ["electric", "/e"], ["naive", "/e"], ["c8", "/e"]]) {
    await browser.open(url("open", "index.html"));
    await browser.key("/");
    for (const key of word) await browser.key(key);
    assert.ok((await browser.run(hits)).includes(hit), word);
  }
  // Over several pages.
  await browser.open(url("large", "index.html"));
  await browser.run("document.getElementById('search').focus()");
  for (const key of "v1207") await browser.key(key);
  await browser.key("Enter");
  await browser.until("document.querySelector('tr:target')?.textContent.includes('v1207')");
  // The fields of the params are made from the data that its pages share.
  await browser.open(url("large", "index-g.html"));
  await browser.run(type("N", "3"));
  assert.match(await browser.run("location.search"), /N=3/);
  // Many are made bit by bit, each with the value that it has.
  await browser.open(url("params", "index.html", "?P899=77"));
  await browser.until("document.querySelectorAll('[data-param]').length === 900");
  assert.equal(await browser.run("document.querySelector('[data-param=\"899\"]').value"), "77");
  await browser.run("document.getElementById('inputs').reset()");
  await browser.until("document.querySelector('[data-param=\"899\"]').value !== '77'");
  await browser.run(type("P898", "5"));
  assert.match(await browser.run("location.search"), /^\?P898=5$/);
}

// Of many types those are drawn that are seen, with the params as they are then.
async function types(browser) {
  await browser.open(url("types", "index.html"));
  const drawn = "document.querySelectorAll('.strip .box').length";
  const last = "document.querySelector('article.type:last-of-type .strip')";
  assert.ok(await browser.run(drawn) < 100);
  await browser.run(type("N", "3"));
  await browser.run(`document.querySelector('article.type:last-of-type').scrollIntoView({ behavior: 'instant' })`);
  await browser.until(`${last}.textContent.includes('12 bytes')`);
  await browser.run(type("N", "4"));
  await browser.until(`${last}.textContent.includes('16 bytes')`);
}

async function details(browser) {
  await browser.open(url("blast", "index.html", "?IMAX=20&JMAX=10"));
  await browser.run("document.getElementById('/z').querySelector('.more').click()");
  const tabs = await browser.run("[...document.querySelectorAll('.detail .tabs button')].map(tab => tab.textContent)");
  assert.deepEqual(tabs, ["dudc", "Python", "C", "Fortran", "Rust", "Rust, typed"]);
  await browser.run("document.querySelectorAll('.detail .tabs button')[1].click()");
  const text = await browser.run("document.querySelector('.detail pre').textContent");
  assert.match(text, /offset=1680, shape=\(10, 20\)/);
  await browser.run("document.querySelectorAll('.detail .tabs button')[3].click()");
  const fortran = await browser.run("document.querySelector('.detail pre').textContent");
  assert.match(fortran, /:: z\(:, :\)\n[^]*allocate \(z\(20_int64, 10_int64\)\)/);
}

// Every link within the pages of a folder leads somewhere.
async function links(browser, site) {
  const pages = fs.readdirSync(path.join(folder, site)).filter(name => name.endsWith(".html"));
  const wanted = [];
  const there = new Map();
  for (const name of pages) {
    await browser.open(url(site, name));
    // Both at once: the maps of a page add names when they are drawn.
    const [ids, found] = await browser.run(
      "[[...document.querySelectorAll('[id]')].map(one => one.id), "
        + "[...document.querySelectorAll('a[href]')].map(link => link.getAttribute('href'))]");
    there.set(name, new Set(ids));
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    assert.deepEqual(twice, [], `${name} has one name for two places`);
    for (const link of found) wanted.push([name, link]);
  }
  for (const [name, link] of wanted) {
    const [file, anchor] = link.split("#");
    const page = there.get(decodeURIComponent(file.split("?")[0]) || name);
    assert.ok(page, `${site}/${name}: ${link}`);
    if (anchor) assert.ok(page.has(decodeURIComponent(anchor)), `${site}/${name}: ${link}`);
  }
}

async function hostile(browser) {
  await browser.open(url("hostile", "index.html"));
  assert.equal(await browser.run("document.querySelectorAll('img, b b, main script, header script').length"), 0);
  const shown = await browser.run("document.body.innerText");
  assert.ok(shown.includes("<script>alert(1)</script>") && shown.includes("⟨U+202E⟩"));
  assert.ok(!/[\u0000-\u0008\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(shown));
  // What the script of the page puts there is text too.
  await browser.run("document.querySelectorAll('.more').forEach(more => more.click())");
  await browser.key("/");
  for (const key of "alert") await browser.key(key);
  await browser.run("page.map.boxes.forEach(box => page.choose(box))");
  assert.equal(await browser.run("document.querySelectorAll('img').length"), 0);
}

async function look(browser) {
  for (const [name, width, height, dark] of [["light", 1280, 860, false], ["dark", 1280, 860, true], ["phone", 390, 1200, false]]) {
    await browser.size(width, height, dark, width < 500);
    await browser.open(url("blast", "index.html", "?IMAX=20&JMAX=10"));
    const wide = await browser.run("document.documentElement.scrollWidth");
    assert.ok(wide <= width, `the page is ${wide} pixels wide on a screen of ${width}`);
    if (pictures) await browser.picture(path.join(pictures, `${name}.png`));
  }
}

(async () => {
  const browser = new Browser(chromium);
  try {
    await browser.start();
    await browser.size(1280, 900);
    await params(browser);
    await map(browser);
    await lists(browser);
    await uneven(browser);
    await absent(browser);
    await folded(browser);
    await search(browser);
    await types(browser);
    await details(browser);
    for (const site of ["blast", "hostile", "several", "large"]) await links(browser, site);
    await hostile(browser);
    await look(browser);
    assert.deepEqual(browser.errors, []);
  } finally {
    await browser.close();
  }
})().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
