// @ts-check
// The finished sheet or letter: its text and digest, and links to the archive's forge. The desk itself sends nothing.

import { button, fill, focusOn, h, say, show } from "./dom.js";
import { arrives, filled, MOST } from "./forge.js";
import { copyFirst, guide, inApp, issueGuide } from "./guide.js";
import { letter } from "./letters.js";

/** @import { Child } from "./dom.js" */
/** @import { OrderDesk } from "./desk.js" */
/** @import { ForgeWays } from "./types.js" */

/** @typedef {{ number: number, text: string, path: string, digest: string | null, shut: boolean }} Made */

/** Whoever remembers that a file was handed out. @typedef {{ handOut(number: number, digest: string | null, path: string): void }} Sender */

export class Result {
  /**
   * @param {OrderDesk} desk
   * @param {Sender} send
   * @param {"sheet" | "letter"} kind
   */
  constructor(desk, send, kind = "sheet") {
    this.desk = desk;
    this.send = send;
    this.kind = kind;
    this.element = h("section", { class: "panel result", hidden: true, "aria-label": `Your ${kind}, ready to send` });
  }

  hide() {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /** @param {Made} made */
  show({ number, text, path, digest, shut }) {
    const { kind } = this;
    const Kind = kind === "sheet" ? "Sheet" : "Letter";
    const told = h("p", { class: "hint" });
    /** @param {string} words */
    const tell = (words) => {
      told.textContent = words;
      say(words);
    };
    /** @param {string} words */
    const handed = (words) => {
      this.send.handOut(number, digest, path);
      tell(words);
    };
    /** @type {(href: string, words: string, kind: string) => HTMLElement} */
    const outward = (href, words, kind) => {
      const followed = () =>
        handed(`${Kind} ${number} is on its way. If you ${kind === "sheet" ? "change something" : "write more"} later, the desk makes ${kind} ${number + 1}.`);
      const options = { href, class: kind, target: "_blank", rel: "noopener noreferrer" };
      return h("a", { ...options, click: followed, auxclick: followed }, words);
    };
    const area = h("textarea", {
      id: `${kind}-text`,
      readonly: true,
      rows: 9,
      wrap: "off",
      spellcheck: "false",
      value: text,
    });
    /** @type {(from: HTMLTextAreaElement, words: string) => Promise<void>} */
    const copy = async (from, words) => {
      try {
        await navigator.clipboard.writeText(from.value);
      } catch {
        from.select();
        if (!document.execCommand("copy")) {
          tell("Your browser does not let pages copy. The text is selected: copy it yourself.");
          return;
        }
      }
      handed(words);
    };
    const download = () => {
      const file = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      h("a", { href: file, download: path.split("/").pop() }).click();
      setTimeout(() => URL.revokeObjectURL(file), 10_000);
      handed("Saved on your device. It belongs at the place named below; change nothing in it.");
    };
    const title = h("h2", {}, shut ? `${Kind} ${number} is sealed` : `${Kind} ${number} is ready`);
    const same = "Do not change the text: the receipt names the same digest as this page.";
    const { data, seat } = this.desk;
    const { forge } = data;
    const file = forge && data.doors.includes("pull_requests") ? this.byFile(forge, path, text, outward) : null;
    const subject = `${Kind} of ${seat.name} for ${data.game}${kind === "sheet" ? `, ${data.turn}` : ""}`;
    const issue = forge && data.doors.includes("issues") ? this.byIssue(forge, subject, letter(path, text), copy, outward, !file) : null;
    const nowhere = forge
      ? `This archive takes in no ${kind}s by itself. Give the file to your host.`
      : "This archive does not say where it lives. Give the file to your host, or add it to the archive under exactly this name by a pull request.";
    const unsafe = "cannot be computed on a page that did not come over HTTPS";
    fill(
      this.element,
      title,
      file?.before,
      h(
        "div",
        { class: "hand" },
        file?.first,
        button("Copy", () => void copy(area, "Copied. Put it into a file with exactly this name, and change nothing in it."), {
          class: file && !file.first ? "main" : null,
        }),
        button("Download", download),
        file?.later,
      ),
      told,
      file && [file.next, h("p", {}, same)],
      issue,
      !file && h("p", {}, issue ? same : `${nowhere} ${same}`),
      forge && (file || issue) && inApp(forge),
      h(
        "dl",
        {},
        h("dt", {}, "File"),
        h("dd", {}, h("code", { id: `${kind}-path` }, path)),
        h("dt", {}, "Digest (SHA-256)"),
        h("dd", {}, h("code", { id: `${kind}-digest` }, digest ?? unsafe)),
      ),
      h("label", { for: `${kind}-text` }, shut ? "The sealed text" : "The text"),
      area,
    );
    this.element.hidden = false;
    focusOn(title);
    show(this.element, "start");
    say(`${title.textContent}.`);
  }

  /**
   * How to send a sheet as a file: the introduction, the first button, a button for an empty file, and the steps on the forge.
   * @param {ForgeWays} forge
   * @param {string} path
   * @param {string} text
   * @param {(href: string, words: string, kind: string) => HTMLElement} outward
   * @returns {{ before: Child[], first: Child, later: Child, next: Child }}
   */
  byFile(forge, path, text, outward) {
    const { name } = forge;
    const next = (/** @type {string} */ first) => [h("h3", {}, `Then, on ${name}`), guide(path, first, forge)];
    const address = forge.filled_file && filled(forge.filled_file, { filename: path, text });
    if (address && arrives(address)) {
      const first = outward(address, `Open on ${name}`, "button main");
      return { before: [copyFirst(forge)], first, later: null, next: next("") };
    }
    const long = address
      ? `With its text the address for ${name} would have ${address.length.toLocaleString("en")} characters, and more than ${MOST} may not arrive. Copy the text first; then open an empty file with the right name and paste it there.`
      : `${name} does not fill in the text. Copy it first; then make a file with the right name, and paste it there.`;
    return {
      before: [h("p", { class: "note" }, long), address && copyFirst(forge)],
      first: null,
      later: outward(filled(forge.new_file, { filename: path }), `Open an empty file on ${name}`, "button"),
      next: next("Paste the text."),
    };
  }

  /**
   * How to send a sheet as an issue.
   * @param {ForgeWays} forge
   * @param {string} title
   * @param {string} body
   * @param {(from: HTMLTextAreaElement, words: string) => Promise<void>} copy
   * @param {(href: string, words: string, kind: string) => HTMLElement} outward
   * @param {boolean} main true if it is the only way
   */
  byIssue(forge, title, body, copy, outward, main) {
    const address = filled(forge.new_issue, { title, body });
    const kind = main ? "button main" : "button";
    const heading = h("h3", {}, main ? "Send it as an issue" : "Or send it as an issue");
    if (arrives(address))
      return [heading, h("div", { class: "hand" }, outward(address, "Send as an issue", kind)), issueGuide("", forge)];
    const whole = h("textarea", { id: "issue-text", readonly: true, rows: 4, wrap: "off", spellcheck: "false", value: body });
    return [
      heading,
      h(
        "div",
        { class: "hand" },
        button("Copy the issue’s text", () => void copy(whole, "Copied. Paste it into the empty issue, and change nothing in it."), {
          class: main ? "main" : null,
        }),
        outward(filled(forge.new_issue, { title, body: "" }), "Open an empty issue", "button"),
      ),
      issueGuide("Paste the text, then ", forge),
      h("label", { for: "issue-text" }, "The issue’s text"),
      whole,
    ];
  }
}
