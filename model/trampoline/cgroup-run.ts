import type { FunctionName, ProgId } from '../core/ids.ts';
import { present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import { RAX, RSI } from '../x86/register.ts';
import { ZERO } from '../x86/word.ts';
import { runProgram } from './bpf-functions.ts';
import { programInMemory } from './in-memory.ts';
import { CGROUP_DENIES, CGROUP_RUN } from './program.ts';
import { knownFunction } from './traced-function.ts';
import type { BpfView, BpfWorld } from './world.ts';
import { cgroupOf, programOfInsns } from './world.ts';

/** A shim between its steps. */
interface AtShim {
  cpu: Cpu;
  hook?: FunctionName;
  prog?: ProgId;
  denied?: boolean;
}

/**
 * __cgroup_bpf_run_lsm_current() and bpf_prog_run_array_cg(), kernel/bpf/cgroup.c: all programs run, whatever they
 * answer, and one that answers 0 denies. The array is read once, in a section of RCU of its own inside that of
 * __bpf_prog_enter(). `current->bpf_ctx` is not set here: no program for cgroups can ask for a cookie.
 */
const cgroupBpfRunLsmCurrent = routine<BpfWorld, AtShim>(CGROUP_RUN, ({ step, each }) => [
  step('rcu_read_lock, migrate_disable', (k, locals) => {
    const shim = programInMemory(k, programOfInsns(locals.cpu.register(RSI)), CGROUP_RUN);
    locals.hook = shim.target;
    locals.denied = false;
    k.current.rcu++;
    k.current.migrateOff++;
  }),
  each(
    'an effective program',
    (k, { hook = '' }) => cgroupOf(k).effective[hook] ?? [],
    (locals, prog) => {
      locals.prog = prog;
    },
    [
      step('bpf_prog_run', (k, locals) => {
        const prog = present(locals.prog, 'program');
        const { lo } = programInMemory(k, prog, CGROUP_RUN).returns;
        runProgram(k, locals.cpu, prog);
        if (lo === 0 && returnsErrno(k, locals.hook)) locals.denied = true;
      }),
    ],
  ),
  step('migrate_enable, rcu_read_unlock', ({ current }, { cpu, denied }) => {
    current.migrateOff--;
    current.rcu--;
    cpu.setRegister(RAX, denied === true ? CGROUP_DENIES : ZERO);
  }),
]);

/** cgroup_bpf_hook_returns_errno() (7.2); before, a hook that answers 0 or 1 is denied with an errno too. */
function returnsErrno(k: BpfView, hook = ''): boolean {
  const { listing } = knownFunction(k.functions, hook);
  return listing !== 'bool_lsm' || !profileNamed(k.profile).cgroupKnowsBoolHooks;
}

export const CGROUP_ROUTINES = [cgroupBpfRunLsmCurrent];

/** Called by an image with a shim. */
export const CGROUP_FUNCTIONS: CFunctions<BpfWorld> = {
  [CGROUP_RUN]: { routine: CGROUP_RUN, give: (_, cpu) => ({ cpu }) },
};
