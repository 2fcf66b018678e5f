import type { Answer } from '../../counterexamples/answer.ts';
import type { RunCheck } from '../../counterexamples/run-check.ts';
import { counted } from '../../counterexamples/text.ts';
import { lastStepLine } from '../../counterexamples/trace-file.ts';
import { lawIn } from '../../counterexamples/trace-kind.ts';
import { shapeOf } from '../soak/breach-shape.ts';
import type { MetBreach, UnaskedLaw } from './pass.ts';

/** A law of a search. */
export interface SearchedLaw {
  readonly name: string;
  readonly sentence: string;
  /** Why it is not decided, though the search came to its end; undefined: it was exercised. */
  readonly open: string | undefined;
}

/** What a search says of its laws. */
export interface SearchedLaws {
  readonly laws: readonly SearchedLaw[];
  readonly unasked?: readonly UnaskedLaw[];
  /** The new breach, with its report. */
  readonly save: Answer['save'];
  readonly report: string | undefined;
  /** The listed breaches that were met. */
  readonly known: readonly MetBreach[];
  /** What a stop, or the bound, has left out. */
  readonly left: readonly string[];
  /** `sequence`. */
  readonly noun: string;
}

/** A check for each law, and one for each listed breach that was met. */
export function lawChecks(searched: SearchedLaws): RunCheck[] {
  const { laws, unasked = [], known, noun } = searched;
  const ruleOf = (name: string) => {
    const { sentence = name } = laws.find((law) => law.name === name) ?? {};
    return { name, sentence };
  };
  return [
    ...laws.map((law) => lawCheck(law, searched)),
    ...unasked.map(({ law, why }): RunCheck => {
      return { name: law, rule: ruleOf(law), outcome: 'skipped', lines: [`not checked: ${why}`] };
    }),
    ...known.map(({ name, law, sentence, times, kernels }): RunCheck => {
      const line = `${name}, ${kernels.join(' and ')}, in ${counted(times, noun)}: ${sentence}`;
      return { name: `known: ${name}`, rule: ruleOf(law), outcome: 'known', lines: [line], cause: name };
    }),
  ];
}

function lawCheck({ name, sentence, open }: SearchedLaw, { save, report, left }: SearchedLaws): RunCheck {
  const check = { name, rule: { name, sentence } };
  const [found] = save;
  const skipped = (line: string): RunCheck => ({ ...check, outcome: 'skipped', lines: [line] });
  if (found !== undefined && report !== undefined) {
    if (lawIn(found.text) !== name) return skipped('not decided: the first new breach ends the search');
    const place = { file: found.path, line: lastStepLine(found.text) };
    const cause = shapeOf(found.text).calls;
    return { ...check, outcome: 'failed', place, lines: report.split('\n'), cause };
  }
  if (left.length > 0) return skipped(`not decided: ${left.join(', ')}`);
  return open === undefined ? { ...check, outcome: 'passed' } : skipped(open);
}
