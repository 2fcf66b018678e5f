import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import type { Answer, Exit, Saved } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { describeSequence } from '../../counterexamples/sequences/attach-describe.ts';
import { answerOf } from '../../counterexamples/sequences/attach-report.ts';
import { printAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { isSaved, plantedIn } from '../../counterexamples/trace-file.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { printAction } from '../../model/action-text.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { rendered } from '../../properties/finding/render.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { readTrace } from '../line/read-trace.ts';
import type { JudgedFile } from './judge.ts';
import { judgeText } from './judge.ts';
import { judgedLines } from './judge-text.ts';
import { judgedSuite } from './judged-checks.ts';

/** `attachcheck FILE`: a user's sequence, judged by all laws. Its breaches are saved on request. */
export function judgeFile(path: string, saves = false): Answer {
  return judgeNamed(readTrace(path), saves);
}

/** The same for a file that was read. */
export function judgeNamed({ path, text }: NamedTrace, saves = false): Answer {
  return located(path, () => {
    const kind = traceKind(text);
    if (kind === 'interleaving' && !isSaved(text))
      throw new InputError(
        `it is a scenario of several actors, not a sequence of calls: npm run check -- explore ${path}`,
      );
    if (kind !== 'sequence')
      throw new InputError(`it is ${WHAT[kind]}, not a sequence of calls: npm run check -- replay ${path}`);
    return judgedAnswer(path, judgeText(text), saves);
  });
}

const WHAT = {
  history: 'a history in two kernels',
  interleaving: 'an interleaving',
  image: 'an attach combination',
} as const;

function judgedAnswer(path: string, judged: JudgedFile, saves: boolean): Answer {
  const exit = exitOf(judged);
  return {
    text: judgedLines(judged).join('\n'),
    json: {
      command: 'judge',
      exit,
      file: path,
      planted: judged.planted ?? null,
      lacking: judged.lacking,
      kernels: jsonOf(judged),
    },
    suites: [judgedSuite(path, judged)],
    exit,
    save: saves ? tracesOf(judged) : [],
  };
}

function exitOf({ judged }: JudgedFile): Exit {
  const broken = judged.some((own) => own.broken.length > 0);
  const isAsked = judged.some(({ held }) => held.length > 0) && judged.every(({ idle }) => idle.length === 0);
  return worstExit([
    ...(broken ? [EXIT.BROKEN] : []),
    ...(judged.every(({ diverged }) => diverged === undefined) ? [] : [EXIT.FAILED]),
    ...(isAsked || broken ? [] : [EXIT.INCONCLUSIVE]),
  ]);
}

/** A trace for each broken law, as it was written: nothing is shrunk. */
function tracesOf({ planted, judged }: JudgedFile): Saved[] {
  const origin = {
    planted: plantedIn(ATTACH_PLANTED, planted),
    seed: undefined,
    drawn: undefined,
    listed: KNOWN_ATTACH,
  };
  return judged.flatMap(({ case: c, broken }) =>
    broken.flatMap(({ law, breach }) => {
      const upTo = { ...c, actions: c.actions.slice(0, breach.at + 1) };
      const described = describeSequence(upTo, law, origin);
      if (described === undefined) return [];
      return [{ path: `${CORPUS}/${described.path}`, text: printAttachTrace(described.trace) }];
    }),
  );
}

function jsonOf({ judged, elsewhere }: JudgedFile) {
  return judged.map(({ case: c, steps, broken, held, idle, diverged }) => ({
    kernel: c.profile,
    diverged: diverged ?? null,
    steps: steps.map(({ action, outcome }) => ({
      action: printAction(action, c),
      answer: answerOf(action, outcome),
    })),
    broken: broken.map(({ law, breach, known, behind }) => ({
      law: law.name,
      step: breach.at + 1,
      ...rendered(breach.finding),
      known: known?.name ?? null,
      behind: behind === undefined ? null : { known: behind.known.name, step: behind.index + 1 },
      elsewhere: (elsewhere.get(law) ?? []).map((own) => ({ lacks: null, ...own })),
    })),
    held: held.map(({ name }) => name),
    idle: idle.map(({ index, why }) => ({ step: index + 1, why })),
  }));
}
