import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { passesOn } from '../../checker/why/guard.ts';
import type { RefusedStep } from '../../checker/why/refusal.ts';
import { playAll, refusalAt } from '../../checker/why/refusal.ts';
import { isAccepted, smallestUndo } from '../../checker/why/undo.ts';
import { filesBelow, readText } from '../../conformance/files.ts';
import { RETURN_SITES } from '../../conformance/known/return-sites.ts';
import { ALWAYS_IN_FILTER, Lab } from '../../conformance/sequences/lab.ts';
import { performOp } from '../../conformance/sequences/operations.ts';
import { parseSequences } from '../../conformance/sequences/record.ts';
import { TARGETS } from '../../conformance/sequences/targets.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { kernelRoutines } from '../../counterexamples/sequences/refusals.ts';
import { siteName } from '../../counterexamples/sequences/sites.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import { InputError } from '../../model/core/input-error.ts';
import { apply, KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { TOP } from '../../test/sources.ts';
import { readAskedTrace } from './asked-trace.ts';
import { KERNEL_FUNCTIONS, kernelFunction, kernelPlace } from './kernel-file.ts';

/** Every refused step of the saved sequences of client calls. */
function refusalsOfCorpus(): {
  readonly path: string;
  readonly refusal: RefusedStep;
  readonly planted: boolean;
}[] {
  return filesBelow(TOP, CORPUS, '.trace').flatMap((path) => {
    const asked = traceIn(path);
    if (asked === undefined) return [];
    const program = plantedKernel(asked.planted);
    const played = playAll(asked.cases[0], program);
    return played.flatMap(({ outcome }, index) =>
      outcome.errno === 0
        ? []
        : [{ path, refusal: refusalAt(played, index, program), planted: asked.planted !== undefined }],
    );
  });
}

function traceIn(path: string) {
  try {
    return readAskedTrace(readText(join(TOP, path)));
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

describe('every refusal of the saved sequences', () => {
  const all = refusalsOfCorpus();
  const own = all.filter(({ planted, refusal }) => !planted && refusal.site !== undefined);

  test('comes from a return site that gives this errno', () => {
    expect(all.length).toBeGreaterThan(30);
    for (const { path, refusal } of all)
      expect([path, refusal.site?.errno ?? 'EBADF']).toEqual([path, refusal.errno]);
  });

  test('is not given there by a kernel without that site', () => {
    const known = new Set(RETURN_SITES.map(({ site }) => site));
    const sites = new Map(
      own.map((item) => [siteName(item.refusal.site!, item.refusal.errno), item.refusal]),
    );
    expect(sites.size).toBeGreaterThan(12);
    for (const [name, { site, before, action }] of sites) {
      if (!known.has(name)) continue;
      const { routine, id } = site!;
      const taken: string[] = [];
      const program = linkKernel([{ routine, id, replace: () => [] }]);
      const refused = ({ routine: site, id: by }: { routine: string; id: string }) =>
        taken.push(`${site}: ${by}`);
      apply(copyKernel(before), action, program, { refused });
      expect(taken).not.toContain(`${routine}: ${id}`);
    }
  });

  test('is undone by the printed calls, of which none can be left out', { timeout: 60_000 }, () => {
    const program = plantedKernel(undefined);
    let undone = 0;
    for (const { refusal } of own) {
      const { found } = smallestUndo(refusal, [], program, 2);
      if (found === undefined) continue;
      undone++;
      const k = copyKernel(refusal.before);
      expect(isAccepted(k, refusal.action, program)).toBe(false);
      for (const action of found) expect(apply(k, action, program).errno).toBe(0);
      expect(isAccepted(k, refusal.action, program)).toBe(true);
      for (const left of found) {
        const without = copyKernel(refusal.before);
        for (const action of found) if (action !== left) apply(without, action, program);
        expect(isAccepted(without, refusal.action, program)).toBe(false);
      }
    }
    expect(undone).toBeGreaterThan(15);
  });
});

/** The recorder at work: every action of it that is refused is kept, with the kernel before it. */
class RefusedLab extends Lab {
  readonly refusals: RefusedStep[] = [];

  override do(action: Action): Outcome {
    const before = copyKernel(this.k);
    const outcome = super.do(action);
    if (outcome.errno !== 0) {
      const promises = nothingPromised(before.profile, []);
      this.refusals.push(refusalAt([{ action, outcome, before, promises }], 0, plantedKernel(undefined)));
    }
    return outcome;
  }
}

describe('every refusal of the recorded pairs', () => {
  const functions = TARGETS.filter(({ name }) => name === 'f2' || name === ALWAYS_IN_FILTER);
  const path = join(TOP, 'conformance/recordings/pairs.jsonl.gz');
  const { sequences } = parseSequences(readText(path), path);

  test.each([
    ['6.1', 4],
    ['6.12', 4],
    ['7.2', 8],
  ] as const)('of %s comes from a return site that was taken, of at least %d', (kernel, least) => {
    const sites = new Set<string>();
    for (const { ops } of sequences.filter((sequence) => sequence.kernel === kernel)) {
      const lab = new RefusedLab(kernel, functions);
      for (const op of ops) performOp(lab, op);
      for (const { site, errno, before, action } of lab.refusals) {
        if (site === undefined) continue;
        const taken: string[] = [];
        apply(copyKernel(before), action, undefined, {
          refused: (instruction, gives) => taken.push(siteName(instruction, gives)),
        });
        expect(taken).toContain(siteName(site, errno));
        expect(passesOn(site.looked, errno)).toBe(false);
        sites.add(siteName(site, errno));
      }
    }
    expect(sites.size).toBeGreaterThanOrEqual(least);
    const known = RETURN_SITES.map(({ site }) => site);
    for (const site of sites) expect(known).toContain(site);
  });
});

describe('the table of kernel files', () => {
  /** Functions of clients, and of a design that the kernel calls through a pointer. */
  const OTHERS = ['ftrace_callback', 'bpf_graph_entry', 'bpf_graph_return'];

  test('has every function that is a routine, and no other', () => {
    const functions = new Set([...kernelRoutines(KERNEL_PROGRAM)].map(kernelFunction));
    expect([...KERNEL_FUNCTIONS, ...OTHERS].toSorted()).toEqual([...functions].toSorted());
  });

  test('names the file and the function', () => {
    expect(kernelPlace('register_fprobe_ips (fgraph)')).toBe('kernel/trace/fprobe.c  register_fprobe_ips');
    expect(kernelPlace('kfunc_md_create')).toBeUndefined();
  });
});
