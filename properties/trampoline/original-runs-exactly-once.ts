import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import { isDirectBranch } from '../../model/x86/sweep.ts';
import { equal, plus } from '../../model/x86/word.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import { foundAt, replacesTheOriginal, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: bit 0 the original ran, from bit 1 on the program that ended the call. */
export const originalRunsExactlyOnce: Law = {
  name: 'trampoline/original-runs-exactly-once',
  sentence:
    'The original runs exactly once, from just past its call site, and not at all if a program returned a value in its place.',
  source: 'arch/x86/net/bpf_jit_comp.c  invoke_bpf_mod_ret, orig_call',
  premise: () => true,
  witness: 'a call that reaches the original',
  inspect: entersBehindTheSite,
  on: {
    program: (memory, event, subject) =>
      replacesTheOriginal(event, subject) ? memory | (event.number << 1) : memory,
    original: (memory, event, subject) => {
      if (memory === 0) return 1;
      if (memory === 1) return foundAt(event, { is: 'original-runs-again' });
      const stopper = toldProgram(subject, memory >> 1);
      return foundAt(event, { is: 'original-runs-all-the-same', stopper });
    },
  },
  conclude: (memory) => (memory === 0 ? { finding: { is: 'original-does-not-run' } } : undefined),
};

/** A direct branch into the traced function may only target the instruction past its call site. */
function entersBehindTheSite(subject: Subject): FoundInImage | undefined {
  const { traced } = subject.addresses;
  const behind = siteOffset(subject.entry.ibt) + SITE_BYTES;
  for (const { at: address, target } of subject.swept.filter(isDirectBranch)) {
    const offset = (target.lo - traced.lo) | 0;
    if (target.hi !== traced.hi || offset < 0 || offset >= 64 || equal(target, plus(traced, behind)))
      continue;
    const finding = { is: 'original-is-entered-elsewhere', expected: behind, observed: offset } as const;
    return { finding, at: address };
  }
  return undefined;
}
