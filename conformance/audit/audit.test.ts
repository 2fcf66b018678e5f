import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOP } from '../../commands/line/project.ts';
import { KERNEL_FUNCTIONS, kernelFile } from '../../commands/why/kernel-file.ts';
import { kernelRoutines } from '../../counterexamples/sequences/refusals.ts';
import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import { someOf } from '../../test/thorough.ts';
import { KNOWN_ATTACH } from '../known/attach-all.ts';
import { exampleOf } from '../known/attach-example.ts';
import { RETURN_SITES } from '../known/return-sites.ts';
import { AUDITS } from './all.ts';
import { auditPage } from './page.ts';
import { auditedParts } from './parts.ts';
import * as reasons from './reasons.ts';
import type { AuditedFunction, AuditRow } from './row.ts';

const FUNCTIONS = AUDITS.flatMap(({ functions }) => functions);
const ROWS = FUNCTIONS.flatMap(({ fn, rows }) => rows.map((row) => ({ fn, ...row })));
const PARTS = auditedParts(KERNEL_PROGRAM);

/** The rows that name each part or function of the model. */
const ROWS_BY_PART = new Map<string, AuditRow[]>();
for (const row of ROWS)
  for (const part of partsOf(row)) ROWS_BY_PART.set(part, [...(ROWS_BY_PART.get(part) ?? []), row]);

function partsOf({ counterpart }: AuditRow): readonly string[] {
  return 'parts' in counterpart ? counterpart.parts : [];
}

/** A row in a sentence of its own, for a failure. */
function rowName({ fn, kind, what }: AuditRow & Pick<AuditedFunction, 'fn'>): string {
  return `${fn}(): ${kind}, ${what}`;
}

describe('the audit of the modelled kernel functions', () => {
  it('has every function that is a routine, in its file, and once for each kernel', () => {
    const audited = new Set(
      AUDITS.flatMap(({ file, functions }) => functions.map(({ fn }) => `${file} ${fn}`)),
    );
    expect(KERNEL_FUNCTIONS.filter((fn) => !audited.has(`${kernelFile(fn)} ${fn}`))).toEqual([]);
    const names = FUNCTIONS.flatMap(({ fn, in: kernels }) => kernels.map((kernel) => `${kernel} ${fn}`));
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('has a row for every refusal, early return, rollback, lock, wait and allocation of the model', () => {
    const lacking = PARTS.filter(
      ({ routine, name, isAudited }) =>
        isAudited && kernelFile(routine) !== undefined && !ROWS_BY_PART.has(name),
    );
    expect(lacking.map(({ name }) => name)).toEqual([]);
  });

  it('names only parts and functions that the model has', () => {
    const parts = new Set(PARTS.map(({ name }) => name));
    const unknown = [...ROWS_BY_PART.keys()].filter((part) => !parts.has(part) && !isFunction(part));
    expect(unknown).toEqual([]);
  });

  it('gives every row a kernel that has the function, a statement, and a counterpart or a reason', () => {
    const empty = ROWS.filter(
      ({ what, in: kernels, counterpart }) =>
        what === '' ||
        kernels.length === 0 ||
        ('parts' in counterpart ? counterpart.parts.length === 0 : counterpart.omitted === ''),
    );
    expect(empty.map(rowName)).toEqual([]);
    for (const { fn, in: kernels, rows } of FUNCTIONS)
      for (const row of rows)
        expect(
          row.in.filter((kernel) => !kernels.includes(kernel)).map(() => rowName({ fn, ...row })),
        ).toEqual([]);
  });

  it('has a row, in each kernel in which a return site is reached, of that kernel', () => {
    const lacking = RETURN_SITES.flatMap(({ site, reached, seldom = [] }) => {
      const part = site.replace(/: E\w+ {2}/, ': ');
      const routine = part.slice(0, part.indexOf(':'));
      if (kernelFile(routine) === undefined) return [];
      const kernels = ROWS_BY_PART.get(part)?.flatMap((row) => row.in) ?? [];
      return [...reached, ...seldom]
        .filter(
          (kernel) => ![kernel, profileNamed(kernel).kernel].some((version) => kernels.includes(version)),
        )
        .map((kernel) => `${kernel} ${part}`);
    });
    expect(lacking).toEqual([]);
  });

  it.each(KERNELS)(
    'has a row of %s for what is held, waited for, deferred and rolled back there',
    (kernel) => {
      const lacking = executedIn(kernel).filter(
        (name) => ROWS_BY_PART.get(name)?.some((row) => row.in.includes(kernel)) !== true,
      );
      expect(lacking).toEqual([]);
    },
  );

  it('has a name in reasons.ts for each reason of several rows, and no other', () => {
    const given = [
      ...ROWS.flatMap(({ counterpart }) => ('omitted' in counterpart ? [counterpart.omitted] : [])),
      ...FUNCTIONS.flatMap(({ basis }) => basis ?? []),
    ];
    const named: readonly string[] = Object.values(reasons);
    const repeated = given.filter((reason, i) => given.indexOf(reason) !== i && !named.includes(reason));
    expect(repeated).toEqual([]);
    expect(named.filter((reason) => !given.includes(reason))).toEqual([]);
  });

  it('has its counts and its reasons in docs/audit.md', () => {
    const path = join(TOP, 'docs/audit.md');
    const text = auditPage();
    if (process.env['UPDATE'] === '1') writeFileSync(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('leaves out of the files only what clients and designs supply', () => {
    const outside = [...kernelRoutines(KERNEL_PROGRAM)].filter((name) => kernelFile(name) === undefined);
    expect(outside.toSorted()).toEqual(['bpf_graph_entry', 'bpf_graph_return', 'ftrace_callback']);
  });
});

/** Parts that act when they are executed; whether a refusal or an early return is taken depends on the state. */
const ACTS: ReadonlySet<number> = new Set([DO.LOCK, DO.TRYLOCK, DO.ROLLBACK, DO.WAIT, DO.STEP]);

/** The audited parts that the examples of listed breaches execute in a kernel, whatever they show there. */
function executedIn(kernel: KernelVersion): string[] {
  const acting = PARTS.filter(
    ({ instruction, routine, isAudited }) =>
      isAudited && ACTS.has(instruction.do) && kernelFile(routine) !== undefined,
  );
  const names = new Map(acting.map(({ instruction, name }) => [instruction, name]));
  const executed = new Set<string>();
  const step = (instruction: Instruction) => {
    const name = names.get(instruction);
    if (name !== undefined) executed.add(name);
  };
  for (const entry of someOf(KNOWN_ATTACH, 4).filter(({ multiLinks }) => multiLinks === undefined)) {
    const { functions, actions } = exampleOf(entry);
    const k = bootKernel({ profile: kernel, boot: 'default', functions });
    for (const action of actions) if (apply(k, action, undefined, { step }).died !== undefined) break;
  }
  return [...executed];
}

/** `model/trampoline/load.ts refuseAccess`: a function that the file has. */
function isFunction(name: string): boolean {
  const [, path, fn] = /^(model\/[\w/-]+\.ts) (\w+)$/.exec(name) ?? [];
  if (path === undefined || fn === undefined || !existsSync(join(TOP, path))) return false;
  return new RegExp(`\\b(function|const) ${fn}\\b`).test(readFileSync(join(TOP, path), 'utf8'));
}
