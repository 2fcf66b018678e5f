import { linkMulti, loadMulti } from '../../checker/interleavings/family-multi.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { last } from '../../model/core/present.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { directCall, registerDirect } from '../../properties/planted/interleavings/scenarios.ts';
import { attached, F1, F2 } from '../../properties/planted/sequences/actions.ts';

/** The outcome of a multi link of an exit program to one function. */
export interface MadeOfDesign {
  /** It is attached. */
  readonly isTaken: boolean;
  /** There is an image. */
  readonly image: boolean;
}

/** What a kernel generates for a multi link to a function of a type. */
export function whatIsMade(profile: string, signature: string): MadeOfDesign {
  const actions = [loadMulti(1, 'fexit'), linkMulti(1, 'f1')];
  const functions = [tracedFunction('f1', 1, signature)];
  const { outcome, after } = last(stepsOf({ profile, functions, actions }));
  return {
    isTaken: outcome.errno === 0,
    image: Object.keys(after.bpf.images).length > 0,
  };
}

/**
 * Whether a multi link's programs are in images that are generated for one function, if only together with a
 * single program.
 */
export function hasImagesOfFunctions(profile: string): boolean {
  const multi = [loadMulti(2, 'fexit'), linkMulti(2, 'f1')];
  return [multi, [...attached('fentry'), ...multi]].some((actions) => {
    const { outcome, after } = last(stepsOf({ profile, functions: [F1], actions }));
    const { curImage = '', imageWords } = after.bpf.trampolines['f1'] ?? {};
    return outcome.errno === 0 && curImage !== '' && imageWords === undefined;
  });
}

/** Whether two multi links can share a function. */
export function takesTwoLinks(profile: string): boolean {
  const actions = [loadMulti(1, 'fentry'), loadMulti(2, 'fentry'), linkMulti(1, 'f1'), linkMulti(2, 'f1')];
  return stepsOf({ profile, functions: [F1], actions }).every(({ outcome }) => outcome.errno === 0);
}

/**
 * Whether a multi link attaches to a function that has a client's direct call: as the first, or as one that is taken
 * to be for the functions of another link (the same number, with the same beginning).
 */
export function meetsADirectCall(profile: string): boolean {
  const other = [loadMulti(2, 'fentry'), linkMulti(2, 'f1+f2')];
  const direct = (ip: string) => [...directCall(1, ip), registerDirect(1), loadMulti(1, 'fentry')];
  return [
    [...direct('f1'), linkMulti(1, 'f1')],
    [...other, ...direct('f3'), linkMulti(1, 'f1+f3')],
  ].some((actions) =>
    stepsOf({ profile, functions: [F1, F2, F3], actions }).every(({ outcome }) => outcome.errno === 0),
  );
}

const F3 = tracedFunction('f3', 3, 'u64 -> u64');
