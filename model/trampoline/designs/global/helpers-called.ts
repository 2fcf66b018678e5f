import type { Assembler } from '../../../x86/assemble.ts';
import { RAX, RDI, RDX, RSI, RSP } from '../../../x86/register.ts';
import type { Around } from './global-caller.ts';
import { START_TIME, THE_MD, TRAMP_PROG } from './global-caller.ts';
import { NODE, PROG } from './kfunc-md-memory.ts';

/** The helpers are called: what they do is a step of the kernel. */
export const helpersCalled: Around = {
  enter: (a, list, missed, sleepable) => {
    emitHelper(a, `enter ${list}`, '__bpf_prog_enter_recur', '__bpf_prog_enter_sleepable_recur', sleepable);
    a.mov(START_TIME, RAX);
    a.test(RAX);
    a.jumpIfZeroNear(missed);
  },
  exit: (a, list, sleepable) =>
    emitHelper(a, `exit ${list}`, '__bpf_prog_exit_recur', '__bpf_prog_exit_sleepable_recur', sleepable),
  enterMd: (a) => {
    a.mov(RDI, THE_MD);
    a.call('kfunc_md_enter');
  },
  exitMd: (a) => {
    a.mov(RDI, THE_MD);
    a.call('kfunc_md_exit');
  },
};

/** Enters or leaves the program, with the helper for sleepable programs or the other one. */
function emitHelper(
  a: Assembler,
  name: string,
  plain: string,
  whenSleepable: string,
  sleepable: boolean | undefined,
): void {
  a.load(RDI, TRAMP_PROG, NODE.PROG);
  a.mov(RSI, name.startsWith('enter') ? RSP : START_TIME);
  if (!name.startsWith('enter')) a.mov(RDX, RSP);
  if (sleepable !== undefined) return a.call(sleepable ? whenSleepable : plain);
  a.load(RAX, RDI, PROG.SLEEPABLE);
  a.test(RAX);
  a.jumpIfNonzeroNear(`${name}, sleepable`);
  a.call(plain);
  a.jump(`${name}, done`);
  a.label(`${name}, sleepable`);
  a.call(whenSleepable);
  a.label(`${name}, done`);
}
