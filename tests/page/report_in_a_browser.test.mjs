// report.html in a real browser, drawn from real results of all engines: every chart is there with its
// numbers, what is chosen is drawn, nothing is fetched, nothing hostile is run, it prints, and it hands
// its files out again.
//
//   LEVELFIELD=<program> CHROMIUM=<browser> SCREENSHOTS=<directory> node --test report_in_a_browser.test.mjs
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join} from "node:path";
import {after, before, test} from "node:test";
import axe from "axe-core";
import puppeteer from "puppeteer-core";

const ENGINES = ["leveldb", "rocksdb", "sqlite3", "lmdb", "berkeleydb", "treedb", "wiredtiger"];
const SECOND_NAMES = ["leveldb@two", "sqlite3@two", "lmdb@two", "berkeleydb@two", "treedb@two", "wiredtiger@two", "lmdb@three"];
const WORKLOADS = ["fillrandom", "readrandom", "readrandomwriterandom"];
const SECTIONS_WITH_CHARTS = ["verdicts", "rates", "latency", "over-time", "cost", "load", "scaling", "trade-off"];

const directory = mkdtempSync(join(tmpdir(), "levelfield-page-"));
const said = [];
let browser;
let page;
let ofAll;  // The page of all engines.
let ofOne;  // The result of one engine.
let ofChoice;  // The page of `choose`, and what it says to programs.
let ofMany;  // That of fourteen: six of them under a second name each, one under a third.

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
  const directoryOfAll = run("all", "--num=2000", "--repeat=8", "--benchmarks=fillrandom,readrandom,overwrite",
    `--engine=${ENGINES.join(",")}`);
  const others = [run("load", "--num=2000", "--benchmarks=readrandom", "--rate=sweep", "--engine=lmdb")];
  for (const threads of [1, 2, 3, 4, 6]) {
    others.push(run(`threads${threads}`, "--num=3000", `--threads=${threads}`,
      "--benchmarks=readrandom", "--engine=leveldb"));
  }
  ofAll = join(directoryOfAll, "report.html");
  const plugins = join(directory, "plugins");
  mkdirSync(plugins);
  for (const name of SECOND_NAMES) {
    const [engine] = name.split("@");
    symlinkSync(join(dirname(process.env.LEVELFIELD), "engines", `levelfield_${engine}.so`), join(plugins, `levelfield_${name}.so`));
  }
  ofMany = join(run("many", "--num=500", "--repeat=2", "--price=0", "--audit=0", "--benchmarks=fillrandom,readrandom,readrandomwriterandom",
    `--engines=${plugins}`, `--engine=${[...ENGINES, ...SECOND_NAMES].join(",")}`), "report.html");
  levelfield("report", directoryOfAll, ...others, "--format=html", "--to=page.html");
  browser = await puppeteer.launch({executablePath: process.env.CHROMIUM, args: ["--no-sandbox"]});
  await open(join(directory, "page.html"));
  await page.select("#workload", "readrandom");
});

after(async () => {
  await browser?.close();
  rmSync(directory, {recursive: true, force: true});
});

// A page of its own, for a reader with that screen.
async function screenOf(file, width, height, scheme = "light") {
  const view = await browser.newPage();
  await view.setBypassCSP(true);
  await view.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}]);
  await view.setViewport({width, height});
  await view.goto(`file://${file}`);
  await view.waitForSelector('html[data-drawn="yes"]');
  return view;
}

const headsOf = (view) => view.$$eval(".matrix thead tr:first-child th", (cells) =>
  cells.slice(1).map((cell) => cell.textContent.replace(/ [↑↓]$/, "")));

