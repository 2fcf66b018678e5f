import type { StubBreach } from '../../checker/stubs/judge-stub.ts';
import { judgeStub } from '../../checker/stubs/judge-stub.ts';
import { smallestBroken, stubFor } from '../../checker/stubs/search-stubs.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { headLines, tailLines } from '../../counterexamples/report-frame.ts';
import { counted, labelled, shellWord } from '../../counterexamples/text.ts';
import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import { runName } from '../../model/tracepoint/stub.ts';
import { disassemble } from '../../model/x86/listing.ts';
import { ZERO } from '../../model/x86/word.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { StubLaw } from '../../properties/law/stub-law.ts';
import type { PlantedStub } from '../../properties/planted/stubs/stubs.ts';

/** The laws that stubs are checked against, and the planted bug. */
export interface StubQuestion {
  readonly laws: readonly StubLaw[];
  readonly planted: PlantedStub | undefined;
}

/** The stub of one prototype, `ptr, ptr, u32`: its code, and the verdict. Throws an InputError when there is no such stub. */
export function stubOf(types: string, { laws, planted }: StubQuestion): Answer {
  const { args } = declareTracepoint('stub', types);
  const code = stubFor(args, planted);
  const breach = judgeStub(code, args, laws);
  const told = { types, code, planted, breach };
  if (breach !== undefined)
    return brokenAnswer({ ...told, breach, minimal: 'not checked: not part of this search' });
  const asked = laws.filter(({ premise }) => premise(args));
  const held = asked.map(({ name }) => `✓ ${name}`);
  const none = held.length === 0 ? ['? no law applies: none of the arguments is narrow'] : [];
  return answered(told, [...codeLines(told), '', ...held, ...none], asked.length === 0);
}

/** The smallest prototype that shows a planted bug. */
export function plantedStub(planted: PlantedStub, laws: readonly StubLaw[]): Answer {
  const { found, tried } = smallestBroken(planted, laws);
  if (found === undefined) {
    const text = `? the planted bug ${planted.name} was not found in ${counted(tried, 'prototype')}`;
    return { text, json: jsonOf(undefined, planted), exit: EXIT.INCONCLUSIVE, save: [] };
  }
  const { breach } = found;
  const types = found.types.join(', ');
  const code = stubFor(declareTracepoint('stub', types).args, planted);
  const minimal = `${counted(tried - 1, 'prototype')} that are shorter, or of equal length with simpler types, hold`;
  return brokenAnswer({ types, code, planted, breach, minimal });
}

/** A stub in a report. */
interface Told {
  readonly types: string;
  readonly code: Uint8Array;
  readonly planted: PlantedStub | undefined;
  readonly breach: StubBreach | undefined;
}

function brokenAnswer(told: Told & { readonly breach: StubBreach; readonly minimal: string }): Answer {
  const { types, planted, breach, minimal } = told;
  const { law, finding } = breach;
  const { expected, observed } = rendered(finding);
  const bug = planted === undefined ? '' : ` --planted ${planted.name}`;
  return answered(told, [
    ...headLines(
      law,
      `stub of one prototype${planted === undefined ? '' : ` · planted bug: ${planted.name}`}`,
    ),
    ...codeLines(told),
    '',
    ...labelled('expected', expected),
    ...labelled('observed', observed),
    ...tailLines(law, {
      shrunkFrom: undefined,
      planted: planted?.name,
      narrow: undefined,
      minimal,
      replay: `npm run check -- stubs ${shellWord(types)}${bug}`,
      search: planted === undefined ? undefined : `npm run check -- stubs${bug}`,
    }),
  ]);
}

function answered(told: Told, lines: readonly string[], isVacuous = false): Answer {
  const held = isVacuous || told.planted !== undefined ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const exit = told.breach === undefined ? held : EXIT.BROKEN;
  return { text: lines.join('\n'), json: { ...jsonOf(told, told.planted), exit }, exit, save: [] };
}

function codeLines({ types, code }: Told): string[] {
  return [
    `__bpf_trace_X(data, ${types}), ${code.length} bytes`,
    '',
    ...listing(types, code).map(({ offset, text }) => `  +0x${offset.toString(16).padEnd(4)}  ${text}`),
  ];
}

function listing(types: string, code: Uint8Array) {
  const { args } = declareTracepoint('stub', types);
  return disassemble(code, ZERO, () => runName(args.length)).map(({ offset, text }) => ({ offset, text }));
}

function jsonOf(told: Told | undefined, planted: PlantedStub | undefined) {
  const found = told?.breach;
  return {
    command: 'stubs',
    exit: EXIT.INCONCLUSIVE,
    planted: planted?.name ?? null,
    types: told?.types ?? null,
    bytes: told?.code.length ?? null,
    code: told === undefined ? [] : listing(told.types, told.code),
    breach: found === undefined ? null : { law: found.law.name, ...rendered(found.finding) },
  };
}
