// @ts-check
// The sheet as it is to be sent: its text and digest, and the ways to GitHub. The desk itself sends nothing.

import { button, fill, focusOn, h, say, show } from "./dom.js";
import { guide } from "./guide.js";

/** @import { OrderDesk } from "./desk.js" */
/** @import { Send } from "./send.js" */

/** @typedef {{ number: number, text: string, path: string, digest: string | null, shut: boolean }} Made */

export const REPOSITORY = /^[A-Za-z0-9_.-]+\/[A-Za-z0-9_.-]+$/;
const LONGEST_ADDRESS = 6000;

export class Result {
  /**
   * @param {OrderDesk} desk
   * @param {Send} send
   */
  constructor(desk, send) {
    this.desk = desk;
    this.send = send;
    this.element = h("section", { class: "panel result", hidden: true, "aria-label": "Your sheet, ready to send" });
  }

  hide() {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /**
   * GitHub's page for a new file of this name; empty if the archive does not say where it lives.
   * @param {string} path
   */
  newFile(path) {
    const { branch, repository } = this.desk.data;
    if (typeof repository !== "string" || !REPOSITORY.test(repository)) return "";
    const on = (branch ?? "main").split("/").map(encodeURIComponent).join("/");
    return `https://github.com/${repository}/new/${on}?filename=${encodeURIComponent(path)}`;
  }

  /** @param {Made} made */
  show({ number, text, path, digest, shut }) {
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
    const named = this.newFile(path);
    const address = named && `${named}&value=${encodeURIComponent(text)}`;
    const fits = named && address.length <= LONGEST_ADDRESS;
    const long = named && !fits;
    /** @type {(href: string, words: string, kind: string) => HTMLElement} */
    const outward = (href, words, kind) => {
      const followed = () =>
        handed(`Sheet ${number} is on its way. If you change something later, the desk makes sheet ${number + 1}.`);
      const options = { href, class: kind, target: "_blank", rel: "noopener noreferrer" };
      return h("a", { ...options, click: followed, auxclick: followed }, words);
    };
    const area = h("textarea", {
      id: "sheet-text",
      readonly: true,
      rows: 9,
      wrap: "off",
      spellcheck: "false",
      value: text,
    });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        area.select();
        if (!document.execCommand("copy")) {
          tell("Your browser does not let pages copy. The text is selected: copy it yourself.");
          return;
        }
      }
      handed("Copied. Put it into a file of just this name, and change nothing in it.");
    };
    const download = () => {
      const file = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
      h("a", { href: file, download: path.split("/").pop() }).click();
      setTimeout(() => URL.revokeObjectURL(file), 10_000);
      handed("Saved on your device. It belongs at the place named below; change nothing in it.");
    };
    const title = h("h2", {}, shut ? `Sheet ${number} is sealed` : `Sheet ${number} is ready`);
    const same = "Do not change the text: the receipt names the same digest as this page.";
    const nowhere =
      "This archive does not say where it lives. Give the file to your host, or add it to the archive under just this name by a pull request.";
    const next = named
      ? [h("h3", {}, "Then, on GitHub"), guide(path, long ? "Paste the text." : ""), h("p", {}, same)]
      : h("p", {}, `${nowhere} ${same}`);
    const tooLong = `With its text the address for GitHub would have ${address.length.toLocaleString("en")} characters, and more than ${LONGEST_ADDRESS.toLocaleString("en")} are not sure to arrive. Copy the text first; then open an empty file of the right name and paste it there.`;
    const unsafe = "cannot be computed on a page that did not come over HTTPS";
    fill(
      this.element,
      title,
      long && h("p", { class: "note" }, tooLong),
      h(
        "div",
        { class: "hand" },
        fits && outward(address, "Open on GitHub", "button main"),
        button("Copy", () => void copy(), { class: long ? "main" : null }),
        button("Download", download),
        long && outward(named, "Open an empty file on GitHub", "button"),
      ),
      told,
      next,
      h(
        "dl",
        {},
        h("dt", {}, "File"),
        h("dd", {}, h("code", { id: "sheet-path" }, path)),
        h("dt", {}, "Digest (SHA-256)"),
        h("dd", {}, h("code", { id: "sheet-digest" }, digest ?? unsafe)),
      ),
      h("label", { for: "sheet-text" }, shut ? "The sealed text" : "The text"),
      area,
    );
    this.element.hidden = false;
    focusOn(title);
    show(this.element, "start");
    say(`${title.textContent}.`);
  }
}