for (const [width, height, scheme] of [[1280, 800, "light"], [1280, 800, "dark"], [390, 844, "light"]]) {
  test(`the answer is on the first screen and accessible at ${width} pixels, ${scheme}`, async () => {
    const view = await screenOf(ofAll, width, height, scheme);
    assert.equal((await headsOf(view)).length, ENGINES.length);
    const {bottom, wide} = await view.evaluate(() => ({
      bottom: document.querySelector(".matrix").getBoundingClientRect().bottom,
      wide: [document.documentElement, document.querySelector(".scroll:has(> .matrix)")]
        .some((box) => box.scrollWidth > box.clientWidth)}));
    assert.ok(bottom <= height && !wide, `${bottom} ${wide}`);
    assert.deepEqual(await violationsIn(view), []);
    if (process.env.SCREENSHOTS !== undefined) {
      await view.screenshot({path: join(process.env.SCREENSHOTS, `first_${width}_${scheme}.png`)});
    }
    await view.close();
  });
}

for (const [width, height] of [[1280, 800], [390, 844]]) {
  test(`fourteen engines are whole at ${width} pixels`, async () => {
    const view = await screenOf(ofMany, width, height);
    assert.deepEqual((await headsOf(view)).sort(), [...ENGINES, ...SECOND_NAMES].sort());
    const {isPageWide, cut, isHeadSeen} = await view.evaluate(() => {
      const box = document.querySelector(".scroll:has(> .matrix)");
      const cut = [...box.querySelectorAll(".matrix td, .matrix thead span")]
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1)
        .map((cell) => cell.textContent);
      box.scrollLeft = box.scrollWidth;  // To the last engine: the names of the workloads stay.
      const head = box.querySelector(".matrix tbody th").getBoundingClientRect();
      const last = box.querySelector(".matrix tbody td:last-child").getBoundingClientRect();
      return {isPageWide: document.documentElement.scrollWidth > document.documentElement.clientWidth, cut,
        isHeadSeen: head.left >= 0 && last.right <= document.documentElement.clientWidth + 1};
    });
    assert.ok(!isPageWide && isHeadSeen);
    assert.deepEqual(cut, []);
    if (process.env.SCREENSHOTS !== undefined) {
      await view.screenshot({path: join(process.env.SCREENSHOTS, `many_${width}.png`)});
    }
    await view.close();
  });
}

test("the matrix ranks its engines by the weights of the workloads", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  const scores = () => view.$$eval(".matrix .score td", (cells) => cells.map((cell) => parseFloat(cell.textContent)));
  const sharesOf = (workload) => view.$$eval(".matrix tbody tr", (rows, name) =>
    [...rows.find((row) => row.querySelector("th").textContent === name).querySelectorAll("td")]
      .map((cell) => cell.classList.contains("best") ? 100 : parseFloat(cell.textContent.replace("<", ""))), workload);
  const before = await scores();
  assert.deepEqual(before, [...before].sort((one, other) => other - one));
  const slide = (name, weight) => view.evaluate((label, value) => {
    const slider = document.querySelector(`input[aria-label="Weight of ${label}"]`);
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
  }, name, weight);
  await slide("fillrandom", 0);
  await slide("overwrite", 0);
  const shares = await sharesOf("readrandom");
  (await scores()).forEach((score, i) => assert.ok(Math.abs(score - shares[i]) <= 0.6, `${score} ${shares[i]}`));
  assert.equal(shares[0], 100, "the fastest reader is first");
  await view.close();
});

test("one round ranks nothing", async () => {
  const once = run("once", "--num=1000", "--benchmarks=fillrandom,seekrandomwhilewriting", "--engine=leveldb,lmdb");
  const view = await screenOf(join(once, "report.html"), 1280, 800);
  const summary = await view.$eval(".summary", (found) => found.textContent);
  assert.match(summary, /this time: (leveldb|lmdb) with .*not known.*--repeat=6/);
  const notes = await view.$$eval(".note", (found) => found.map((one) => one.textContent).join(" "));
  assert.match(notes, /Of 4 figures 2 were not checked/, "seeks beside a writer are not");
  assert.match(notes, /a write survives kill -9 \(D1\)/);
  assert.doesNotMatch(summary, /ranks first|told apart/);
  for (const id of ["sweep", "load", "scaling", "trade-off"]) {
    assert.equal(await view.$(`#${id}, a[href="#${id}"]`), null, `${id} has nothing to show`);
  }
  await view.close();
});

