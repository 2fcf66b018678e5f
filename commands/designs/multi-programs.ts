import type { Action } from '../../model/client/all.ts';

/** Whether a program of multi links is loaded: the actions concern links to many functions. */
export function loadsMultiProgram(actions: readonly Action[]): boolean {
  return actions.some((action) => action.do === 'BPF_PROG_LOAD' && action.program.multi);
}
