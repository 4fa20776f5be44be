// report.html in a real browser, drawn from real results of six engines: every chart is there with its
// numbers, what is chosen is drawn, nothing is fetched, nothing hostile is run, it prints, and it hands
// its files out again.
//
//   LEVELFIELD=<program> CHROMIUM=<browser> SCREENSHOTS=<directory> node --test report_in_a_browser.test.mjs
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, readdirSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import puppeteer from "puppeteer-core";

const ENGINES = ["leveldb", "rocksdb", "sqlite3", "lmdb", "berkeleydb", "treedb"];
const SECTIONS_WITH_CHARTS = ["verdicts", "rates", "latency", "over-time", "cost", "load", "scaling", "trade-off"];

const directory = mkdtempSync(join(tmpdir(), "levelfield-page-"));
const said = [];
let browser;
let page;

function levelfield(...words) {
  return execFileSync(process.env.LEVELFIELD, words, {cwd: directory, encoding: "utf8"});
}

function run(name, ...words) {
  levelfield("run", `--name=${name}`, ...words);
  const made = readdirSync(join(directory, "results")).find((entry) => entry.endsWith(`-${name}`));
  return join(directory, "results", made);
}

async function open(file) {
  page = await browser.newPage();
  await page.setViewport({width: 1100, height: 900});
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:") && !request.url().startsWith("blob:")) said.push(request.url());
  });
  await page.goto(`file://${file}`);
  await page.waitForSelector('html[data-drawn="yes"]');
}

const countOf = (selector) => page.$$eval(selector, (found) => found.length);
const textOf = (selector) => page.$eval(selector, (found) => found.textContent);

before(async () => {
  const six = run("six", "--num=2000", "--repeat=8", "--benchmarks=fillrandom,readrandom,overwrite",
    `--engine=${ENGINES.join(",")}`);
  const others = [run("load", "--num=2000", "--benchmarks=readrandom", "--rate=sweep", "--engine=lmdb")];
  for (const threads of [1, 2, 3, 4, 6]) {
    others.push(run(`threads${threads}`, "--num=3000", `--threads=${threads}`,
      "--benchmarks=readrandom", "--engine=leveldb"));
  }
  levelfield("report", six, ...others, "--format=html", "--to=page.html");
  browser = await puppeteer.launch({executablePath: process.env.CHROMIUM, args: ["--no-sandbox"]});
  await open(join(directory, "page.html"));
  await page.select("#workload", "readrandom");
});

after(async () => {
  await browser?.close();
  rmSync(directory, {recursive: true, force: true});
});

test("every chart is drawn, has a name for those who do not see it, and its numbers beside it", async () => {
  for (const id of SECTIONS_WITH_CHARTS) {
    const charts = await countOf(`#${id} figure:has(> figcaption)`);
    assert.ok(charts > 0, `${id} has no chart`);
    assert.equal(await countOf(`#${id} figure [role=img][aria-label]`), charts, id);
    assert.equal(await countOf(`#${id} figure details table`), charts, id);
    assert.ok(await countOf(`#${id} figure svg path, #${id} figure svg rect, #${id} figure svg line`) > 0, id);
  }
  if (process.env.SCREENSHOTS !== undefined) {
    for (const id of SECTIONS_WITH_CHARTS) {
      await (await page.$(`#${id}`)).screenshot({path: join(process.env.SCREENSHOTS, `${id}.png`)});
    }
  }
});

test("all six engines are in the charts, with bars that begin at zero", async () => {
  const rows = await textOf("#rates figure details table");
  for (const engine of ENGINES) assert.match(rows, new RegExp(engine));
  const bars = await page.$$eval("#rates figure:first-child g[aria-label=bar] rect",
    (found) => found.map((bar) => Number(bar.getAttribute("x"))));
  assert.equal(bars.length, ENGINES.length);
  assert.equal(new Set(bars).size, 1);
});

test("verdicts, sync counts, conditions and the command stand there", async () => {
  assert.match(await textOf("#verdicts table"), /faster|slower|equivalent|unresolved/);
  assert.match(await textOf("#durability table"), /sync calls/);
  assert.match(await textOf("#circumstances"), /fingerprint/);
  assert.match(await textOf("#circumstances pre.command"), /levelfield run --name=six --num=2000/);
});

test("an engine that is not ticked is not drawn", async () => {
  const bars = await countOf("#rates figure:first-child g[aria-label=bar] rect");
  await page.click("fieldset input[type=checkbox]");
  assert.equal(await countOf("#rates figure:first-child g[aria-label=bar] rect"), bars - 1);
  await page.click("fieldset input[type=checkbox]");
});

