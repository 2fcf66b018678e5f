import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import { lastStepLine } from '../../counterexamples/trace-file.ts';
import { shapeOf } from '../soak/breach-shape.ts';
import { boundText } from './exploration.ts';
import type { OwnVerdict } from './own-verdict.ts';
import { OWN_EXITS, ownLaws, verdictText } from './own-verdict.ts';
import type { TaskExplored } from './task-verdict.ts';

const DECIDED = {
  name: 'attachcheck/scenario-is-decided',
  sentence: 'Every interleaving of the scenario is explored, and laws apply to it.',
};

/** A check for each law in each kernel, and for what leaves a kernel open. */
export function ownSuite(
  { search, results }: TaskExplored,
  verdicts: readonly OwnVerdict[],
  found: { readonly save: Answer['save']; readonly report: string | undefined },
): CheckSuite {
  const { from, scenarios, planted } = search;
  const name = from.is === 'file' ? from.path : 'scenario';
  const kernels = scenarios.map((own) => own.name);
  const checks = verdicts.flatMap((verdict, i): RunCheck[] => {
    const result = results[i];
    const kernel = kernels[i] ?? '';
    const isOpen = OWN_EXITS[verdict.is] === EXIT.INCONCLUSIVE;
    const lines = [verdictText(kernel, verdict, boundText(search)).replace(/^\? /, '')];
    const open: RunCheck = { name: kernel, rule: DECIDED, outcome: 'skipped', place: { file: name }, lines };
    const laws = result === undefined ? [] : ownLaws(search, result);
    return [
      ...laws
        .filter(({ is }) => is !== 'not applicable')
        .map((own) => lawCheck(kernel, own, { verdict, found, file: name })),
      ...(isOpen ? [open] : []),
    ];
  });
  const counts =
    search.depth === undefined ? `every interleaving${boundText(search)}` : `to depth ${search.depth}`;
  return suiteOf({ name, counts, kernels }, checks, planted === undefined ? {} : { planted: planted.name });
}

function lawCheck(
  kernel: string,
  { law, is }: ReturnType<typeof ownLaws>[number],
  {
    verdict,
    found: { save, report = '' },
    file,
  }: {
    readonly verdict: OwnVerdict;
    readonly found: { readonly save: Answer['save']; readonly report: string | undefined };
    readonly file: string;
  },
): RunCheck {
  const rule = { name: law.name, sentence: law.sentence };
  const check = { name: `${kernel}: ${law.name}`, rule, place: { file } };
  const isEnd = verdict.is === 'broken' && verdict.law === law.name;
  const [saved] = save;
  if (isEnd) {
    const lines = report.split('\n');
    if (saved === undefined) return { ...check, outcome: 'failed', lines };
    const place = { file: saved.path, line: lastStepLine(saved.text) };
    return { ...check, outcome: 'failed', place, lines, cause: shapeOf(saved.text).calls };
  }
  if (is === 'broken') return { ...check, outcome: 'known', lines: [`broken as listed: ${law.sentence}`] };
  if (verdict.is === 'held' || verdict.is === 'known') return { ...check, outcome: 'passed' };
  return { ...check, outcome: 'skipped', lines: ['held in what was explored, which is not all'] };
}
