// @ts-check
// A sheet in an issue: an invisible line that names the file's place, and its text between two lines of back ticks. Written here as
// adjudicator/core/jobs/letters.py writes it; whoever takes it in reads just that.

/**
 * The text of an issue that holds a file.
 * @param {string} path
 * @param {string} text
 */
export const letter = (path, text) => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `<!-- courtly sheet ${path} -->\n${fence}\n${text.replace(/\n+$/, "")}\n${fence}\n`;
};
