// Judges turns again in Firefox, one of them at a table too, and has the order desk check a line: node run.mjs FIREFOX SITE ELSEWHERE DESK
// GAME/TURN ... Prints the results as JSON, on one line.
import puppeteer from "puppeteer-core";

const [firefox, site, elsewhere, desk, ...turns] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
const page = await browser.newPage();
const complaints = [];
page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
const judged = {};
for (const turn of turns) {
  await page.goto(`${site}again.html#${turn}`);
  await (await page.waitForSelector("button.main")).click();
  const told = await page.waitForSelector("#verdict, .note.bad", { timeout: 120_000 });
  judged[turn] = await told.evaluate((element) => element.textContent);
}

/** Permissions of a worker from a blob there; the judge is one. */
const tried = await page.evaluate(
  (own, foreign) =>
    new Promise((resolve) => {
      const code = `const ask = (address) => fetch(address, { mode: "no-cors" }).then(() => "came", () => "refused");
        Promise.all([ask(${JSON.stringify(own)}), ask(${JSON.stringify(foreign)})]).then(postMessage);`;
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
    }),
  `${site}engine/engine.json`,
  elsewhere,
);
/** @param {string} words */
const press = async (words) => (await page.waitForSelector(`::-p-xpath(//button[contains(., "${words}")])`)).click();
await page.goto(`${site}sandbox.html#${turns[0]}`);
await press("Set up the table");
await page.waitForSelector(".what-if .desk .orders", { timeout: 120_000 });
await press("Judge");
const table = await (await page.waitForSelector(".what-if-came > summary", { timeout: 60_000 })).evaluate((element) => element.textContent);

await page.goto(`${site}desk.html#${desk}`);
await page.type("#typed", "A Paris - Moscow");
await page.keyboard.press("Enter");
await page.waitForFunction(() => document.querySelector(".voice")?.textContent.includes("checks your sheet here"), { timeout: 120_000 });
const line = await (await page.waitForSelector(".orders .odd .why")).evaluate((element) => element.textContent);

console.log(JSON.stringify({ version: await browser.version(), judged, tried, table, line, complaints }));
await browser.close();
