import type { OpsId } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { fails } from '../core/world.ts';
import type { Poke } from '../text/poke.ts';
import { textPokeBpBatch } from '../text/poke.ts';
import { addressOf, branchBytes } from '../text/space.ts';
import { allocatePage, freePage } from '../text/text.ts';
import { plus } from '../x86/word.ts';
import { opsInnerCallOffset, opsTrampoline } from './entry/ops-trampoline.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ALLOC_TRAMP,
  FTRACE_OPS_FL_SAVE_REGS,
  ftraceOpsGetFunc,
  opsHas,
  opsOf,
  opsPointer,
} from './ops.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

interface UpdateArgs {
  ops: OpsId;
}

/**
 * arch_ftrace_update_trampoline(), from __register_ftrace_function(). A static ops keeps its page when it is
 * unregistered: the call of its handler is poked again, under tasks that may still be there, although it is the same.
 */
export const archFtraceUpdateTrampoline = routine<FtraceWorld, UpdateArgs, UpdateArgs & { poke: Poke }>(
  'arch_ftrace_update_trampoline',
  ({ when, holding, step, call }) => [
    when(
      'the page was allocated for the ops',
      hasOwnPage,
      [
        holding('text_mutex', [
          step('find the call in the page', findCall),
          call(textPokeBpBatch, (_, { poke }) => ({ pokes: [poke] })),
        ]),
      ],
      [step('create the trampoline', (k, { ops }) => createTrampoline(k, ops))],
    ),
  ],
);

/** From now on a task may be stopped at the call: no other actor can make a difference there before. */
function findCall(k: FtraceWorld, locals: UpdateArgs & { poke: Poke }): void {
  const ops = opsOf(k, locals.ops);
  const offset = opsInnerCallOffset(opsHas(k, locals, FTRACE_OPS_FL_SAVE_REGS));
  const from = plus(addressOf(k, ops.trampoline), offset);
  const to = branchBytes('e8', from, addressOf(k, ftraceOpsGetFunc(ops)));
  entry(k.text.pages, ops.trampoline).patchable = [offset];
  locals.poke = { place: { kind: 'page', name: ops.trampoline, offset }, to };
}

/**
 * create_trampoline(): an ops without a trampoline gets a copy of the entry code that calls its handler. Without
 * memory for it the ops is traced through the shared entry code.
 */
function createTrampoline(k: FtraceWorld, name: OpsId): void {
  const ops = ensureOps(k, name);
  if (ops.trampoline !== '') return;
  if (ops.func === '') throw new Oops({ is: 'ops without func', ops: name });
  const page = `${name}.trampoline`;
  if (fails(k, 'allocation', 'arch_ftrace_update_trampoline')) return;
  allocatePage(k, page, '');
  const regs = (ops.flags & FTRACE_OPS_FL_SAVE_REGS) !== 0;
  entry(k.text.pages, page).bytes = opsTrampoline(
    regs,
    addressOf(k, page),
    addressOf(k, ftraceOpsGetFunc(ops)),
    opsPointer(k, name),
  );
  ops.trampoline = page;
  ops.flags |= FTRACE_OPS_FL_ALLOC_TRAMP;
}

/**
 * ftrace_trampoline_free(), kernel/trace/ftrace.c: only what was allocated for the ops. Its symbol leaves kallsyms
 * first, whose readers are waited for (ftrace_remove_trampoline_from_kallsyms()); that wait also covers a walk of
 * the list that is still at the ops. An ops that never got a page of its own is not waited for.
 */
export const ftraceTrampolineFree = routine<FtraceWorld, { ops: OpsId }>(
  'ftrace_trampoline_free',
  ({ when, wait, step }) => [
    when('the page was allocated for the ops', hasOwnPage, [
      wait('rcu'),
      step('free the page', (k, { ops }) => freeTrampoline(k, ops)),
    ]),
  ],
);

function hasOwnPage(k: FtraceView, { ops }: { ops: OpsId }): boolean {
  return opsHas(k, { ops }, FTRACE_OPS_FL_ALLOC_TRAMP) && opsOf(k, ops).trampoline !== '';
}

/** arch_ftrace_trampoline_free(): the caller has waited for tasks in it, or believes that there can be none. */
export function freeTrampoline(k: FtraceWorld, name: OpsId): void {
  if (!hasOwnPage(k, { ops: name })) return;
  const ops = ensureOps(k, name);
  freePage(k, ops.trampoline);
  ops.trampoline = '';
  ops.flags &= ~FTRACE_OPS_FL_ALLOC_TRAMP;
}