test("variants of one engine have the verdicts that the terminal has", async () => {
  const varied = run("varied", "--num=2000", "--duration=0.05", "--benchmarks=readrandom,overwrite", "--engine=leveldb",
    "--vary=cache_size=1M,8M", "--repeat=6");
  const view = await screenOf(join(varied, "report.html"), 1280, 800);
  assert.doesNotMatch(await view.$eval(".summary", (found) => found.textContent), /not known/);
  const titles = await view.$$eval(".matrix tbody td", (cells) => cells.map((cell) => cell.title));
  assert.equal(titles.filter((title) => /: (faster|slower|no difference)/.test(title)).length, 2, titles.join("; "));
  await view.close();
});

test("cells have their verdict in words, and one engine can be the base", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  await view.focus(".matrix td[tabindex='0']");
  await view.keyboard.press("ArrowDown");
  await view.keyboard.press("ArrowRight");
  const words = await view.$eval(".words", (found) => found.textContent);
  assert.match(words, /^\w+ [^,]+, readrandom: [0-9.]+ [kMG]? ?ops\/s/);
  assert.equal(await view.evaluate(() => document.activeElement.title), words);
  const lmdb = await view.$$eval(".choices select:last-of-type option", (options) =>
    options.find((option) => option.textContent.startsWith("lmdb")).value);
  await view.select(".choices label:nth-child(2) select", lmdb);
  const bases = await view.$$eval(".matrix td.base", (cells) => cells.map((cell) => cell.title));
  assert.equal(bases.length, 3);
  for (const title of bases) assert.match(title, /^lmdb/);
  const verdicts = await view.$$eval(".matrix tbody td:not(.base)", (cells) => cells.map((cell) => cell.title));
  for (const title of verdicts) assert.match(title, /Round by round: (faster|slower|no difference)/);
  await view.close();
});

test("a click on an engine sorts the workloads by its shares", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  const order = () => view.$$eval(".matrix tbody th", (cells) => cells.map((cell) => cell.textContent));
  const ran = await order();
  await view.click(".matrix thead th:nth-child(2) button");
  const shares = await view.$$eval(".matrix tbody td:nth-child(2)", (cells) =>
    cells.map((cell) => cell.classList.contains("best") ? 100 : parseFloat(cell.textContent.replace("<", ""))));
  assert.deepEqual(shares, [...shares].sort((one, other) => other - one));
  await view.click(".matrix thead th:first-child button");
  assert.deepEqual(await order(), ran);
  await view.close();
});