test("the workload that is chosen is drawn, by keyboard too", async () => {
  await page.select("#workload", "overwrite");
  assert.match(await textOf("#latency figcaption"), /^overwrite/);
  await page.focus("#workload");
  await page.keyboard.press("ArrowUp");
  assert.match(await textOf("#latency figcaption"), /^readrandom/);
});

test("a log axis says that it is one", async () => {
  await page.evaluate(() => [...document.querySelectorAll("label")]
    .find((label) => label.textContent.includes("rates on a log axis")).click());
  assert.match(await textOf("#rates figure svg"), /\(log\)/);
});

test("pointing at a chart tells the value", async () => {
  const chart = await page.$("#latency svg:has(g[aria-label=tip])");
  await chart.evaluate((svg) => svg.scrollIntoView({block: "center"}));
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => /p\d/.test(
    document.querySelector("#latency g[aria-label=tip]")?.textContent ?? ""), {timeout: 5000});
});

test("in the dark it is dark, and on paper it is vectors", async () => {
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: "dark"}]);
  const [paper, ink] = await page.evaluate(() => {
    const style = getComputedStyle(document.body);
    const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    return [light(style.backgroundColor), light(style.color)];
  });
  assert.ok(paper < 200 && ink > 500, `${paper} ${ink}`);
  if (process.env.SCREENSHOTS !== undefined) {
    await page.screenshot({path: join(process.env.SCREENSHOTS, "dark.png")});
  }
  await page.emulateMediaFeatures([]);
  const pdf = Buffer.from(await page.pdf()).toString("latin1");
  assert.ok(pdf.length > 20000);
  assert.doesNotMatch(pdf, /\/Subtype\s*\/Image/);
});

test("the files come out as they went in", async () => {
  const name = await page.$eval('script[type="application/gzip"]', (script) => script.dataset.name);
  const text = await page.evaluate(async () => {
    const base64 = document.querySelector('script[type="application/gzip"]').textContent;
    const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  });
  const six = readdirSync(join(directory, "results")).find((entry) => entry.endsWith("-six"));
  assert.equal(text, readFileSync(join(directory, "results", six, name.replace("1-", "")), "utf8"));
  assert.ok(await countOf("#files button") >= 2);
});

test("nothing was fetched and nothing went wrong meanwhile", () => {
  assert.deepEqual(said, []);
});

test("what a hostile result says is shown and not run", async () => {
  said.length = 0;
  levelfield("report", process.env.HOSTILE_RESULT, "--format=html", "--to=hostile.html");
  await open(join(directory, "hostile.html"));
  assert.equal(await page.evaluate(() => document.querySelectorAll("img, iframe, object").length), 0);
  assert.deepEqual(said, []);
});

test("without its script the page still has the tables", async () => {
  page = await browser.newPage();
  await page.setJavaScriptEnabled(false);
  await page.goto(`file://${join(directory, "page.html")}`);
  assert.match(await textOf("#as-text pre"), /ops\/s/);
});

test("a sweep is drawn as curves, over whichever of its settings, and as the law of scaling", async () => {
  const sweep = run("sweep", "--num=1000", "--engine=leveldb,lmdb", "--benchmarks=fillrandom,readrandom",
    "--vary=threads=1,2,3,4,6", "--vary=value_size=100,1000", "--price=0", "--audit=0");
  await open(join(sweep, "report.html"));
  assert.match(await textOf("header"), /^[^=]*levelfield run/s, "one head, and no list of variants");
  assert.equal(await countOf("#sweep figure:has(> figcaption)"), 4, "rate and p99 of two workloads");
  assert.equal(await countOf("#sweep figure:first-child g[aria-label=dot] > *"), 2 * 5 * 2);
  assert.match(await textOf("#sweep figure:first-child .note"), /line: value_size=100; dashes: value_size=1000/);
  await page.select("#sweep select", "value_size");
  assert.match(await textOf("#sweep figcaption"), /over value_size$/);
  await page.select("#workload", "readrandom");
  const laws = await textOf("#scaling table");
  assert.match(laws, /leveldb [0-9.]+ value_size=100/);
  assert.match(laws, /lmdb [0-9.]+ value_size=1000/);
  const dots = await countOf("#sweep figure:first-child g[aria-label=dot] > *");
  await page.click("fieldset input[type=checkbox]");
  assert.equal(await countOf("#sweep figure:first-child g[aria-label=dot] > *"), dots / 2, "one engine is left");
  if (process.env.SCREENSHOTS !== undefined) {
    await page.click("fieldset input[type=checkbox]");
    await (await page.$("#sweep")).screenshot({path: join(process.env.SCREENSHOTS, "sweep.png")});
  }
  assert.deepEqual(said, []);
});
