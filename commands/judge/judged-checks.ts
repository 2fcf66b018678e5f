import type { BrokenLaw } from '../../checker/sequences/judge-sequence.ts';
import type { KnownAttach } from '../../conformance/known/attach.ts';
import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import { namesOf } from '../soak/breach-shape.ts';
import type { JudgedFile, JudgedInKernel } from './judge.ts';
import { breachLines, IDLE } from './judge-text.ts';

const RULE = {
  name: 'attachcheck/sequence-is-decided',
  sentence: 'Each call of the file is made, in each of its kernels, with the answer that the file says.',
};

/** A check for each law and kernel, at the step that breaks it; listed breaches fail, as the exit code has it. */
export function judgedSuite(path: string, judged: JudgedFile): CheckSuite {
  const [first] = judged.judged;
  const bound = {
    name: path,
    counts: counted(first?.case.actions.length ?? 0, 'step'),
    kernels: judged.judged.map(({ case: c }) => c.profile),
  };
  const checks = [
    ...judged.judged.flatMap((own) => kernelChecks(path, own, judged)),
    ...judged.lacking.map(({ profile, call }): RunCheck => {
      return { name: profile, rule: RULE, outcome: 'skipped', lines: [`${profile} has no ${call}()`] };
    }),
  ];
  const { planted } = judged;
  return suiteOf(bound, checks, planted === undefined ? {} : { planted });
}

function kernelChecks(file: string, own: JudgedInKernel, judged: JudgedFile): RunCheck[] {
  const { case: c, broken, held, idle, diverged } = own;
  const inKernel = (name: string) => `${c.profile}: ${name}`;
  const nothing = broken.length === 0 && held.length === 0 ? ['no law applies'] : [];
  return [
    ...broken.map((law) => brokenCheck(file, own, law, judged)),
    ...held.map((rule): RunCheck => {
      return { name: inKernel(rule.name), rule: ruleOf(rule), outcome: 'passed', place: { file } };
    }),
    ...nothing.map((text): RunCheck => {
      return { name: inKernel(text), rule: RULE, outcome: 'skipped', place: { file }, lines: [text] };
    }),
    ...idle.map(({ index, why }): RunCheck => {
      const place = placeOf(file, judged, index);
      const lines = [`step ${index + 1}: ${IDLE[why]}`];
      return { name: inKernel(`step ${index + 1}`), rule: RULE, outcome: 'skipped', place, lines };
    }),
    ...(diverged === undefined ? [] : [divergedCheck(file, inKernel('answers'), diverged)]),
  ];
}

function divergedCheck(file: string, name: string, why: string): RunCheck {
  return { name, rule: RULE, outcome: 'error', place: { file }, lines: [`not as in the file: ${why}`] };
}

function brokenCheck(
  file: string,
  { case: c }: JudgedInKernel,
  broken: BrokenLaw<KnownAttach>,
  judged: JudgedFile,
): RunCheck {
  const { law, breach, known } = broken;
  return {
    name: `${c.profile}: ${law.name}`,
    rule: ruleOf(law),
    outcome: 'failed',
    place: placeOf(file, judged, breach.at),
    lines: breachLines(broken, judged),
    cause: known?.name ?? namesOf(c.actions.slice(0, breach.at + 1)),
  };
}

function ruleOf({ name, sentence }: BrokenLaw<KnownAttach>['law']): RunCheck['rule'] {
  return { name, sentence };
}

function placeOf(file: string, { lines }: JudgedFile, index: number): NonNullable<RunCheck['place']> {
  const line = lines[index];
  return { file, ...(line === undefined ? {} : { line }) };
}
