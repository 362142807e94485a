// @ts-check
// A sheet in an issue: an invisible line that names the file's path, and its text between two lines of backticks. The format matches
// adjudicator/core/jobs/letters.py, and intake reads exactly that.

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
