// The search of the documentation's site finds a page where the site is opened from a disk, without a server.
//
//   SITE=<directory> CHROMIUM=<browser> node --test site_search.test.mjs
import assert from "node:assert/strict";
import {test} from "node:test";
import puppeteer from "puppeteer-core";

test("the search works in pages from a disk, and asks no network", async () => {
  const asked = [];
  const browser = await puppeteer.launch({executablePath: process.env.CHROMIUM, args: ["--no-sandbox"]});
  try {
    const page = await browser.newPage();
    page.on("request", (request) => {
      if (!/^(file|blob|data|about):/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`file://${process.env.SITE}/docs/reference/measuring.html`);
    await page.click("label[for=__search]");
    await page.type(".md-search__input", "fillrandom");
    await page.waitForSelector(".md-search-result__item a", {timeout: 30000});
    const found = await page.$$eval(".md-search-result__item a", (links) => links.map((link) => link.getAttribute("href")));
    assert.ok(found.some((link) => link.includes("workloads.html")), found.join(" "));
    assert.deepEqual(asked, []);
  } finally {
    await browser.close();
  }
});
