import type { Exit } from '../../counterexamples/answer.ts';
import { verdictOf, worstExit } from '../../counterexamples/answer.ts';
import type { RunPart } from '../../counterexamples/run-part.ts';
import { markOf, suiteOf } from '../../counterexamples/run-part.ts';
import { count, counted } from '../../counterexamples/text.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { imageChecks } from '../images/image-checks.ts';
import type { ComparedImages } from '../images/recordings.ts';
import { comparedLines, exitOf, imagesVerdict, leftImages } from '../images/recordings.ts';
import { differenceLines, knownImagesText, totalsJson, totalsOf } from '../images/summary.ts';
import { recordedChecks } from '../sequences/sequence-checks.ts';
import type { ReplayedSequences } from '../sequences/sequences.ts';
import { exitOfReplayed, leftSequences, replayedTable, replayedVerdict } from '../sequences/sequences.ts';
import {
  divergenceLines,
  knownSequencesText,
  totalsOf as sequenceTotals,
  staleRemarks,
} from '../sequences/summary.ts';
import { ofAll, stoppedRemarks } from './pass.ts';
import type { Section } from './section.ts';

/** Recordings that are shown in full when they differ. */
const SHOWN = 3;

/** What comparing recordings of images, and of sequences, comes to. */
export function recordedSection(compared: ComparedImages, replayed: ReplayedSequences): Section {
  const exit = worstExit([exitOf(compared), exitOfReplayed(replayed)]);
  const [images, sequences] = [imagesVerdict(compared), replayedVerdict(replayed)];
  const isSequences = images.wrong.length + images.open.length === 0;
  return {
    part: recordedPart(exit, compared, replayed),
    exit,
    json: {
      recordings: totalsJson(totalsOf('all', compared.results)),
      recordedSequences: sequenceTotals('all', replayed.results),
      problems: problemsOf(compared, replayed),
    },
    save: [],
    suites: [
      suiteOf(
        { name: 'images', counts: counted(compared.results.length, 'record') },
        imageChecks(compared, leftImages(compared)),
      ),
      suiteOf(
        { name: 'recorded sequences', counts: counted(replayed.results.length, 'sequence') },
        recordedChecks(replayed, leftSequences(replayed)),
      ),
    ],
    verdict: verdictOf([images, sequences], { next: { command: [isSequences ? 'sequences' : 'images'] } }),
  };
}

function problemsOf(...parts: readonly (ComparedImages | ReplayedSequences)[]): string[] {
  return parts.flatMap(({ problems, failures }) => [...problems, ...failures]);
}

/** What recordings of images, calls and refusals, and of sequences, come to. */
function recordedPart(exit: Exit, compared: ComparedImages, replayed: ReplayedSequences): RunPart {
  const all = totalsOf('all', compared.results);
  const own = sequenceTotals('all', replayed.results);
  const kernels = new Set([
    ...compared.results.map(({ kernel }) => kernel),
    ...replayed.results.map(({ sequence }) => sequence.kernel),
  ]);
  const undecided = compared.results.length - all.decided;
  const left = [...leftImages(compared), ...leftSequences(replayed)];
  return {
    mark: markOf(exit),
    name: 'recordings',
    counts: [
      ofAll(all.identical, all.images, 'image'),
      ofAll(all.agreeing, all.decided, 'attempt'),
      `${ofAll(own.agreeing, own.sequences, 'sequence')} agree`,
    ].join(', '),
    kernels: [...kernels].sort((a, b) => RECORDED_KERNELS.indexOf(a) - RECORDED_KERNELS.indexOf(b)),
    reports: [...differenceLines(compared.results, SHOWN), ...divergenceLines(replayed.results, SHOWN)],
    remarks: [
      ...problemsOf(compared, replayed).map((text) => ({ mark: '✗', name: 'not usable', text }) as const),
      ...staleRemarks(replayed),
      ...stoppedRemarks(left),
    ],
    details: ['', ...comparedLines(compared, ({ kernel }) => kernel), '', ...replayedTable(replayed), ''],
    known: [...knownImagesText(compared.results), ...knownSequencesText(replayed.results)],
    uncovered:
      undecided === 0 ? [] : [`${count(undecided)} of ${counted(compared.results.length, 'attempt')}`],
  };
}
