import type { AttachCase } from '../../../checker/sequences/attach-case.ts';
import { declares, readAnswered } from '../../../counterexamples/sequences/attach-trace.ts';
import type { Action } from '../../../model/client/all.ts';
import { InputError } from '../../../model/core/input-error.ts';
import { FTRACE_FL_DIRECT, FTRACE_FL_IPMODIFY, has } from '../../../model/ftrace/record.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { bootKernel } from '../../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../../model/step.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { nestingOf } from '../../../model/trampoline/traced-function.ts';
import { copyKernel } from '../../../properties/observed/copy-kernel.ts';
import type { Holder } from './holders.ts';
import { holdersOf } from './holders.ts';
import type { KernelFunction, RunningMachine } from './machine.ts';

/** The state of a machine's function in the model. */
export interface Rebuilt {
  /** The function, and the calls that attach what holds it. */
  readonly case: AttachCase;
  readonly fn: string;
  /** Those that are attached in the model, each with its actions, in the order of the case. */
  readonly holders: readonly Holder[];
  /** Sentences on what is not known, assumed, or cannot be rebuilt. */
  readonly notes: readonly string[];
}

/** The types of the function are not read: no answer about its call site depends on them. */
const TYPES = 'u64 -> u64';

/** The function as the model declares it: under its own name, if that is none of the model's. */
export function declaredIn({ name, module }: KernelFunction): TracedFunction {
  const functions: TracedFunction[] = [];
  const isHook = module === '' && name.startsWith('bpf_lsm_');
  const line = (own: string) =>
    `${own}${module === '' ? '' : ` [${module}]`} = function(${isHook ? 'u64 -> s32) lsm' : `${TYPES})`}`;
  try {
    if (nestingOf(name) !== 'none' || !declares({ functions }, line(name)))
      declares({ functions }, line('f1'));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    declares({ functions }, line('f1'));
  }
  const [fn] = functions;
  if (fn === undefined) throw new Error(`the model has no declaration of ${name}`);
  return fn;
}

/** Attaches in the model what holds the function on the machine. */
export function rebuilt(machine: RunningMachine): Rebuilt {
  const fn = declaredIn(machine.fn);
  const held = holdersOf(machine, fn.name);
  const boot = { profile: machine.kernel, functions: [fn] };
  const named = attachAll(bootOf(boot), held.holders, boot);
  const others = unnamedOps(machine, named.k, fn.name);
  const all = attachAll(named.k, others.holders, boot);
  const actions = [...named.actions, ...all.actions];
  const off = machine.isFtraceOff ? actionsOf(['sysctl kernel.ftrace_enabled=0'], boot) : [];
  return {
    case: { ...boot, actions: [...actions, ...off] },
    fn: fn.name,
    holders: [...named.holders, ...all.holders],
    notes: [
      ...held.notes,
      ...others.notes,
      ...[...named.left, ...all.left].map(
        ({ words, answer }) => `${words} cannot be rebuilt in ${machine.kernel}: ${answer}`,
      ),
      ...differences(machine, all.k, fn.name),
    ],
  };
}

type Boot = Pick<AttachCase, 'profile' | 'functions'>;

/** A kernel of the model that has just booted, with the function. */
export function bootOf({ profile, functions }: Boot): Kernel {
  return bootKernel({ profile, boot: 'default', functions, tracepoints: [] });
}

/** Calls in the language of traces as actions. */
export function actionsOf(calls: readonly string[], boot: Boot): Action[] {
  return calls.map((call) => readAnswered(call, boot).action);
}

interface Attached {
  readonly k: Kernel;
  readonly holders: readonly Holder[];
  readonly actions: readonly Action[];
  /** Those that no order attaches, with the answer that refuses them. */
  readonly left: readonly { readonly words: string; readonly answer: string }[];
}

