import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { parseAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { schemaProblems, shapeDifferences } from '../../test/shape.ts';
import { sources, TOP } from '../../test/sources.ts';
import { bundleJob, bundleOf } from './bundle.ts';
import { findingsPage } from './findings-page.ts';
import { moduleSource } from './module-source.ts';
import { fprobeInC } from './objects-in-c.ts';
import type { Reproducer } from './reproducer.ts';
import { reproducerOf } from './reproducer.ts';
import { TRIED_BUNDLES } from './tried-bundles.ts';

const TEXTS = new Map(sources('.trace').map(({ path, text }) => [path, text]));

function textOf(name: string): string {
  return TEXTS.get(`counterexamples/corpus/known/${name}.trace`) ?? '';
}

function reproducer(name: string, profile = '6.12'): Reproducer {
  const trace = parseAttachTrace(textOf(name));
  return reproducerOf({ ...trace, case: { ...trace.case, profile } });
}

/** The lines of the routine that makes the calls. */
function calls(name: string, profile?: string): string[] {
  const source = moduleSource(reproducer(name, profile));
  const routine = source.slice(source.indexOf('_init(void)'));
  return routine
    .split('\n')
    .filter((line) => /\(|\./.test(line) && !/pr_info|MODULE|module_init|_init/.test(line));
}

describe('a module', () => {
  test('makes the calls in order, detaches, and checks the call site', () => {
    expect(calls('kprobe-of-another-ops-stays').map((line) => line.trim())).toEqual([
      'memcpy(f1_before, site_of(f1), 5);',
      'kprobe_1 = (struct kprobe) {',
      '.addr = (void *)(unsigned long)f1,',
      '.pre_handler = kprobe_1_pre,',
      'check_number(register_kprobe(&kprobe_1), 0, "register_kprobe(kprobe#1, f1)");',
      'kprobe_2 = (struct kprobe) {',
      '.addr = (void *)(unsigned long)f1,',
      '.pre_handler = kprobe_2_pre,',
      '.post_handler = kprobe_2_post,',
      'check_number(register_kprobe(&kprobe_2), 0, "register_kprobe(kprobe#2, f1, post_handler)");',
      'synchronize_rcu();',
      'rcu_barrier();',
      'unregister_kprobe(&kprobe_2);',
      'unregister_kprobe(&kprobe_1);',
      'synchronize_rcu();',
      'rcu_barrier();',
      'check(!memcmp(site_of(f1), f1_before, 5), "the call site of f1 is as before");',
    ]);
  });

  test('of 6.1 has the direct calls of 6.1', () => {
    const source = moduleSource(reproducer('foreign-direct-call-is-unregistered', '6.1'));
    expect(source).toMatch(/register_ftrace_direct(?:_multi)?\(/);
    expect(source).toContain('call my_tramp1_hook');
  });

  test('has handlers of fprobes as the kernel calls them', () => {
    for (const kernel of ['7.2', '7.3'] as const)
      expect(fprobeInC('fprobe#1', kernel)).toContain('struct ftrace_regs *regs');
    for (const kernel of ['6.1', '6.12'] as const)
      expect(fprobeInC('fprobe#1', kernel)).toContain('struct pt_regs *regs');
  });

  test('says what has to be: an answer, a number of calls, misses, that it survives', () => {
    const last = (name: string, profile?: string) => calls(name, profile).at(-1);
    expect(last('kretprobe-disarmed-by-another-ops-counts-misses')).toContain(
      'check_number(kretprobe_1.nmissed + kretprobe_1.kp.nmissed, 0, ',
    );
    expect(last('kprobe-is-not-armed-after-a-wrong-count')).toContain('check_number(seen[KPROBE_2], 1, ');
    expect(last('patch-without-filter-is-unregistered')).toContain('the kernel is still there');
    expect(last('leaked-descriptor-serves-another-interface', '6.1')).toMatch(
      /check_number\(.*, (0|-\d+), "/,
    );
    const { EINVAL, EBUSY, ENOENT } = ERRNO;
    expect(last('dead-kprobe-is-registered-again', '7.2')).toContain(
      `(const int[]){ ${[EINVAL, EBUSY, ENOENT].map((number) => -number).join(', ')} }, 3, `,
    );
  });

  test('plans the tests that it makes', () => {
    for (const name of ['kprobe-memory-is-reused', 'ftrace-dies-of-a-record-without-users']) {
      const source = moduleSource(reproducer(name));
      const routine = source.slice(source.indexOf('_init(void)'));
      const [, plan = ''] = /1\.\.(\d+)/.exec(source) ?? [];
      expect([...routine.matchAll(/\tcheck(?:_number|_one_of)?\(/g)]).toHaveLength(Number(plan));
    }
  });

  test('has a name that the kernel takes', () => {
    for (const { name } of KNOWN_ATTACH) {
      const made = madeOf(name);
      if (made !== undefined) expect(made.id).toMatch(/^[a-z]\w{0,54}$/);
    }
  });
});

/** The reproducer of a listed breach for the first of its kernels; undefined: it is refused in a sentence. */
function madeOf(name: string): Reproducer | undefined {
  try {
    const made = reproducerOf(parseAttachTrace(textOf(name)));
    moduleSource(made);
    return made;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message.split('\n')).toHaveLength(1);
    return undefined;
  }
}

test('every listed breach of a kernel is a module, or refused in a sentence', () => {
  const own = KNOWN_ATTACH.filter(({ multiLinks }) => multiLinks === undefined);
  expect(own.filter(({ name }) => madeOf(name) !== undefined).length).toBeGreaterThan(20);
});

describe('what cannot be a module', () => {
  test.each([
    [
      'graph-user-registered-twice-keeps-running',
      'register_ftrace_graph is not a call that a module can make',
    ],
    ['event-of-a-kprobe-misleads-a-multi-program', 'BPF_PROG_LOAD is not a call that a module can make'],
    ['record-without-users-keeps-regs', 'a module has no check for this breach (leftovers)'],
  ])('%s: %s', (name, sentence) => {
    expect(() => reproducer(name)).toThrow(sentence);
  });

  test('a breach of a design is for no kernel', () => {
    expect(() => reproducer('batch-rollback-keeps-regs', '6.12, multiLinks = batch')).toThrow();
  });
});

describe('a bundle', () => {
  const folder = scratch();
  const name = 'kprobe-of-another-ops-stays';
  const trace = { path: `${name}.trace`, text: textOf(name) };

  test('has the module, what builds it, a test of ftracetest and the text of a report', () => {
    const out = folder.path('bundle');
    const { text, json, exit } = toEnd(bundleJob(trace, { out }));
    const files = [
      'Makefile',
      'README.md',
      'kprobe_of_another_ops_stays.c',
      'kprobe_of_another_ops_stays.tc',
    ];
    expect(readdirSync(out).toSorted()).toEqual(files);
    expect([exit, text.split('\n')[0]]).toEqual([EXIT.HELD, `${name}: 6 calls`]);
    const [, shape] = /```json bundle\n(.*?)```/s.exec(sources('docs/json.md')[0]!.text) ?? [];
    expect(shapeDifferences(JSON.parse(shape ?? ''), json)).toEqual([]);
    expect(schemaProblems('bundle', JSON.parse(JSON.stringify(json)))).toEqual([]);
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('On no kernel yet.');
    expect(() => toEnd(bundleJob(trace, { out }))).toThrow(`${out} is not empty`);
  });

  test('of a kernel that was run says what it printed', () => {
    const console = ['KTAP version 1', '1..1', 'not ok 1 - the call site of f1 is as before'];
    const kept = { release: '6.12.117', run: { console, end: 'continues' } } as const;
    const files = bundleOf(reproducer(name), trace.text, kept);
    expect(files['README.md']).toContain('On 6.12.117: the kernel continues, 1 not ok (`console.txt`).');
    expect(files['console.txt']).toContain('not ok 1');
  });

  test('is not made of an image or of a scenario', () => {
    const path = 'counterexamples/corpus/trampoline/arguments-are-only-copied.null-argument-shortcut.trace';
    const image = { path, text: TEXTS.get(path)! };
    expect(() => toEnd(bundleJob(image, { out: '/nowhere' }))).toThrow('is no sequence of calls');
  });
});

describe('bundles that were tried', () => {
  test('are of listed breaches of those kernels', () => {
    const listed = new Map(KNOWN_ATTACH.map((entry) => [entry.name, recordedKernelsOf([entry])]));
    for (const { kernel, shown, hidden } of TRIED_BUNDLES)
      for (const name of [...shown, ...hidden]) expect(listed.get(name)).toContain(kernel);
    expect(TRIED_BUNDLES.map(({ kernel }) => kernel)).toEqual(RECORDED_KERNELS);
  });

  test('fail on the newest kernel as well', () => {
    const newest = TRIED_BUNDLES.at(-1);
    expect(newest?.shown.length).toBeGreaterThan(3);
  });
});

test('a bundle is tried on one kernel, and on one that was recorded', async () => {
  const trace = 'counterexamples/corpus/known/kprobe-of-another-ops-stays.trace';
  const refused = (...more: string[]) => attachcheck(['bundle', trace, '--out', '/nowhere', ...more]);
  expect((await refused('--tree', '/', '--on', '7.2')).stderr).toContain(
    '--tree and --on name two kernels: a bundle is tried on one',
  );
  expect((await refused('--on', '7.1')).stderr).toContain(
    '--on 7.1 is not known; there are 6.1, 6.12, 7.2, 7.3',
  );
});

test('docs/findings.md lists every breach of a real kernel', () => {
  const file = join(TOP, 'docs/findings.md');
  if (process.env['UPDATE'] === '1') writeFileSync(file, findingsPage());
  expect(findingsPage()).toBe(readFileSync(file, 'utf8'));
  for (const { name, multiLinks } of KNOWN_ATTACH)
    if (multiLinks === undefined) expect(findingsPage()).toContain(`${name.replace(/-seen-by-.*$/, '')}`);
});
