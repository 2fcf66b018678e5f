import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { sources } from '../../test/sources.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { pageOf } from './page-of.ts';

/** Of an attachment to a mail. */
const BYTES_MOST = 250_000;

const { path: pathOf } = scratch();

const SAVED = sources('.trace').filter(({ path }) => path.startsWith('counterexamples/corpus/'));
const IMAGES = SAVED.filter(({ text }) => traceKind(text) === 'image');
const TRACES = SAVED.filter(({ text }) => traceKind(text) !== 'image');

/** One of each kind, whose pages begin with another program each; with `npm run thorough` all. */
const PAGES = THOROUGH
  ? TRACES
  : [...new Map(TRACES.map((trace) => [traceKind(trace.text), trace])).values()];

test('a page is one file that asks for no other, and allows no script but its own', async () => {
  expect(PAGES.length).toBeGreaterThanOrEqual(3);
  for (const { path, text } of PAGES) {
    const html = await pageOf({ path, text });
    expect(Buffer.byteLength(html), path).toBeLessThan(BYTES_MOST);
    expect(html.replace(/<script type="text\/plain".*/, ''), path).not.toMatch(/https?:|src=|@import|url\(/);
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    for (const [, kind, content = ''] of html.matchAll(/<(script type="module"|style)>([\s\S]*?)<\//g)) {
      const digest = createHash('sha256').update(content).digest('base64');
      expect(policy, kind).toContain(`'sha256-${digest}'`);
    }
    expect(html.match(/<script/g)).toHaveLength(3);
  }
});

test('what the page cannot show is refused in one sentence, and where nothing is found no file is written', async () => {
  const refused = await attachcheck(['replay', IMAGES[0]!.path, '--html', pathOf('a.html')]);
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--html: an attach combination'),
  ]);
  const held = ['explore', 'docs/examples/kretprobe.scenario', '--html', pathOf('b.html')];
  const { stderr } = await attachcheck(held);
  expect(stderr).toContain('b.html is not written: no breach was found');
});

test('a page of a sequence that names no law has the one that it breaks', async () => {
  const { stderr } = await attachcheck(['docs/examples/dead-kprobe.calls', '--html', pathOf('c.html')]);
  expect(stderr).toBe(`saved ${pathOf('c.html')}\n`);
  expect(readText(pathOf('c.html'))).toContain('<h1 class="broken">✗ ftrace/probes-fire-exactly-once</h1>');
});
