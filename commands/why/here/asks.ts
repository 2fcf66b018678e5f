import type { RefusedStep } from '../../../checker/why/refusal.ts';
import { playAll, refusalAt } from '../../../checker/why/refusal.ts';
import { smallestUndo } from '../../../checker/why/undo.ts';
import { printAction } from '../../../model/action-text.ts';
import type { Action } from '../../../model/client/all.ts';
import type { Errno } from '../../../model/core/errno.ts';
import type { RecordedVersion } from '../../../model/core/profile.ts';
import { KERNEL_PROGRAM } from '../../../model/step.ts';
import type { RunningMachine } from './machine.ts';
import type { Rebuilt } from './rebuilt.ts';
import { actionsOf, attachAll, bootOf } from './rebuilt.ts';

/** A new client of the function, and the answer that it would get. */
export interface NewClient {
  /** `a direct call of a module`. */
  readonly client: string;
  /** Its last call, or the refused one. */
  readonly call: string;
  readonly errno: Errno | 0;
  /** The return site that refuses it; undefined: none does, or one outside of the model. */
  readonly refusal: RefusedStep | undefined;
  /** The answer is not of the model: why it is what it is, and the kernel's function. */
  readonly outside: { readonly why: string; readonly place: string } | undefined;
  /** What has to be taken off so that it is accepted; undefined: nothing that is known does. */
  readonly detach: readonly string[] | undefined;
}

/** Objects of new clients have numbers that no holder has. */
const N = 900;

/** The calls of every new client: the last of them attaches. */
function callsOf(
  kernel: RecordedVersion,
  fn: string,
): readonly (readonly [client: string, calls: readonly string[]])[] {
  const ops = (flags: string) => [
    `ops#${N} = ftrace_ops(${flags})`,
    `ftrace_set_filter_ip(ops#${N}, ${fn})`,
    `register_ftrace_function(ops#${N})`,
  ];
  const link = (kind: string, targets: string) => [
    `prog#${N} = BPF_PROG_LOAD(${kind})`,
    `link#${N} = BPF_LINK_CREATE(prog#${N}${targets})`,
  ];
  const multi = kernel === '6.1' ? '_multi' : '';
  return [
    ['a BPF program, fentry', link(`fentry, ${fn}`, '')],
    [
      'a direct call of a module',
      [`ftrace_set_filter_ip(direct#${N}, ${fn})`, `register_ftrace_direct${multi}(direct#${N}, my_tramp3)`],
    ],
    ['a kprobe', [`register_kprobe(kprobe#${N}, ${fn})`]],
    ['a kprobe with a post_handler', [`register_kprobe(kprobe#${N}, ${fn}, post_handler)`]],
    ['a BPF program, kprobe.multi', link('kprobe.multi entry', `, { ${fn} }`)],
    [LIVE_PATCH, ops('IPMODIFY | PERMANENT')],
    ['another ftrace_ops with IPMODIFY', ops('SAVE_REGS | IPMODIFY')],
  ];
}

const LIVE_PATCH = 'a live patch';

/** The answers of the model, client by client; `calls` bounds an undo. */
export function newClients(machine: RunningMachine, state: Rebuilt, calls: number): NewClient[] {
  return callsOf(machine.kernel, state.fn).map(([client, own]) => {
    const outside = client === LIVE_PATCH ? ofLivePatches(machine, own.at(-1) ?? '') : undefined;
    return outside ?? asked(state, client, own, calls);
  });
}

/**
 * klp has rules of its own, which the model does not: one transition at a time, and one ops for all patches of a function,
 * so that a second one is no call of ftrace.
 */
function ofLivePatches({ patches }: RunningMachine, call: string): NewClient | undefined {
  const changing = patches.find(({ isInTransition }) => isInTransition);
  const asked = { client: LIVE_PATCH, call, refusal: undefined };
  if (changing !== undefined)
    return {
      ...asked,
      errno: 'EBUSY',
      outside: {
        why: `live patch ${changing.name} is in transition, and one is at a time`,
        place: 'kernel/livepatch/core.c  __klp_enable_patch',
      },
      detach: [`wait until /sys/kernel/livepatch/${changing.name}/transition is 0`],
    };
  const own = patches.filter(({ isOnFunction }) => isOnFunction);
  if (own.length === 0) return undefined;
  const why = 'klp adds it to the ops that it has on the function, without a call of ftrace';
  return {
    ...asked,
    errno: 0,
    outside: { why, place: 'kernel/livepatch/patch.c  klp_patch_func' },
    detach: [],
  };
}

function asked(state: Rebuilt, client: string, calls: readonly string[], undoCalls: number): NewClient {
  const { actions: history } = state.case;
  const c = { ...state.case, actions: [...history, ...actionsOf(calls, state.case)] };
  const played = playAll(c, KERNEL_PROGRAM);
  const index = played.findIndex(({ outcome }, i) => i >= history.length && outcome.errno !== 0);
  if (index < 0)
    return { client, call: calls.at(-1) ?? '', errno: 0, refusal: undefined, outside: undefined, detach: [] };
  const refusal = refusalAt(played, index, KERNEL_PROGRAM);
  return {
    client,
    call: calls[index - history.length] ?? '',
    errno: refusal.errno,
    refusal,
    outside: undefined,
    detach: undone(state, c.actions.slice(0, index), refusal, undoCalls) ?? without(state, calls),
  };
}

/** Holders of which a search through all lists of inverse calls is soon done. */
const HOLDERS_SEARCHED = 8;

/** The fewest inverse calls, as the machine's user makes them. */
function undone(
  { case: c, holders }: Rebuilt,
  history: readonly Action[],
  refusal: RefusedStep,
  calls: number,
): string[] | undefined {
  const most = holders.length > HOLDERS_SEARCHED ? 1 : calls;
  const { found } = smallestUndo(refusal, history, KERNEL_PROGRAM, most);
  return found?.map((action) => {
    const call = printAction(action, c);
    const objects: readonly string[] = call.match(/[a-z]+#\d+/g) ?? [];
    const holder = holders.find(({ calls }) =>
      objects.some((object) => calls.some((own) => isOf(own, object))),
    );
    return holder?.detach ?? call;
  });
}

function isOf(call: string, object: string): boolean {
  return new RegExp(`(?<![\\w.])${object}(?!\\d)`).test(call);
}

/** Holders without which the state accepts the calls, none of which can stay; undefined: it never does. */
function without({ case: c, holders }: Rebuilt, calls: readonly string[]): string[] | undefined {
  const client = { words: '', detach: '', calls };
  const accepts = (kept: typeof holders) =>
    attachAll(attachAll(bootOf(c), kept, c).k, [client], c).left.length === 0;
  if (!accepts([])) return undefined;
  const kept: (typeof holders)[number][] = [];
  for (const holder of holders) if (accepts([...kept, holder])) kept.push(holder);
  return holders.filter((holder) => !kept.includes(holder)).map(({ detach }) => detach);
}
