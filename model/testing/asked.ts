import { parseAction } from '../action-text.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import { Rig } from './attach-rig.ts';

/** A kernel with the functions f1 and f2 on which client calls were made, with the answer to each. */
export interface Asked {
  readonly rig: Rig;
  readonly answers: readonly (string | number)[];
}

/** 6.1 has the calls that take an ops under another name; theirs is that of calls by address. */
const OF_AN_OPS = /\b((?:un)?register|modify)_ftrace_direct(?=\(direct#)/g;

/** Makes client calls on a kernel, as a trace of a later kernel spells them, with `; ` between them. */
export function ask(profile: string, calls: string): Asked {
  const functions = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 -> u64')];
  const rig = new Rig(profile, functions);
  const spelled = profile === '6.1' ? calls.replace(OF_AN_OPS, '$1_ftrace_direct_multi') : calls;
  const answers = spelled.split('; ').map((call) => rig.answer(parseAction(call, { profile, functions })));
  return { rig, answers };
}
