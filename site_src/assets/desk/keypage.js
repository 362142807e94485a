// @ts-check
// The page that makes keys, explains where to keep them, and keeps them in this browser, locked.

import { button, copying, fill, focusOn, h, say } from "./dom.js";
import { hold, keyIn, locked, newKey, publicOf } from "./keyring.js";
import { forgetKey, keepKey } from "./own.js";
import { page } from "./pages.js";
import { Fault } from "./fault.js";
import { keptNames } from "./store.js";
import { passphraseField } from "./unlock.js";

const FILE = "courtly-key.txt";
const KEPT = "key:";

/**
 * The text of a key file, as `courtly keygen` and age write it.
 * @param {string} identity
 * @param {string} recipient
 */
const keyFile = (identity, recipient) => `# public key: ${recipient}\n${identity}\n`;

/**
 * A line with a button to copy it.
 * @param {string} label what the line is
 * @param {string} text
 */
const copied = (label, text) => h("p", { class: "line" }, h("code", { class: "key" }, text), copying(label, text));

/** Shows the page. @param {boolean} moved whether the reader comes from another page */
export const keyPage = (moved) => {
  const title = h("h1", {}, "Your key");
  const fault = h("p", { class: "note bad", role: "alert", hidden: true });
  const made = h("section", { class: "panel", hidden: true, "aria-label": "The new key" });
  const list = h("ul", { class: "orders" });
  const kept = h("section", { class: "panel", "aria-label": "Keys kept here" }, h("h2", {}, "Kept in this browser"), list);
  const drawKept = () => {
    const names = keptNames(KEPT);
    kept.hidden = !names.length;
    fill(
      list,
      names.map((name) => {
        const recipient = name.slice(KEPT.length);
        const forget = () => {
          forgetKey(recipient);
          drawKept();
          say("The key is forgotten here. Drafts stay until they are cleared, or forgotten at their desk.");
          focusOn(title);
        };
        return h(
          "li",
          {},
          h("span", { class: "order" }, h("code", {}, recipient)),
          h("span", { class: "acts" }, button("Forget", forget, { class: "quiet", "aria-label": `Forget ${recipient}` })),
        );
      }),
    );
  };
  /** @param {() => Promise<void>} act */
  const trying = async (act) => {
    fault.hidden = true;
    try {
      await act();
    } catch (error) {
      fault.textContent =
        error instanceof Fault ? error.message : "Your browser could not do it. Try another one, or courtly keygen.";
      fault.hidden = false;
      say(fault.textContent);
    }
  };
  /**
   * Shows a key, and the ways to keep it.
   * @param {string} identity
   */
  const show = async (identity) => {
    const recipient = await publicOf(identity);
    const head = h("h2", {}, "This is your key");
    const [field, input] = passphraseField(
      "passphrase",
      "Passphrase",
      "At least 8 letters. The desk asks for it once on each visit; anybody who takes your device needs it too.",
    );
    const save = () => {
      const address = URL.createObjectURL(new Blob([keyFile(identity, recipient)], { type: "text/plain" }));
      h("a", { href: address, download: FILE }).click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      say("The key file is saved on your device.");
    };
    /** @param {SubmitEvent} event */
    const keep = (event) => {
      event.preventDefault();
      void trying(async () => {
        const text = await locked(identity, input.value);
        if (!keepKey(recipient, text)) throw new Fault("This browser keeps nothing. Save the key file instead.");
        hold(recipient, identity);
        input.value = "";
        drawKept();
        say("The key is kept in this browser, locked.");
      });
    };
    fill(
      made,
      head,
      h("h3", {}, "1. Keep the secret half"),
      h(
        "p",
        {},
        "It opens your private news, so show it to nobody. Put it into your password manager, or save the file where you keep such things. Nobody can give it to you again: if you lose it, ask the host to pin another.",
      ),
      copied("the secret half", identity),
      h("p", { class: "line" }, button(`Save ${FILE}`, save)),
      h("h3", {}, "2. Have this browser keep it, if you like"),
      h("form", { submit: keep }, field, h("p", { class: "line" }, h("button", { type: "submit" }, "Keep it here, locked"))),
      h("h3", {}, "3. Give away the public half"),
      h("p", {}, "Your news is sealed to it. This line goes into your file when you join a seat, or to your host:"),
      copied("the public line", `key: ${recipient}`),
    );
    made.hidden = false;
    make.textContent = "Make another key";
    make.classList.remove("main");
    focusOn(head);
  };
  const make = button("Make a key", () => void trying(async () => show(await newKey())), { class: "main" });
  const own = h("textarea", { id: "own-key", rows: 2, autocomplete: "off", spellcheck: "false" });
  /** @param {SubmitEvent} event */
  const given = (event) => {
    event.preventDefault();
    void trying(() => show(keyIn(own.value)));
  };
  page(
    "Your key",
    h("p", { class: "crumbs" }, h("a", { href: "#" }, "All desks")),
    title,
    h(
      "div",
      { class: "narrow" },
      h(
        "p",
        { class: "lead" },
        "In games with hidden information, each turn’s private news is sealed to your key. A key has two halves: everybody may know the public one, but only you the other.",
      ),
      fault,
      h("p", { class: "line" }, make),
      made,
      kept,
      h(
        "details",
        {},
        h("summary", {}, "I have a key already"),
        h(
          "form",
          { submit: given },
          h("label", { for: "own-key" }, "Your key, or all of your key file"),
          own,
          h("p", { class: "line" }, h("button", { type: "submit" }, "Show its public half")),
        ),
      ),
      h(
        "p",
        { class: "hint" },
        "Keys are made in your browser, and no part of them is sent anywhere. To forget a key with the drafts that were written with it, use the desk of its game.",
      ),
    ),
  );
  drawKept();
  if (moved) focusOn(title);
};
