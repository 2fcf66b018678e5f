import { benchFor } from '../../checker/images/bench.ts';
import type { CaseQuestion, ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import { otherKernels } from '../../model/core/profile.ts';
import type { Act, BreachCause, OtherVerdict, Parting } from '../../properties/finding/why.ts';
import { causeElsewhere } from '../../properties/finding/why.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { plantedNamed } from '../../properties/planted/images/all.ts';
import { listImage } from './excerpt.ts';

/** What makes the difference to the kernel without the planted bug, or to the other kernels. */
export function whyImage(
  c: ImageCase,
  question: CaseQuestion,
  subject: Subject,
  planted: string | undefined,
): BreachCause {
  const bug = planted === undefined ? undefined : plantedNamed(planted);
  const imageOf = (of: ImageCase) => runCase(benchFor(undefined), of, question);
  if (bug !== undefined)
    return {
      is: 'planted',
      sentence: bug.sentence,
      parting: partingOfImages(c, subject, imageOf(c).subject),
    };
  const asked = otherKernels(c.kernel).map(({ kernel }) => {
    const { subject: own, verdict } = imageOf({ ...c, kernel });
    const judged: OtherVerdict['verdict'] = verdict?.breach === undefined ? 'holds' : 'breaks';
    return { kernel, verdict: own === undefined ? 'lacks' : judged, own } as const;
  });
  return causeElsewhere(
    asked.map(({ kernel, verdict }) => ({ kernel, verdict })),
    (holding) => partingOfImages(c, subject, asked.find(({ kernel }) => kernel === holding)?.own),
  );
}

/** The first instruction in which two images of a case differ, or that one of them lacks. */
function partingOfImages(c: ImageCase, here: Subject, there: Subject | undefined): Parting | undefined {
  if (there === undefined) return undefined;
  const [own, its] = [listImage(here), listImage(there)];
  const index = own.findIndex(({ text }, i) => text !== its[i]?.text);
  const first = index < 0 && its.length > own.length ? own.length : index;
  if (first < 0) return undefined;
  const act = (line: (typeof own)[number] | undefined): Act =>
    line === undefined
      ? { is: 'nothing' }
      : { is: 'instruction', place: `tramp#1+0x${line.offset.toString(16)}`, text: line.text };
  return {
    step: c.programs.length + (c.ipmodify ? 1 : 0),
    actor: undefined,
    here: act(own[first]),
    there: act(its[first]),
  };
}
