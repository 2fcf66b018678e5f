import type { Assembler } from '../../../x86/assemble.ts';
import type { Reg } from '../../../x86/register.ts';
import { RAX, RCX, RDX, RSP } from '../../../x86/register.ts';
import { compareGs, decrementGs, incrementGs } from '../../../x86/template.ts';
import { fromNumber } from '../../../x86/word.ts';
import type { Around } from './global-caller.ts';
import { START_TIME, THE_MD, TRAMP_PROG } from './global-caller.ts';
import { helpersCalled } from './helpers-called.ts';
import { NODE, PROG } from './kfunc-md-memory.ts';

/*
 * include/linux/bpf_tramp.h of the series: what __bpf_prog_enter_recur(), __bpf_prog_exit_recur(),
 * __bpf_tramp_enter() and __bpf_tramp_exit() do, inlined into the caller. Functions that are not inline in the
 * kernel are called from here instead.
 *
 * This code is counted (`checker/cost/global-code.ts`), and is in no kernel of the model: what it does to the
 * task and to the program would be no step.
 */

/** `task_struct` and `kfunc_md`: offsets that only this code uses. */
export const TASK = { BPF_CTX: 0 } as const;
export const PERCPU_REF = { COUNT_PTR: 88 } as const;

/** `struct bpf_tramp_run_ctx` is at `rsp`; its second word is the outer context. */
const SAVED_RUN_CTX = 8;

/** A static branch that is off: five bytes of nop. */
const STATIC_BRANCH = [0x0f, 0x1f, 0x44, 0x00, 0x00];

export const inlined: Around = {
  enter: (a, list, missed, sleepable) => {
    emitSleepable(a, `enter ${list}`, sleepable, () => helpersCalled.enter(a, list, missed, true));
    if (sleepable === true) return;
    a.call('__rcu_read_lock');
    a.call('migrate_disable');
    // bpf_set_run_ctx()
    a.loadGs(RCX, 'current_task');
    a.load(RAX, RCX, TASK.BPF_CTX);
    a.store(RSP, SAVED_RUN_CTX, RAX);
    a.store(RCX, TASK.BPF_CTX, RSP);
    // this_cpu_inc_return(*prog->active), which a compiler writes with xadd.
    a.load(RAX, TRAMP_PROG, NODE.PROG);
    a.load(RDX, RAX, PROG.ACTIVE);
    countUp(a, RDX);
    a.loadConstant(START_TIME, fromNumber(0), false);
    a.emit(compareGs(RDX), fromNumber(1));
    a.jumpIfNonzeroNear(missed);
    // bpf_prog_start_time(): NO_START_TIME unless statistics are on.
    a.bytes(STATIC_BRANCH);
    a.loadConstant(START_TIME, fromNumber(1), false);
    a.label(`enter ${list}, done`);
  },
  exit: (a, list, sleepable) => {
    emitSleepable(a, `exit ${list}`, sleepable, () => helpersCalled.exit(a, list, true));
    if (sleepable === true) return;
    // bpf_reset_run_ctx(), update_prog_stats(), this_cpu_dec(*prog->active)
    a.loadGs(RCX, 'current_task');
    a.load(RAX, RSP, SAVED_RUN_CTX);
    a.store(RCX, TASK.BPF_CTX, RAX);
    a.bytes(STATIC_BRANCH);
    a.load(RAX, TRAMP_PROG, NODE.PROG);
    a.load(RDX, RAX, PROG.ACTIVE);
    countDown(a, RDX);
    a.call('migrate_enable');
    a.call('__rcu_read_unlock');
    a.label(`exit ${list}, done`);
  },
  enterMd: (a) => emitRef(a, 'kfunc_md_enter', countUp),
  exitMd: (a) => emitRef(a, 'kfunc_md_exit', countDown),
};

/** The helper of sleepable programs is called; without a constant, after a test. */
function emitSleepable(a: Assembler, name: string, sleepable: boolean | undefined, helper: () => void): void {
  if (sleepable === false) return;
  if (sleepable === true) return helper();
  a.load(RAX, TRAMP_PROG, NODE.PROG);
  a.load(RAX, RAX, PROG.SLEEPABLE);
  a.test(RAX);
  a.jumpIfZeroNear(`${name}, not sleepable`);
  helper();
  a.jump(`${name}, done`);
  a.label(`${name}, not sleepable`);
}

/** percpu_ref_get() and percpu_ref_put(): `name` is called for a counter that is no longer per CPU. */
function emitRef(a: Assembler, name: string, count: typeof countUp): void {
  a.call('__rcu_read_lock');
  a.load(RAX, THE_MD, PERCPU_REF.COUNT_PTR);
  a.test(RAX);
  a.jumpIfZeroNear(`${name}, slowly`);
  count(a, RAX);
  a.label(`${name}, slowly`);
  a.call('__rcu_read_unlock');
}

/** A counter of this CPU. */
function countUp(a: Assembler, counter: Reg): void {
  a.emit(incrementGs(counter));
}

function countDown(a: Assembler, counter: Reg): void {
  a.emit(decrementGs(counter));
}
