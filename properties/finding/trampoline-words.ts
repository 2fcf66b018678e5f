import type { ProgId } from '../../model/core/ids.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { SaidWords } from './said.ts';
import { listed } from './said.ts';
import type { Referenced, TrampolineFinding } from './trampoline-finding.ts';

/** The words for trampolines of BPF programs. */
export const TRAMPOLINE_WORDS: SaidWords<TrampolineFinding> = {
  'extension-is-not-alone': ({ target, extension, programs, image }) => ({
    expected: `only prog#${extension} is attached to ${target}`,
    observed: `${programsOf(programs, image)} is present as well`,
  }),
  'program-does-not-fit': ({ who, what, fn }) => ({
    expected: `${fn} is on the kernel's list for ${what} programs`,
    observed: `it is not, and ${who} is attached to it`,
  }),
  'program-returns-a-value': ({ who, returns }) => ({
    expected: `${who} returns 0`,
    observed: `it returns ${returns}`,
  }),
  'hook-returns-a-value': ({ who, fn, returns }) => ({
    expected: `${who} returns what the hook ${fn} may`,
    observed: `it returns ${returns}`,
  }),
  'direct-call-is-jumped-to': ({ ip, target }) => ({
    expected: `the direct call of ${ip} is entered by a call: an IPMODIFY ops traces it`,
    observed: target,
  }),
  'program-stands-there-twice': ({ target, programs }) => ({
    expected: `each program is attached to ${target} once`,
    observed: programsOf(programs, 'no program'),
  }),
  'too-many-programs': ({ target, calls }) => ({
    expected: `the image of ${target} calls programs at BPF_MAX_TRAMP_LINKS places at most`,
    observed: `it does at ${calls}`,
  }),
  'image-is-for-others': ({ target, programs, image }) => ({
    expected: `the image of ${target} is generated for ${programsOf(programs, 'no program')}`,
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
    expected: `${referenced(of)} has ${expected} references${of.is === 'program' ? ', not counting its links' : ''}`,
    observed: `it has ${observed}`,
  }),
  'target-was-unloaded': ({ fn, holder }) => ({
    expected: `${fn} stays loaded: it has ${holder}`,
    observed: 'its module was unloaded',
  }),
  'link-has-no-program-of-its-kind': ({ link, prog }) => ({
    expected: `${link} has a loaded program of multi links`,
    observed: `prog#${prog} is not one`,
  }),
  'link-is-twice-on-a-function': ({ link, targets }) => ({
    expected: `${link} is on each function once`,
    observed: targets.join(', '),
  }),
  'link-has-changes-left': ({ link, functions }) => ({
    expected: `${link} has no change pending`,
    observed: `${functions.join(', ')} pending`,
  }),
};

function referenced(of: Referenced): string {
  switch (of.is) {
    case 'program':
      return `prog#${of.prog}`;
    case 'trampoline':
      return `the trampoline of ${of.target}`;
    case 'shim':
      return `the shim of ${of.hook}`;
    case 'dispatched program':
      return `prog#${of.prog} in the dispatcher`;
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