test("every chart is drawn, has a name for those who do not see it, and its numbers beside it", async () => {
  await page.bringToFront();  // A browser does not draw what lies behind.
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

test("all engines are in the charts, with bars that begin at zero", async () => {
  const rows = await textOf("#rates figure details table");
  for (const engine of ENGINES) assert.match(rows, new RegExp(engine));
  const bars = await page.$$eval("#rates figure:first-child g[data-mark=bar] rect",
    (found) => found.map((bar) => Number(bar.getAttribute("x"))));
  assert.equal(bars.length, ENGINES.length);
  assert.equal(new Set(bars).size, 1);
});

test("verdicts, sync counts, conditions and the command stand there", async () => {
  assert.match(await textOf("#verdicts table"), /faster|slower|equivalent|unresolved/);
  assert.match(await textOf("#durability table"), /sync calls/);
  assert.match(await textOf("#circumstances"), /fingerprint/);
  assert.match(await textOf("#circumstances pre.command"), /levelfield run --name=all --num=2000/);
});

test("an engine that is not ticked is not drawn", async () => {
  const bars = await countOf("#rates figure:first-child g[data-mark=bar] rect");
  await page.click("fieldset input[type=checkbox]");
  assert.equal(await countOf("#rates figure:first-child g[data-mark=bar] rect"), bars - 1);
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
  const chart = await page.$("#latency svg:has(g[data-mark=tip])");
  await chart.evaluate((svg) => svg.scrollIntoView({block: "center"}));
  const box = await chart.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => /p\d/.test(
    document.querySelector("#latency g[data-mark=tip]")?.textContent ?? ""), {timeout: 5000});
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

// The cells of a file for spreadsheets that has no commas in its texts, or none before those of interest.
const linesOf = (csv) => csv.trim().split("\n").map((line) => line.split(","));

// What a click on a button hands out as a file, as text.
async function savedBy(view, selector) {
  await view.evaluate(() => {
    window.saved = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      window.saved.push(blob);
      return make(blob);
    };
  });
  await view.$eval(selector, (button) => button.click());
  return view.evaluate(() => window.saved[0].text());
}

test("a chart comes out as a drawing that stands alone", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  const svg = await savedBy(view, "#latency figure details > .save");
  assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  for (const engine of ENGINES) assert.match(svg, new RegExp(`>${engine} `), "the legend is in it");
  const drawn = await view.evaluate(async (text) => {
    const file = new DOMParser().parseFromString(text, "image/svg+xml");
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    await image.decode().catch(() => {});
    return {errors: file.querySelectorAll("parsererror").length, width: image.naturalWidth,
      lines: file.querySelectorAll("path[stroke]").length, here: document.querySelectorAll("#latency figure svg path[stroke]").length};
  }, svg);
  assert.equal(drawn.errors, 0);
  assert.ok(drawn.lines >= ENGINES.length && drawn.lines === drawn.here, `${drawn.lines} ${drawn.here}`);
  if (process.env.SCREENSHOTS !== undefined) writeFileSync(join(process.env.SCREENSHOTS, "latency.svg"), svg);
  await view.close();
});

test("a table comes out with its numbers in full", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  const [head, ...rows] = linesOf(await savedBy(view, "#rates figure details .save"));
  assert.deepEqual(head, ["engine", "ops/s (per second)", "from (per second)", "to (per second)", "charged (per second)", "rounds", "outcome"]);
  assert.equal(rows.length, ENGINES.length);
  const told = JSON.parse(levelfield("report", dirname(ofAll), "--format=json").split("\n")[0]);
  const workload = await view.$eval("#rates figcaption", (caption) => caption.textContent);
  const rates = JSON.stringify(told);
  for (const [engine, rate, low, high, , rounds] of rows) {
    assert.ok(Number(low) < Number(rate) && Number(rate) < Number(high) && rounds === "8", `${engine} ${workload}`);
    assert.ok(rates.includes(rate.slice(0, 8)), `${engine}: ${rate} is in the result`);
  }
  await view.close();
});

test("each kind of operation of a mix has a chart of its own", async () => {
  const view = await screenOf(ofMany, 1280, 800);
  await view.select("#workload", "readrandomwriterandom");
  const names = await view.$$eval("#latency figcaption", (found) => found.map((one) => one.textContent));
  assert.deepEqual(names, ["all", "get", "put"].map((one) => `readrandomwriterandom, ${one}: latency by percentile`));
  if (process.env.SCREENSHOTS !== undefined) {
    await (await view.$("#latency")).screenshot({path: join(process.env.SCREENSHOTS, "mix.png")});
  }
  await view.close();
});

// What `report --format=json` says of an engine: figures by workload and name.
function toldOf(result, engine) {
  const [blocks] = levelfield("report", result, "--format=json").trim().split("\n").map((line) => JSON.parse(line));
  const told = {};
  for (const {columns, rows} of blocks.filter(({table}) => table !== undefined)) {
    for (const {workload, figure, cells} of rows.filter(({figure}) => figure !== undefined)) {
      (told[workload] ??= {})[figure] ??= cells[columns.indexOf(engine)];
    }
  }
  return told;
}

// Every mark behind a figure is in the words below.
async function unexplainedMarks(view) {
  return view.evaluate(() => {
    const notes = [...document.querySelectorAll("#first-screen .note")].map((note) => note.textContent).join(" ");
    const cells = [...document.querySelectorAll("#first-screen td, #first-screen tbody th")]
      .map((cell) => cell.textContent);
    return ["!", "^", "?", "#"]
      .filter((mark) => cells.some((cell) => cell.endsWith(mark)) && !notes.includes(`${mark} `));
  });
}

const isWide = (view) => view.evaluate(() =>
  document.documentElement.scrollWidth > document.documentElement.clientWidth);

