import { recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { exampleOf } from '../../conformance/known/attach-example.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { remarkLines } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import { sayable } from '../../kernels/history/cast-history.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { placeOf } from './difference-report.ts';
import { LeftOutCalls } from './left-out-calls.ts';

/** What a running kernel does in the example of a listed breach. */
export type ShownBreach =
  /** Every answer is the model's, up to the breach. */
  | { readonly is: 'shown' }
  /** The model crashes, and the kernel does not: memory that was freed is still as it was. */
  | { readonly is: 'runs on' }
  | { readonly is: 'differs'; readonly why: string }
  | { readonly is: 'not run'; readonly why: string };

type Named = readonly [name: string, shown: ShownBreach];

/** `kernel 6.12 --known`: runs the example of every listed breach of the kernel's own, each compared after every call. */
export function* knownOnKernel(kernel: RecordedVersion, tested: RunsHistories): Job {
  const own = KNOWN_ATTACH.filter(
    (entry) => entry.multiLinks === undefined && recordedKernelsOf([entry]).includes(kernel),
  );
  const results: Named[] = [];
  try {
    for (const entry of own) {
      results.push([entry.name, shownOn(tested, sayable(exampleOf(entry, kernel), 'to the crash'))]);
      if (
        yield { part: `listed breaches on ${kernel}`, done: results.length, of: own.length, unit: 'breach' }
      )
        break;
    }
  } finally {
    tested.close();
  }
  return answerOf(kernel, results, own.length);
}

function shownOn(
  tested: RunsHistories,
  { question, leftOut: [why], dies }: ReturnType<typeof sayable>,
): ShownBreach {
  if (why !== undefined) return { is: 'not run', why };
  if (question === undefined) return { is: 'not run', why: 'it has no call' };
  const { difference } = tested.run(question);
  if (difference === undefined) return { is: 'shown' };
  const isLast = difference.step === question.case.actions.length - 1;
  if (dies && isLast && difference.aspect !== 'kernel lost') return { is: 'runs on' };
  const [kernel = 'nothing', model = 'nothing'] = [difference.kernel[0], difference.model[0]];
  return { is: 'differs', why: `${placeOf(difference)}: ${kernel}, and in the model ${model}` };
}

function answerOf(kernel: RecordedVersion, results: readonly Named[], all: number): Answer {
  const of = (is: ShownBreach['is']) => results.filter(([, shown]) => shown.is === is);
  const differing = of('differs');
  const exit = differing.length > 0 ? EXIT.BROKEN : results.length < all ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const leftOut = new LeftOutCalls();
  leftOut.add(of('not run').flatMap(([, shown]) => ('why' in shown ? [shown.why] : [])));
  const lines = [
    ...differing.flatMap(([name, shown]) => [`✗ ${name}`, ...whyLines(shown)]),
    `${kernel}: ${counted(all, 'listed breach')}, ${of('shown').length} answered as by the model`,
    ...remarkLines({
      mark: ' ',
      name: 'runs on',
      text: `${of('runs on').length}, where the model crashes and freed memory was still as it was`,
    }),
    ...leftOut.sorted.map(([why, n]) =>
      remarkLines({ mark: ' ', name: 'not run', text: `${n}: ${why}` }).join('\n'),
    ),
  ];
  return {
    text: lines.join('\n'),
    json: {
      command: 'kernel',
      exit,
      kernel,
      known: results.map(([name, shown]) => ({ name, is: shown.is, why: 'why' in shown ? shown.why : null })),
    },
    exit,
    save: [],
  };
}

function whyLines(shown: ShownBreach): string[] {
  return 'why' in shown ? [`    ${shown.why}`] : [];
}
