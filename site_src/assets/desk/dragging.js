// @ts-check
// Moving a row of a list with the finger or the mouse.

/**
 * Begins to move a row; where it is let go is told when that is done, which is where it was if it is given up.
 * @param {PointerEvent} event
 * @param {HTMLElement} list
 * @param {HTMLElement} item
 * @param {(to: number) => void} done
 */
export const dragRow = (event, list, item, done) => {
  const from = [...list.children].indexOf(item);
  if (event.button || list.children.length < 2) return;
  event.preventDefault();
  item.classList.add("dragged");
  const moved = (/** @type {PointerEvent} */ { clientY }) => {
    const others = [...list.children].filter((one) => one !== item);
    const after = others.find((one) => {
      const { top, height } = one.getBoundingClientRect();
      return clientY < top + height / 2;
    });
    if (item.nextElementSibling !== (after ?? null)) list.insertBefore(item, after ?? null);
  };
  const left = (/** @type {PointerEvent} */ { type }) => {
    document.removeEventListener("pointermove", moved);
    document.removeEventListener("pointerup", left);
    document.removeEventListener("pointercancel", left);
    done(type === "pointerup" ? [...list.children].indexOf(item) : from);
  };
  // Of the page, not of the row: a row that is moved loses the finger that it holds.
  document.addEventListener("pointermove", moved);
  document.addEventListener("pointerup", left);
  document.addEventListener("pointercancel", left);
};
