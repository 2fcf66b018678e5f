import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { parseAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import type { ModuleHost, ModuleRun } from '../../kernels/own/run-module.ts';
import { ranModule } from '../../kernels/own/run-module.ts';
import { InputError } from '../../model/core/input-error.ts';
import { inParts } from '../kernel/in-parts.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import type { KeptRun } from './documents.ts';
import { ftracetestOf, makefileOf, readmeOf } from './documents.ts';
import { moduleSource } from './module-source.ts';
import type { Reproducer } from './reproducer.ts';
import { reproducerOf } from './reproducer.ts';

/** The files of a bundle by their names. */
export type Bundle = Readonly<Record<string, string>>;

/** Where a bundle goes, for which kernel it is, and the one that it is tried on. */
export interface BundleWanted {
  readonly out: string;
  readonly version?: string | undefined;
  readonly host?: ModuleHost | undefined;
}

/** Writes a breach as a kernel module with what belongs to it; with a kernel, it is built, booted and run there. */
export function* bundleJob({ path, text }: NamedTrace, { out, version, host }: BundleWanted): Job {
  if (traceKind(text) !== 'sequence')
    throw new InputError(`${path} is no sequence of calls: a bundle is made of one`);
  const trace = parseAttachTrace(text);
  const profile = version ?? trace.case.profile;
  const reproducer = reproducerOf({ ...trace, case: { ...trace.case, profile } });
  const program = (text.split(/^-{80}$/m)[0] ?? '').replace(/^kernel .*/, `kernel   ${profile}`);
  requireEmpty(out);
  writeBundle(out, bundleOf(reproducer, program, undefined));
  if (host === undefined) return answerOf(reproducer, out, undefined);
  try {
    const run = yield* inParts(ranModule(host, out, reproducer.id));
    const kept: KeptRun = { release: host.release, run };
    writeBundle(out, bundleOf(reproducer, program, kept));
    return answerOf(reproducer, out, kept);
  } finally {
    host.close();
  }
}

export function bundleOf(reproducer: Reproducer, program: string, kept: KeptRun | undefined): Bundle {
  const { id } = reproducer;
  return {
    'README.md': readmeOf(reproducer, program, kept),
    Makefile: makefileOf(reproducer),
    [`${id}.c`]: moduleSource(reproducer),
    [`${id}.tc`]: ftracetestOf(reproducer),
    ...(kept === undefined ? {} : { 'console.txt': `${kept.run.console.join('\n')}\n` }),
  };
}

function requireEmpty(out: string): void {
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new InputError(`${out} is not empty: a bundle gets a folder of its own`);
}

/** Puts the files of a bundle into a folder. */
export function writeBundle(out: string, bundle: Bundle): void {
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(bundle)) writeFileSync(join(out, name), text);
}

/** Whether a run shows the defect. */
export function isShown({ console, end }: ModuleRun): boolean {
  return end !== 'continues' || console.some((line) => line.includes('not ok'));
}

function answerOf({ name, id, steps }: Reproducer, out: string, kept: KeptRun | undefined): Answer {
  const files = readdirSync(out).toSorted();
  const shown = kept === undefined ? undefined : isShown(kept.run);
  const lines = [
    `${name}: ${steps.length} calls`,
    ...files.map((file) => `  ${join(out, file)}`),
    ...(kept === undefined
      ? ['', `  next     make -C ~/linux M=${out} modules, and load ${id}.ko in a machine that may crash`]
      : [
          '',
          `  ${kept.release} ${kept.run.end}; the defect ${shown === true ? 'shows' : 'does not show'} there`,
          ...kept.run.console
            .filter((line) => /not ok|WARNING:|BUG:|RIP:/.test(line))
            .map((line) => `  ${line}`),
        ]),
  ];
  return {
    text: lines.join('\n'),
    json: {
      command: 'bundle',
      exit: EXIT.HELD,
      name,
      folder: out,
      files,
      ran:
        kept === undefined
          ? null
          : { release: kept.release, end: kept.run.end, shown, console: kept.run.console },
    },
    exit: EXIT.HELD,
    save: [],
  };
}