async function violationsIn(view) {
  await view.evaluate(axe.source);
  return view.evaluate(async () => (await window.axe.run()).violations
    .map(({id, nodes}) => `${id}: ${nodes[0].html.slice(0, 200)}`));
}

test("the first chart says who is ahead, as the matrix does", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  const chart = await view.$eval("figure", (first) => ({isOpening: first.closest("#first-screen") !== null,
    rows: [...first.querySelectorAll("table tbody th")].map((cell) => cell.textContent),
    shares: [...first.querySelectorAll("table tbody td:nth-child(2)")].map((cell) => parseFloat(cell.textContent))}));
  assert.ok(chart.isOpening);
  assert.deepEqual(chart.rows, await headsOf(view));
  const scores = await view.$$eval(".matrix .score td", (cells) => cells.map((cell) => parseFloat(cell.textContent)));
  chart.shares.forEach((share, i) => assert.ok(Math.abs(share - scores[i]) <= 0.6, `${chart.shares} ${scores}`));
  assert.deepEqual(await unexplainedMarks(view), []);
  const [head, ...rows] = linesOf(await savedBy(view, ".beside .save"));
  assert.deepEqual(head.slice(1).sort(), ENGINES.map((engine) => `${engine} (per second)`).sort());
  assert.deepEqual(rows.map(([name]) => name), ["fillrandom", "readrandom", "overwrite"]);
  const told = toldOf(dirname(ofAll), "leveldb");
  for (const row of rows) {
    assert.equal(Number(row[head.indexOf("leveldb (per second)")]), told[row[0]].mean.value, row[0]);
  }
  await view.close();
});

test("the verdicts are those of the first screen", async () => {
  const view = await screenOf(ofAll, 1280, 800);
  const caption = await view.$eval("#verdicts table caption", (found) => found.textContent);
  const [, base] = /^Against (\w+):/.exec(caption);
  const place = await view.$$eval(".choices label:nth-child(2) option", (options, name) =>
    options.find((option) => option.textContent.startsWith(name)).value, base);
  await view.select(".choices label:nth-child(2) select", place);
  const cellsOf = (table) => view.$eval(table, (found) => {
    const heads = [...found.querySelectorAll("thead tr:first-child th")].map((head) => head.textContent);
    return [...found.querySelectorAll("tbody tr")].flatMap((row) => [...row.children].slice(1)
      .map((cell, i) => [`${row.children[0].textContent.replace(/\W+$/, "")} ${heads[i + 1]}`, cell.textContent]));
  });
  const seen = new Map(await cellsOf(".matrix"));
  const told = await cellsOf("#verdicts table");
  assert.equal(told.length, 3 * (ENGINES.length - 1));
  for (const [name, verdict] of told) {
    const isOpen = /unresolved|equivalent|by processor time/.test(verdict);  // Of the rates.
    assert.equal(seen.get(name).includes("="), isOpen, `${name}: ${seen.get(name)} ${verdict}`);
  }
  await view.close();
});

