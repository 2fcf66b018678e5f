import type { ProgId } from '../../model/core/ids.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { SaidWords } from './said.ts';
import { listed } from './said.ts';
import type { Referenced, TrampolineFinding } from './trampoline-finding.ts';

/** What is said of the trampolines of BPF programs. */
export const TRAMPOLINE_WORDS: SaidWords<TrampolineFinding> = {
  'extension-is-not-alone': ({ target, extension, programs, image }) => ({
    expected: `${target} has prog#${extension} alone`,
    observed: `${programsOf(programs, image)} is there as well`,
  }),
  'direct-call-is-jumped-to': ({ ip, target }) => ({
    expected: `the direct call of ${ip} is called: an IPMODIFY ops is there`,
    observed: target,
  }),
  'program-stands-there-twice': ({ target, programs }) => ({
    expected: `each program is on ${target} once`,
    observed: programsOf(programs, 'no program'),
  }),
  'too-many-programs': ({ target, count }) => ({
    expected: `${target} has BPF_MAX_TRAMP_LINKS programs at most`,
    observed: `it has ${count}`,
  }),
  'image-is-for-others': ({ target, programs, image }) => ({
    expected: `the image of ${target} is the one for ${programsOf(programs, 'no program')}`,
    observed:
      image === null
        ? 'there is none'
        : `${image.name} is for ${image.target} and ${programsOf(image.programs, '')}`,
  }),
  'image-does-not-call-through-the-stack': ({ target }) => ({
    expected: `the image of ${target} calls through the stack: it shares with a live patch`,
    observed: 'it does not',
  }),
  'references-differ': ({ of, expected, observed }) => ({
    expected: `${referenced(of)} has ${expected} references${of.is === 'program' ? ' beside those of its links' : ''}`,
    observed: `it has ${observed}`,
  }),
  'target-was-unloaded': ({ fn, holder }) => ({
    expected: `${fn} stays loaded: it has ${holder}`,
    observed: 'its module was unloaded',
  }),
  'link-has-no-program-of-its-kind': ({ link, prog }) => ({
    expected: `${link} has a loaded program of multi links`,
    observed: `prog#${prog} is none`,
  }),
  'link-is-twice-on-a-function': ({ link, targets }) => ({
    expected: `${link} is on each function once`,
    observed: targets.join(', '),
  }),
  'link-has-changes-left': ({ link, functions }) => ({
    expected: `${link} has nothing left to change`,
    observed: `${functions.join(', ')} is noted`,
  }),
};

function referenced(of: Referenced): string {
  switch (of.is) {
    case 'program':
      return `prog#${of.prog}`;
    case 'trampoline':
      return `the trampoline of ${of.target}`;
    case 'module':
      return of.module;
    default:
      return unreachable(of);
  }
}

/** `prog#1, prog#2`. */
export function programsOf(programs: readonly ProgId[], none: string): string {
  return listed(
    programs.map((prog) => `prog#${prog}`),
    none,
  );
}
