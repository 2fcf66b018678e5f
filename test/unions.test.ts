import { beforeAll, describe, expect, test } from 'vitest';
import { THOROUGH } from './thorough.ts';
import type { UnionGrowth } from './unions.ts';
import { Grown } from './unions.ts';

interface Row {
  readonly growth: UnionGrowth;
  /** The files that must know of a new member, as the compiler finds them. */
  readonly places: readonly string[];
}

/** A member among literals. */
function literal(union: string, file: string, places: readonly string[]): Row {
  const word = `new ${union}`;
  const behind = `export type ${union} =`;
  return { growth: { union, file, behind, member: ` | '${word}'`, word }, places };
}

/** A member among records with a tag. */
function tagged(union: string, file: string, tag: string, places: readonly string[]): Row {
  const word = `new ${union}`;
  const behind = `export type ${union} =`;
  return { growth: { union, file, behind, member: ` | { ${tag}: '${word}' }`, word }, places };
}

/** A member of a table of tags. */
function entry(union: string, file: string, behind: string, places: readonly string[]): Row {
  const word = `new ${union}`;
  return { growth: { union, file, behind, member: ` '${word}': object;`, word }, places };
}

/** A call is a file and a line: here the line, and a file that the compiler takes for granted. */
const CALL: Row = {
  growth: {
    union: 'Action',
    file: 'model/client/all.ts',
    behind: 'const CALLS = {',
    member: ` 'new Action': {} as ClientCall<{ readonly do: 'new Action' }>,`,
    word: 'new Action',
  },
  places: ['checker/sequences/calls/all.ts'],
};

const ROWS: readonly Row[] = [
  CALL,
  literal('KernelVersion', 'model/core/profile.ts', ['model/core/profile.ts']),
  literal('ItemOp', 'model/trampoline/item.ts', ['model/trampoline/generate.ts']),
  tagged('Part', 'model/core/part.ts', 'readonly id: string; readonly kind', ['model/core/link.ts']),
  literal('TracingKind', 'model/trampoline/program.ts', ['properties/observed/seen-call.ts']),
  literal('Nesting', 'model/trampoline/traced-function.ts', [
    'counterexamples/sequences/nested-functions.ts',
    'model/testing/call-rig.ts',
    'model/trampoline/body.ts',
    'model/trampoline/traced-function.ts',
    'properties/observed/expectation.ts',
  ]),
  literal('Flavour', 'model/core/part.ts', ['model/task/grace-period.ts', 'model/testing/wait-table.ts']),
  literal('LinkKind', 'model/trampoline/world.ts', [
    'model/trampoline/release.ts',
    'properties/trampoline/reference-counts-are-exact.ts',
  ]),
  literal('ClientKind', 'model/contract/promises.ts', [
    'properties/ftrace/newer-clients-run-first.ts',
    'properties/ftrace/success-means-attached.ts',
    'properties/observed/detach.ts',
    'properties/observed/owed-events.ts',
    'properties/observed/seen-call.ts',
  ]),
  literal('EventKind', 'model/core/event.ts', [
    'conformance/sequences/event.ts',
    'properties/observed/seen-call.ts',
  ]),
  tagged('TaskEvent', 'checker/interleavings/event.ts', 'readonly is', ['checker/interleavings/judge.ts']),
  tagged('Happening', 'properties/law/interleaving-law.ts', 'readonly is', []),
  tagged('HitFinding', 'properties/finding/hit-finding.ts', 'readonly is', [
    'properties/finding/hit-words.ts',
  ]),
  tagged('CallFinding', 'properties/finding/call-finding.ts', 'readonly is', [
    'properties/finding/call-words.ts',
  ]),
  tagged('StateFinding', 'properties/finding/state-finding.ts', 'readonly is', [
    'properties/finding/state-words.ts',
  ]),
  tagged('AnswerFinding', 'properties/finding/answer-finding.ts', 'readonly is', [
    'properties/finding/answer-words.ts',
  ]),
  tagged('TrampolineFinding', 'properties/finding/trampoline-finding.ts', 'readonly is', [
    'properties/finding/trampoline-words.ts',
  ]),
  entry('TaskFinding', 'properties/finding/task-finding.ts', 'interface TaskFindings {', [
    'properties/finding/task-words.ts',
  ]),
  entry('Warning', 'model/core/warning.ts', 'interface Warnings {', ['model/core/warning-words.ts']),
  entry('Crash', 'model/core/crash.ts', 'interface OopsCauses {', [
    'checker/interleavings/cause/freed-thing.ts',
    'counterexamples/interleavings/task-bytes.ts',
    'model/core/crash-words.ts',
  ]),
  literal('PlantedKind', 'properties/planted/all.ts', [
    'commands/line/options.ts',
    'properties/planted/all.ts',
  ]),
  literal('TraceKind', 'counterexamples/trace-kind.ts', ['commands/explain/explain-job.ts']),
];

/** Switches that say otherwise that they have every case, each for a reason. */
const EXCUSED: readonly string[] = [
  // The emulator imports nothing of ours; the function returns a text, and so the compiler asks for every case.
  'model/x86/rig.ts: switch (stop.kind)',
];

/** All of the project where there is time, else the unions that concern the model alone, and its files. */
const ROOM = THOROUGH ? '' : 'model/';
const ASKED = ROWS.filter(({ growth: { file }, places }) =>
  [file, ...places].every((path) => path.startsWith(ROOM)),
);

describe('a new member of a union', () => {
  test('is one of some', () => {
    expect(ASKED.length).toBeGreaterThan(4);
  });

  let grown: Grown;
  let complaints: ReturnType<Grown['complaints']>;
  beforeAll(() => {
    grown = new Grown(
      ASKED.map(({ growth }) => growth),
      ROOM,
    );
    const places = new Set(ASKED.flatMap((row) => row.places));
    complaints = grown.complaints(THOROUGH ? undefined : places);
  });

  test.each(ASKED.map((row) => [row.growth.union, row] as const))(
    '%s does not compile wherever it has to be known',
    (_, { growth: { word }, places }) => {
      const named = complaints.filter(({ text }) => text.includes(`"${word}"`) || text.includes(`'${word}'`));
      expect([...new Set(named.map(({ file }) => file))].sort()).toEqual(places);
    },
  );

  test('is named by whatever the compiler says', () => {
    const words = ASKED.map(({ growth: { word } }) => word);
    expect(complaints.filter(({ text }) => !words.some((word) => text.includes(word)))).toEqual([]);
  });

  test('comes to no switch that has another end', () => {
    expect(grown.looseSwitches()).toEqual(EXCUSED);
  });
});