test("two results of seven engines are whole, and no verdict of one is taken for one between them", async () => {
  const other = run("other", "--num=500", "--repeat=6", "--duration=0.02", "--price=0", "--audit=0",
    "--benchmarks=readrandom,overwrite", `--engine=${ENGINES.join(",")}`);
  levelfield("report", dirname(ofAll), other, "--format=html", "--to=two.html");
  const view = await screenOf(join(directory, "two.html"), 1280, 800);
  const heads = ["A", "B"].flatMap((letter) => ENGINES.map((engine) => `${letter}: ${engine}`));
  assert.deepEqual((await headsOf(view)).sort(), heads.sort());
  const titles = await view.$$eval("header summary", (found) => found.map((one) => one.textContent));
  assert.ok(/^A: all,/.test(titles[0]) && /^B: other,/.test(titles[1]), titles.join());
  const {isClipped, cut} = await view.evaluate(() => {
    const box = document.querySelector(".scroll:has(> .matrix)");
    return {isClipped: box.scrollWidth > box.clientWidth, cut: [...box.querySelectorAll("td, thead span")]
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.scrollHeight > cell.clientHeight + 1)
      .map((cell) => cell.textContent)};
  });
  assert.ok(!isClipped);
  assert.deepEqual(cut, []);
  const words = await view.$$eval(".matrix tbody tr", (rows) => rows.map((row) => {
    const base = row.querySelector("td.base").title[0];
    return [...row.querySelectorAll("td:not(.base)")].map((cell) => cell.title)
      .filter((title) => title.startsWith(base) === /different results/.test(title) && !/not run/.test(title));
  }));
  assert.deepEqual(words.flat(), []);
  const ties = await view.$$eval("#first-screen figure text", (found) =>
    found.filter((one) => one.textContent.endsWith("=")).length);
  assert.ok(ties < ENGINES.length, `${ties} of two results are said not to differ from the first`);
  assert.equal(await view.$$eval("#verdicts table caption", (found) =>
    new Set(found.map((one) => /^Against ([AB]):/.exec(one.textContent)?.[1]).filter((one) => one)).size), 2);
  assert.deepEqual(await unexplainedMarks(view), []);
  if (process.env.SCREENSHOTS !== undefined) {
    await view.screenshot({path: join(process.env.SCREENSHOTS, "two.png")});
  }
  await view.close();
});

