// @ts-check
// Why an order is not among the legal ones: by the table in adjudicator/core/contract/objections.py. No page, no state.

import { literal, sentence } from "./text.js";

/** @import { Objections as Table } from "./types.js" */

/**
 * What stands in a form's blank: the kind that is named, the place, and its side.
 * @typedef {{ kind: string, place: string, side: string }} Role
 */

const BLANK = /\{(\w+)\}/u;
const SAID = /\{(\w+)(?: (\w+))?\}/gu; // What a sentence names: a role, or a fact of it.
const NAMED = /^(?:([A-Z]) )?([^/]+)(\/\w+)?$/u;

/** What can be told against a seat's orders that are not legal. */
export class Objections {
  /**
   * @param {Table} table
   * @param {string} seat
   */
  constructor({ forms, ground, sides, table, things, unsaid }, seat) {
    this.things = new Set(things);
    this.stands = new Map(Object.entries(ground.stands));
    this.sets = new Map(Object.entries(ground.sets));
    /** @type {Map<string, Map<string, string[]>>} */
    this.near = new Map(
      Object.entries({ beside: ground.beside, back: ground.back, far: ground.far, ...ground.near }).map(
        ([name, places]) => [name, new Map(Object.entries(places))],
      ),
    );
    this.facts = new Map(Object.entries(ground.facts).map(([name, words]) => [name, new Map(Object.entries(words))]));
    this.table = table;
    this.unsaid = unsaid;
    this.reader = { kind: "", place: Object.hasOwn(sides, seat) ? sides[seat] : seat, side: "" };
    this.forms = Object.entries(forms).map(([name, form]) => {
      const parts = form.split(BLANK);
      const pattern = parts.map((part, index) => (index % 2 ? "(.+?)" : literal(part))).join("");
      return { name, pattern: new RegExp(`^${pattern}$`, "iu"), roles: parts.filter((_, index) => index % 2) };
    });
  }

  /**
   * What is wrong with a line that is not listed as legal, as a sentence; empty if nothing is, null if it cannot be told.
   * @param {string} line
   */
  to(line) {
    const asked = this.takeApart(line);
    if (!asked) return null;
    const met = this.table.find(
      ({ forms, tests }) =>
        (!forms.length || forms.includes(asked.form)) && tests.every((test) => this.meets(asked.roles, test)),
    );
    if (!met?.what) return met?.legal ? "" : null;
    /** @type {(role: string, fact: string | undefined) => string} */
    const named = (role, fact) => {
      const place = asked.roles.get(role)?.place ?? "";
      if (fact === "unit" || fact === "owner") return this.stands.get(place)?.[fact === "unit" ? 0 : 1] ?? "";
      return fact ? (this.facts.get(fact)?.get(place) ?? "") : place;
    };
    const words = met.what.replace(SAID, (_, role, fact) => (role === "owner" ? named("here", role) : named(role, fact)));
    return sentence(words);
  }

  /** @param {string} line */
  takeApart(line) {
    for (const { name, pattern, roles } of this.forms) {
      const match = pattern.exec(line);
      if (!match) continue;
      /** @type {Map<string, Role>} */
      const named = new Map([["reader", this.reader]]);
      for (const [index, role] of roles.entries()) {
        const parts = NAMED.exec(match[index + 1]);
        if (!parts) return null;
        const [, kind = "", rest, side = ""] = parts;
        const thing = !kind || this.things.has(role); // A place may be called so.
        named.set(role, { kind: thing ? kind : "", place: thing ? rest : `${kind} ${rest}`, side });
      }
      return { form: name, roles: named };
    }
    return null;
  }

  /**
   * @param {Map<string, Role>} roles
   * @param {string} test
   */
  meets(roles, test) {
    const [role, ...words] = test.split(" ");
    const wanted = words[0] !== "not";
    const [name, about = ""] = wanted ? words : words.slice(1);
    const one = roles.get(role);
    if (!one) return false;
    const { kind, place, side } = one;
    const stands = this.stands.get(place);
    const other = roles.get(about)?.place;
    if ((name === "same" || this.near.has(name)) && other === undefined) return false;
    /** @type {Record<string, () => boolean>} */
    const tests = {
      empty: () => !stands,
      mine: () => stands?.[1] === this.reader.place,
      named: () => stands !== undefined && (!kind || stands[0][0] === kind),
      is: () => stands?.[0][0] === about,
      names: () => kind === about,
      plain: () => !side,
      exact: () => !side || Boolean(stands?.[0].endsWith(side)),
      in: () => Boolean(this.sets.get(about)?.includes(place)),
      same: () => place === other,
    };
    const near = this.near.get(name)?.get(other ?? "");
    const holds = this.near.has(name) ? Boolean(near?.includes(place)) : tests[name]();
    return holds === wanted;
  }
}
