import { existsSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratch } from '../../test/scratch.ts';
import { sources } from '../../test/sources.ts';
import { pageOf } from './page-of.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);
if (!isThere)
  console.warn(`no page is opened: there is no browser at ${CHROMIUM} (CHROMIUM names another one)`);

const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

const OPENED = {
  interleaving: 'counterexamples/corpus/task/no-torn-instruction.no-sync-after-int3.trace',
  'freed image':
    'counterexamples/corpus/task/no-fetch-from-freed-memory.no-rcu-tasks-for-the-preempted.trace',
  sequence:
    'counterexamples/corpus/ftrace/exit-handlers-see-the-return-value.original-return-is-not-stored.trace',
  history: 'counterexamples/corpus/refine/one-by-one.not-tracing-multi.trace',
};

describe.skipIf(!isThere)('in a browser', () => {
  const { path: pathOf } = scratch();
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    page = await browser.newPage();
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
  });
  afterAll(() => browser.close());

  async function open(kind: keyof typeof OPENED): Promise<void> {
    const path = OPENED[kind];
    const file = pathOf(`${kind}.html`);
    if (!existsSync(file)) writeFileSync(file, await pageOf({ path, text: sources(path)[0]!.text }));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('.lanes');
  }

  /** The same, unless it is open from the test before, which has changed nothing of it. */
  async function stayOn(kind: keyof typeof OPENED): Promise<void> {
    if (page.url() !== pathToFileURL(pathOf(`${kind}.html`)).href) await open(kind);
  }

  const now = () => page.textContent('#now');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  test('a history ends with the difference', async () => {
    await open('history');
    expect(await now()).toContain('≠ prog#1 sees a call of f2 in the middle of the operation');
    expect(problems).toEqual([]);
  });

  test.each(['freed image', 'sequence', 'interleaving'] as const)(
    '%s: the model finds its breach again',
    async (kind) => {
      await open(kind);
      expect(await now()).toContain(`✗ ${/^law +(\S+)/m.exec(sources(OPENED[kind])[0]!.text)?.[1]}`);
      expect(problems).toEqual([]);
    },
  );

  test('all of it by keyboard: steps, another order with its verdict, what changed, text', async () => {
    await stayOn('interleaving');
    await press('Home');
    expect(await now()).toContain('step 0 of 22, the first state');
    await press('ArrowDown', 'j', 'ArrowUp');
    expect(await now()).toContain('step 1 of 22');
    expect(await page.evaluate("document.activeElement.getAttribute('data-stand')")).toBe('1');
    await press('Home', 'e');
    expect(await now()).toContain('✓ all have finished, and the law holds');
    await press('r');
    expect(await now()).toContain('step 22 of 22');
    const all = await page.locator('#state tr').count();
    await press('ArrowUp', 'c');
    expect(await page.locator('#state table.state tr').count()).toBeLessThan(all);
    await press('t');
    expect(await page.textContent('#twin')).toContain('Step 20, client#1');
    expect(await page.locator('main').isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  test('a move is chosen by mouse, and what came after it is gone', async () => {
    await open('interleaving');
    await press('Home');
    const buttons = page.locator('#choices li button');
    expect(await page.locator('#choices button.saved').count()).toBe(1);
    await buttons.last().click();
    expect(await now()).toContain('step 1 of 1');
    await page.locator('tr[data-stand="0"]').click();
    expect(await now()).toContain('step 0 of 1');
  });

  test.each(['light', 'dark'] as const)('%s: text can be read on its background', async (colorScheme) => {
    await stayOn('freed image');
    await page.emulateMedia({ colorScheme });
    const brightness = async (property: string) => {
      const colour: string = await page.evaluate(`getComputedStyle(document.body).${property}`);
      return (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part) / 3, 0);
    };
    const [text, back] = [await brightness('color'), await brightness('backgroundColor')];
    expect(Math.abs(text - back)).toBeGreaterThan(150);
    expect(await page.locator('.listing tr.marked').count()).toBe(1);
  });
});
