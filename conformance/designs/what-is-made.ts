import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { stepsOf } from '../../properties/attach/run-sequence.ts';
import { linkMulti, loadMulti } from '../../properties/explore/family-multi.ts';
import { F1 } from '../../properties/planted/attach-actions.ts';
import { directCall, registerDirect } from '../../properties/planted/task-scenarios.ts';

/** What a multi link of an exit program to one function comes to. */
export interface Made {
  /** It is attached. */
  readonly isTaken: boolean;
  /** There is an image, and one that is the function's own. */
  readonly image: boolean;
  readonly ownImage: boolean;
}

/** What a kernel makes for a multi link to a function of a type. */
export function whatIsMade(profile: string, signature: string): Made {
  const actions = [loadMulti(1, 'fexit'), linkMulti(1, 'f1')];
  const functions = [tracedFunction('f1', 1, signature)];
  const { outcome, after } = stepsOf({ profile, functions, actions }).at(-1)!;
  const { images, trampolines } = after.bpf;
  return {
    isTaken: outcome.errno === 0,
    image: Object.keys(images).length > 0,
    ownImage: (trampolines['f1']?.curImage ?? '') !== '',
  };
}

/** Whether two multi links can have one function. */
export function takesTwoLinks(profile: string): boolean {
  const actions = [loadMulti(1, 'fentry'), loadMulti(2, 'fentry'), linkMulti(1, 'f1'), linkMulti(2, 'f1')];
  return stepsOf({ profile, functions: [F1], actions }).every(({ outcome }) => outcome.errno === 0);
}

/** Whether a multi link takes a function that has a direct call of a client. */
export function meetsADirectCall(profile: string): boolean {
  const actions = [...directCall(1), registerDirect(1), loadMulti(1, 'fentry'), linkMulti(1, 'f1')];
  return stepsOf({ profile, functions: [F1], actions }).every(({ outcome }) => outcome.errno === 0);
}
