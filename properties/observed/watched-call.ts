import { runCall } from '../../model/call/call.ts';
import { entry } from '../../model/core/present.ts';
import { CLIENT_FUNCTIONS } from '../../model/ftrace/run/hooks.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import type { Cpu } from '../../model/text/cpu.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import type { Moment } from '../law/sequence-law.ts';
import { copyKernel } from './copy-kernel.ts';

/** Makes an action's call again, in the kernel as it was before, to examine the kernel at each body. */
export function watchBodies(
  { before, action, program }: Moment,
  look: (k: KernelView, cpu: Cpu) => void,
): void {
  if (action.do !== 'call') return;
  const k = copyKernel(before);
  const functions = Object.keys(k.functions).map((name) => knownFunction(k.functions, name));
  const watched = (name: 'body_hook' | 'replacement_hook') => ({
    atOnce: (state: Kernel, cpu: Cpu) => {
      look(state, cpu);
      entry(CLIENT_FUNCTIONS, name)(state, cpu, 0);
    },
  });
  const bodies = { body_hook: watched('body_hook'), replacement_hook: watched('replacement_hook') };
  runCall(k, functions, action, { ...program, cFunctions: { ...program.cFunctions, ...bodies } });
}
