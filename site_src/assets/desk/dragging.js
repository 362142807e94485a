// @ts-check
// Moving a row of a list with a finger or the mouse.

/**
 * Begins to move a row, and then calls `done` with the place where it was dropped, or with its old place if the move is given up.
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
  // On the page instead of the row, because a row that moves loses its pointer.
  document.addEventListener("pointermove", moved);
  document.addEventListener("pointerup", left);
  document.addEventListener("pointercancel", left);
};
