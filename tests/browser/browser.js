// A browser without a window, driven through the pipe of its DevTools protocol; nothing is needed
// but node and chromium.

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

class Browser {
  constructor(program) {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
    const options = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
      `--user-data-dir=${this.profile}`, "--remote-debugging-pipe", "about:blank",
    ];
    this.process = spawn(program, options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.next = 1;
    this.waiting = new Map();
    this.errors = [];
    let rest = "";
    this.process.stdio[4].on("data", bytes => {
      const messages = (rest + bytes).split("\0");
      rest = messages.pop();
      for (const message of messages) this.heard(JSON.parse(message));
    });
    this.process.on("exit", () => {
      for (const { fail } of this.waiting.values()) fail(new Error("the browser has ended"));
    });
  }

  heard(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      if (message.error) waiting.fail(new Error(JSON.stringify(message.error)));
      else waiting.done(message.result);
    }
    const { method, params } = message;
    if (method === "Runtime.exceptionThrown") {
      this.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    }
    if (method === "Runtime.consoleAPICalled" && params.type === "error") {
      this.errors.push(params.args.map(arg => arg.value ?? arg.description).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.errors.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    }
    if (method === "Page.javascriptDialogOpening") this.errors.push(`a dialog: ${params.message}`);
  }

  send(method, params = {}, session = this.session) {
    const id = this.next++;
    const message = JSON.stringify({ id, method, params, sessionId: session });
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.process.stdio[3].write(message + "\0");
    });
  }

  async start() {
    const { targetInfos } = await this.send("Target.getTargets");
    const page = targetInfos.find(target => target.type === "page");
    const attached = await this.send("Target.attachToTarget", { targetId: page.targetId, flatten: true });
    this.session = attached.sessionId;
    for (const domain of ["Page", "Runtime", "Log"]) await this.send(`${domain}.enable`);
  }

  async open(url) {
    // A mark that the page before has, and the new one has not.
    await this.run("window.before = true");
    await this.send("Page.navigate", { url });
    await this.until("!window.before && location.href !== 'about:blank' && document.readyState === 'complete'");
    // Drawing is done with the next frame.
    await this.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
  }

  // What an expression comes to in the page.
  async run(expression) {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  // Waits for something to hold in the page, also over a change of pages.
  async until(expression) {
    if (await this.soon(expression, 60)) return;
    const seen = await this.run("document.getElementById('main')?.innerText.slice(0, 2000)").catch(String);
    throw new Error(`never so: ${expression}\nthe page begins with: ${seen}\nerrors: ${this.errors.join("\n")}`);
  }

  // Whether something comes to hold in the page within some seconds.
  async soon(expression, seconds) {
    const end = Date.now() + 1000 * seconds;
    do {
      if (await this.run(expression).catch(() => false)) return true;
      await new Promise(done => setTimeout(done, 10));
    } while (Date.now() < end);
    return false;
  }

  async size(width, height, dark = false, mobile = false) {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await this.send("Emulation.setEmulatedMedia", { features });
  }

  async picture(file) {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  }

  async key(key) {
    for (const type of ["keyDown", "keyUp"]) {
      const text = key.length === 1 && type === "keyDown" ? { text: key } : {};
      await this.send("Input.dispatchKeyEvent", { type, key, code: key, ...text, windowsVirtualKeyCode: { Enter: 13, ArrowDown: 40, Escape: 27 }[key] ?? 0 });
    }
  }

  async close() {
    await this.send("Browser.close", {}, undefined).catch(() => {});
    await new Promise(done => (this.process.exitCode === null ? this.process.on("exit", done) : done()));
    fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

module.exports = { Browser };