for (const [width, height] of [[1280, 800], [390, 844]]) {
  test(`one engine has its figures in full and is not ranked, at ${width} pixels`, async () => {
    ofOne ??= run("one", "--num=20000", "--repeat=3", `--benchmarks=${WORKLOADS.join(",")}`, "--engine=leveldb");
    const view = await screenOf(join(ofOne, "report.html"), width, height);
    assert.doesNotMatch(await view.evaluate(() => document.body.innerText), /ranks first|leads|of the best/);
    const first = await view.$eval("figure", (one) => ({bottom: one.querySelector("svg").getBoundingClientRect().bottom,
      text: one.textContent}));
    assert.ok(first.bottom <= height && /fillrandom/.test(first.text), "the first chart is on the first screen");
    assert.ok(!await isWide(view));
    const rows = await view.$$eval("#first-screen > div > div:has(> .scroll) tbody tr", (found) =>
      found.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual(rows.map(([name]) => name.replace(/\W+$/, "")), WORKLOADS);
    for (const row of rows) {
      assert.match(row[9], /\d+ % (computing|in \d+ syncs?|waiting)/, row.join());
      assert.equal(row[10], "survives kill -9 (D1)");
    }
    assert.deepEqual(await unexplainedMarks(view), []);
    assert.deepEqual(await violationsIn(view), []);
    if (process.env.SCREENSHOTS !== undefined) {
      await view.screenshot({path: join(process.env.SCREENSHOTS, `one_${width}.png`)});
    }
    await view.close();
  });
}

test("on a telephone a line of the figures is one line, and no column is empty", async () => {
  const view = await screenOf(join(ofOne, "report.html"), 390, 844);
  const table = "#first-screen > div > div:has(> .scroll) table";
  const heights = await view.$$eval(`${table} tr`, (rows) => rows.map((row) => row.offsetHeight));
  assert.ok(Math.max(...heights) < 1.5 * Math.min(...heights), heights.join());
  const columns = await view.$eval(table, (found) => [...found.querySelectorAll("thead th")].map((head, i) => ({
    title: head.textContent,
    cells: [...found.querySelectorAll("tbody tr")].map((row) => row.children[i].textContent)})));
  assert.deepEqual(columns.slice(1, 4).map(({title}) => title), ["ops/s", "least", "greatest"], "three rounds");
  for (const {title, cells} of columns.slice(1, 4)) assert.ok(cells.every((cell) => cell !== "n/a"), title);
  await view.close();
});

test("names on the axis of percentiles do not touch", async () => {
  const rare = run("rare", "--num=200k", "--price=0", "--audit=0", "--benchmarks=readseq", "--engine=leveldb");
  for (const width of [390, 1200]) {
    const view = await screenOf(join(rare, "report.html"), width, 844);
    const boxes = await view.$$eval('#latency g[data-mark="x-axis tick label"] text', (found) => found.map((one) => {
      const {left, right} = one.getBoundingClientRect();
      return {name: one.textContent, left, right};
    }));
    assert.ok(boxes.length > 2 && (width < 1000 || boxes.some(({name}) => name === "p99.999")));
    boxes.slice(1).forEach((box, i) => assert.ok(box.left > boxes[i].right + 2, `${boxes[i].name} and ${box.name}`));
    await view.close();
  }
});

test("two builds of one version keep their names and have a colour each", async () => {
  const plugins = join(directory, "builds");
  mkdirSync(plugins);
  for (const build of ["base", "head"]) {
    symlinkSync(join(dirname(process.env.LEVELFIELD), "engines", "levelfield_leveldb.so"),
      join(plugins, `levelfield_leveldb@${build}.so`));
  }
  const builds = run("builds", "--num=1000", "--repeat=6", "--duration=0.05", "--price=0", "--audit=0",
    "--benchmarks=readrandom", `--engines=${plugins}`, "--engine=leveldb@base,leveldb@head");
  const view = await screenOf(join(builds, "report.html"), 1200, 900);
  const boxes = await view.$$eval("fieldset label:has(.swatch)", (found) =>
    found.map((one) => [one.textContent, one.querySelector(".swatch").style.background]));
  const names = boxes.map(([name]) => name);
  assert.match(names.join(), /^leveldb@base [0-9.]+,leveldb@head [0-9.]+$/);
  assert.notEqual(boxes[0][1], boxes[1][1]);
  for (const chart of ["rates", "latency", "over-time", "cost"]) {
    const drawn = await view.$$eval(`#${chart} figure:first-of-type details tbody th`,
      (found) => found.map((one) => one.textContent));
    assert.deepEqual([...new Set(drawn)].sort(), names, chart);
  }
  const [caption] = await view.$$eval("#verdicts caption", (found) => found.map((one) => one.textContent));
  assert.match(caption, /^Against (leveldb@\w+):.* rate over \1's$/);
  const heads = await view.$$eval("#verdicts > .drawn > div > details thead th",
    (found) => found.map((one) => one.textContent));
  assert.ok(heads.length > 0 && new Set(heads).size === heads.length, heads.join());
  await view.close();
});

test("the figures of one engine are those that programs get", async () => {
  const view = await screenOf(join(ofOne, "report.html"), 1280, 800);
  const [head, ...rows] = linesOf(await savedBy(view, "#first-screen > div > div > .save"));
  const told = toldOf(ofOne, "leveldb");
  const names = {"ops/s (per second)": "mean", "p50 (ns)": "p50", "p99 (ns)": "p99", "p99.9 (ns)": "p99.9",
    "disk/data": "space/held"};
  for (const row of rows) {
    const of = told[row[0].replace(/\W+$/, "")];
    for (const [title, name] of Object.entries(names)) {
      const value = row[head.indexOf(title)];
      if (of[name]?.value === undefined) assert.equal(value, "", `${row[0]} ${title}`);
      else assert.equal(Number(value), of[name].value, `${row[0]} ${title}`);
    }
    assert.ok(Math.abs(Number(row[head.indexOf("CPU/op (ns)")]) - of["CPU us/op"].value * 1e3) < 1e-6);
    const [, computing] = /(\d+) % computing/.exec(row.join());
    assert.equal(Number(computing), Math.round(of["of the time computing"].value * 100));
  }
  await view.close();
});

for (const [width, height] of [[1280, 800], [390, 844]]) {
  test(`the page of choose has the answer and its reasons at ${width} pixels`, async () => {
    if (ofChoice === undefined) {
      const blocks = JSON.parse(levelfield("choose", "--mix=get:80,put:20", "--num=500", "--price=0", "--audit=0",
        "--repeat=2", "--duration=0.05", "--engine=leveldb,lmdb,sqlite3", "--format=json"));
      const made = readdirSync(join(directory, "results")).find((entry) => entry.endsWith("-choose"));
      ofChoice = {blocks, page: join(directory, "results", made, "report.html")};
    }
    const {blocks, page: file} = ofChoice;
    const view = await screenOf(file, width, height);
    const header = await view.$eval("header", (found) => found.textContent);
    assert.ok(header.includes(blocks[0].text) && header.includes(blocks[1].text), header);
    assert.match(header, /500 keys; keys of 16 bytes, values of 100.*durability process/);
    const rates = blocks.find(({table}) => table === "engine").rows.map(({title, cells}) => [title, cells[0].value]);
    const saved = linesOf(await savedBy(view, "#first-screen figure details .save"));
    assert.deepEqual(saved.slice(1).map(([name, one]) => [name, Number(one)]), rates);
    const whys = await view.$$eval("#first-screen figure ~ div table tbody tr", (found) =>
      found.map((row) => row.textContent));
    assert.equal(whys.length, 2, "a line an engine");
    for (const why of whys) assert.match(why, /times (leveldb|lmdb|sqlite3) this time; 6 rounds or more rank engines/);
    const changes = await view.$$eval("#first-screen > div:last-of-type tbody th", (found) =>
      found.map((cell) => cell.textContent));
    assert.deepEqual(changes, ["four times the keys", "values of ten times the size", "no writes", "twice the writes",
      "every write synced", "four threads"]);
    const svg = await view.$eval("figure svg", (one) => one.getBoundingClientRect().bottom);
    assert.ok(svg <= height, "the first chart is on the first screen");
    assert.doesNotMatch(await view.evaluate(() => document.body.innerText), /ranks first/);
    assert.equal(await view.$eval("#workload", (found) => found.value), "your mix");
    for (const chart of await view.$$eval("#rates figcaption, #latency figcaption, #over-time figcaption",
      (found) => found.map((one) => one.textContent))) assert.match(chart, /^your mix/);
    assert.ok(!await isWide(view));
    assert.deepEqual(await unexplainedMarks(view), []);
    assert.deepEqual(await violationsIn(view), []);
    if (process.env.SCREENSHOTS !== undefined) {
      await view.screenshot({path: join(process.env.SCREENSHOTS, `choose_${width}.png`)});
    }
    await view.close();
  });
}

test("the files come out as they went in", async () => {
  const name = await page.$eval('script[type="application/gzip"][data-name]', (script) => script.dataset.name);
  const text = await page.evaluate(async () => {
    const base64 = document.querySelector('script[type="application/gzip"][data-name]').textContent;
    const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  });
  assert.equal(name, "1-manifest.json");
  const made = readdirSync(join(directory, "results")).find((entry) => entry.endsWith("-all"));
  assert.equal(text, readFileSync(join(directory, "results", made, "manifest.json"), "utf8"));
  const names = await page.$$eval('script[data-name]', (scripts) => scripts.map((script) => script.dataset.name));
  assert.ok(names.includes("1-rounds.csv"));
  assert.equal(await countOf("#files button"), names.length);
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
  assert.equal(await countOf("header details"), 1, "one head, and no list of variants");
  assert.equal(await countOf("#sweep figure:has(> figcaption)"), 4, "rate and p99 of two workloads");
  assert.equal(await countOf("#sweep figure:first-child g[data-mark=dot] > *"), 2 * 5 * 2);
  assert.match(await textOf("#sweep figure:first-child .note"), /line: value_size=100; dashes: value_size=1000/);
  await page.select("#sweep select", "value_size");
  assert.match(await textOf("#sweep figcaption"), /over value_size$/);
  await page.select("#workload", "readrandom");
  const laws = await textOf("#scaling table");
  assert.match(laws, /leveldb [0-9.]+ value_size=100/);
  assert.match(laws, /lmdb [0-9.]+ value_size=1000/);
  const dots = await countOf("#sweep figure:first-child g[data-mark=dot] > *");
  await page.click("fieldset input[type=checkbox]");
  assert.equal(await countOf("#sweep figure:first-child g[data-mark=dot] > *"), dots / 2, "one engine is left");
  if (process.env.SCREENSHOTS !== undefined) {
    await page.click("fieldset input[type=checkbox]");
    await (await page.$("#sweep")).screenshot({path: join(process.env.SCREENSHOTS, "sweep.png")});
  }
  assert.deepEqual(said, []);
});
