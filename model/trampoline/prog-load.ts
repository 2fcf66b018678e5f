import type { Errno } from '../core/errno.ts';
import { fixedKeys } from '../core/fixed-keys.ts';
import type { FunctionName, ProgId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry, item, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { isThere, modulePut, tryModuleGet } from '../text/module.ts';
import type { Word } from '../x86/word.ts';
import type { Target } from './attach.ts';
import { keepSinglesOff } from './designs/keep-singles-off.ts';
import type { Loaded } from './load.ts';
import { refuseBody, refuseByLists, refuseKind, refuseProbe } from './load.ts';
import type { BpfProgram } from './program.ts';
import { hasTargetAtLoad } from './program.ts';
import { functionsHeld } from './release.ts';
import { targetFor } from './target.ts';
import { bpfTrampolineGet, bpfTrampolinePut } from './trampoline.ts';
import type { BpfProg, BpfView, BpfWorld } from './world.ts';

/*
 * The system call bpf(BPF_PROG_LOAD), kernel/bpf/syscall.c and kernel/bpf/verifier.c. It takes the references that later
 * calls rely on: on the trampoline of the target, and since 6.x on its module.
 */

/** BPF_PROG_LOAD as the model sees it; `probe` for programs without a trampoline. */
interface LoadArgs {
  prog: ProgId;
  program: BpfProgram;
  target: FunctionName;
  btf?: string;
  probe: BpfProg['probe'];
  returns: Word;
  /** The target's module is held. */
  held?: boolean;
}

/**
 * bpf_prog_load(), and the verifier's checks of the target. It takes a reference on the target's trampoline
 * (`dst_trampoline`), which the first link takes over; a program that is never linked drops it when it is freed.
 *
 */
export const bpfProgLoad = routine<BpfWorld, LoadArgs>('bpf_prog_load', (words) => {
  const { refuse, refuseWith, step, when, finish, attempt } = words;
  return [
    refuse('EINVAL', 'the verifier refuses the kprobe program', isNoProbe),
    when('it is for kprobe.multi, or a tracepoint', (_, { probe }) => probe !== '', [
      step('keep the program', keep),
    ]),
    finish('it is for kprobe.multi, or a tracepoint', (_, { probe }) => probe !== ''),
    refuse('EINVAL', 'there is no such function', isUnknown),
    refuse('EINVAL', 'the module of its BTF is gone', isRefusedFirst),
    refuseWith(
      ['EINVAL', 'EOPNOTSUPP', 'EACCES'],
      'the verifier refuses the program for its target',
      by(refuseKind),
    ),
    refuse('ENOENT', 'kallsyms does not have the function', isGone),
    when('the program holds the module', (k, locals) => functionsHeld(k, locals).length > 0, [
      step('remember tgt_mod', (k, locals) => {
        locals.held = tryModuleGet(k, functionsHeld(k, locals));
      }),
      refuse('ENOENT', 'its module is going', (_, { held }) => held === false),
    ]),
    attempt(
      [
        refuseWith(['EINVAL'], 'its target is on a list, or on none', by(refuseByLists)),
        when('it has a target', (_, { program }) => !program.multi, getTrampoline(words)),
      ],
      [
        when('the program holds the module', (k, locals) => functionsHeld(k, locals).length > 0, [
          step('put tgt_mod', (k, locals) => modulePut(k, functionsHeld(k, locals))),
        ]),
      ],
    ),
    step('keep the program', keep),
  ];
});

function isNoProbe(k: BpfView, { probe, program, returns }: LoadArgs): boolean {
  return probe !== '' && refuseProbe(profileNamed(k.profile), probe, { ...program, returns }) !== undefined;
}

function isRefusedFirst(k: BpfView, locals: LoadArgs): boolean {
  return (
    profileNamed(k.profile).goneModule === 'refused first' && (isGone(k, locals) || isBtfGone(k, locals))
  );
}

function isUnknown(k: BpfView, { target, program }: LoadArgs): boolean {
  return hasTargetAtLoad(program) && k.functions[target] === undefined;
}

/** The BTF of a module outlives it as long as a program or a process has it open. */
function isGone(k: BpfView, { target, program }: LoadArgs): boolean {
  return hasTargetAtLoad(program) && !isThere(k, target);
}

function isBtfGone(k: BpfView, { btf }: LoadArgs): boolean {
  return btf !== undefined && !entry(k.text.modules, btf).functions.every((fn) => isThere(k, fn));
}

/**
 * check_attach_btf_id(): the verifier takes the reference (`prog->aux->dst_trampoline`), and then checks the
 * instructions. The reference of a program that it refuses is dropped with the program, in the background there.
 */
function getTrampoline(words: RoutineWords<BpfWorld, LoadArgs>): Part[] {
  const { call, attempt, refuseWith } = words;
  return [
    keepSinglesOff(words, 'get', (_, { target }) => target),
    call(bpfTrampolineGet, (_, { target }) => ({ target })),
    attempt(
      [
        refuseWith(
          ['EINVAL', 'EACCES', 'ENOTSUPP'],
          'the verifier refuses what the program does',
          by(refuseBody),
        ),
      ],
      [call(bpfTrampolinePut, (_, { target }) => ({ target }))],
    ),
  ];
}

/** A check of the program for its target. One without a target is checked with any function: no check depends on it. */
function by(refuse: (target: Target, program: Loaded) => Errno | undefined) {
  return (k: BpfView, { program, target, btf, returns }: LoadArgs): Errno | undefined => {
    const checked = hasTargetAtLoad(program) ? target : anyFunction(k);
    const inModule = btf !== undefined;
    return refuse(present(targetFor(k, checked), checked), { ...program, inModule, returns });
  };
}

/** A function to check a program against that has no target. */
function anyFunction(k: BpfView): string {
  return item(fixedKeys(k.functions), 0);
}

/** The program with its file descriptor: one reference. */
function keep(k: BpfWorld, { prog, program, target, btf, probe, returns }: LoadArgs): void {
  k.bpf.progs[prog] = {
    program,
    target: hasTargetAtLoad(program) ? target : '',
    ...(btf === undefined ? {} : { btf }),
    probe,
    returns,
    dstTrampoline: probe === '' && !program.multi,
    open: true,
    refs: 1,
    trampLinked: false,
    freed: false,
    active: 0,
    misses: 0,
  };
}
