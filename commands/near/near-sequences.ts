import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { absentCall } from '../../checker/sequences/judge-sequence.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { LISTED_BUGS, plantedIn } from '../../counterexamples/trace-file.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import type { NearSequences, SequenceSearch } from '../check/attach-search.ts';
import { lawsOf } from '../judge/judge.ts';
import { named, seedOf } from '../line/options.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { listedExamples } from './listed-examples.ts';
import type { NearLine } from './near-line.ts';

/** The sequences that others are drawn near, and a bug that their file names. */
interface Given extends NearSequences {
  readonly planted?: string | undefined;
}

/** The search that the options describe; an InputError says what is wrong with them. */
export function nearSearch(trace: NamedTrace | undefined, line: NearLine): SequenceSearch {
  const { kernel } = line;
  if (kernel !== undefined) designOf(profileNamed(kernel));
  const { planted: saved, ...near } = trace === undefined ? nearListed(kernel) : nearFile(trace, kernel);
  const planted =
    line.planted === undefined
      ? plantedIn(ATTACH_PLANTED, saved)
      : named<AttachPlanted>(line.planted, ATTACH_PLANTED, 'planted bug of sequences');
  return {
    seed: seedOf(line.seed),
    sequences: wholeNumber(line.sequences, '--sequences', 1e9, 1),
    profiles: [...new Set(near.cases.map(({ profile }) => profile))],
    near,
    ...lawsIn(near.cases, planted, line.law),
    unasked: [],
    planted,
    known: KNOWN_ATTACH,
    sites: [],
    reachesSites: false,
    printsSites: false,
  };
}

function nearListed(kernel: string | undefined): Given {
  const cases = (kernel === undefined ? KERNELS : [kernel]).flatMap(listedExamples);
  if (cases.length === 0) throw new InputError(`no bug of ${kernel} is listed`, kernel);
  return { name: LISTED_BUGS, cases };
}

function nearFile({ path, text }: NamedTrace, kernel: string | undefined): Given {
  return located(path, () => {
    if (traceKind(text) !== 'sequence')
      throw new InputError(
        'it is neither a sequence of calls nor a scenario; docs/traces.md has the form of a file',
      );
    const { cases, planted } = readOwnSequence(text);
    const asked = kernel === undefined ? cases : [{ ...cases[0], profile: kernel }];
    for (const c of asked) {
      const missing = absentCall(c);
      if (missing !== undefined) throw new InputError(`kernel ${c.profile} has no ${missing.do}()`);
    }
    return { name: shellWord(path), cases: asked, planted };
  });
}

/** Those that are named, that of the planted bug, or all that these sequences can exercise. */
function lawsIn(
  cases: readonly AttachCase[],
  planted: AttachPlanted | undefined,
  names: string | undefined,
): { readonly laws: readonly AttachLaw[]; readonly areNamed: boolean } {
  const all = [...new Set(cases.flatMap(lawsOf))];
  const laws =
    names?.split(',').map((name) => named(name.trim(), all, 'law on these sequences')) ??
    (planted === undefined ? all : [planted.law]);
  return { laws, areNamed: names !== undefined || planted !== undefined };
}