/** One after the other; a refused one again after the others, since the order on the machine is not known. */
export function attachAll(k: Kernel, holders: readonly Holder[], boot: Boot): Attached {
  const done: { holder: Holder; actions: readonly Action[] }[] = [];
  let state = k;
  let pending = holders.map((holder) => ({ holder, answer: '' }));
  for (let before = -1; before !== pending.length; ) {
    before = pending.length;
    const refused: typeof pending = [];
    for (const { holder } of pending) {
      const actions = actionsOf(holder.calls, boot);
      const next = attachOne(state, actions, holder);
      if (typeof next === 'string') refused.push({ holder, answer: next });
      else {
        state = next;
        done.push({ holder, actions });
      }
    }
    pending = refused;
  }
  return {
    k: state,
    holders: done.map(({ holder }) => holder),
    actions: done.flatMap(({ actions }) => actions),
    left: pending.map(({ holder: { words }, answer }) => ({ words, answer })),
  };
}

/** The kernel after all of the actions; or the call that is refused, and its answer. */
function attachOne(before: Kernel, actions: readonly Action[], { calls }: Holder): Kernel | string {
  const k = copyKernel(before);
  for (const [i, action] of actions.entries()) {
    const { errno, died } = apply(k, action, KERNEL_PROGRAM);
    if (errno !== 0 || died !== undefined)
      return `${calls[i]} ${errno === 0 ? 'crashes it' : `answers ${errno}`}`;
  }
  return k;
}

/** Handlers of ops that the other files name: of kprobes, live patches, direct calls, fprobes. */
const NAMED = [
  'kprobe_ftrace_handler',
  'klp_ftrace_handler',
  'call_direct_funcs',
  'fprobe_handler',
  'fprobe_kprobe_handler',
  'fprobe_ftrace_entry',
];

/** Ops that enabled_functions counts beyond the named ones, as ops with handlers; one that the flag I is of, if no named one is. */
function unnamedOps({ enabled }: RunningMachine, k: Kernel, fn: string): Pick<Rebuilt, 'holders' | 'notes'> {
  const record = k.ftrace.records[fn];
  if (enabled === undefined || record === undefined) return { holders: [], notes: [] };
  const count = Math.max(0, enabled.ops - record.count);
  const lacksI = enabled.flags.includes('I') && !has(record, FTRACE_FL_IPMODIFY);
  const handlers = enabled.handlers.filter((handler) => !NAMED.includes(handler) || record.count === 0);
  const saves = enabled.flags.includes('R') ? ['SAVE_REGS'] : [];
  const holders = Array.from({ length: count }, (_, i): Holder => {
    const handler = handlers[i];
    const changes = i === 0 && lacksI;
    const flags = [...saves, ...(changes ? ['IPMODIFY'] : [])].join(' | ');
    const what = `ftrace_ops ${handler === undefined ? 'whose handler is not known' : `with the handler ${handler}`}`;
    const ops = `ops#${i + 2}`;
    return {
      words: `an ${what}${changes ? ', IPMODIFY' : ''}`,
      detach: `unregister the ${what}`,
      calls: [
        `${ops} = ftrace_ops(${flags})`,
        `ftrace_set_filter_ip(${ops}, ${fn})`,
        `register_ftrace_function(${ops})`,
      ],
    };
  });
  const hidden = holders.length - Math.min(holders.length, handlers.length);
  const notes =
    hidden > 0 && !lacksI
      ? [
          'enabled_functions names no handlers where several ops trace a function: those that no other file has are taken for ops that share it with all',
        ]
      : [];
  return { holders, notes };
}

/** Where the line of the machine is not the one that the model has. */
function differences({ enabled, isFtraceOff, kernel }: RunningMachine, k: Kernel, fn: string): string[] {
  const record = k.ftrace.records[fn];
  if (isFtraceOff)
    return ['kernel.ftrace_enabled is 0: enabled_functions is empty, so direct calls and ops are not known'];
  if (record === undefined) return [];
  const own = `${record.count}${has(record, FTRACE_FL_IPMODIFY) ? ' I' : ''}${has(record, FTRACE_FL_DIRECT) ? ' D' : ''}`;
  const flags = ['I', 'D'].filter((flag) => enabled?.flags.includes(flag)).map((flag) => ` ${flag}`);
  const its = `${enabled?.ops ?? 0}${flags.join('')}`;
  return own === its
    ? []
    : [
        `the rebuilt state differs: ops and flags of the machine are ${its}, in ${kernel} of the model ${own}; its answers may differ as well`,
      ];
}
