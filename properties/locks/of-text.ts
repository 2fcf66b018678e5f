import type { FunctionName } from '../../model/core/ids.ts';
import { DISPATCHER_IMAGE } from '../../model/dispatcher/dispatcher.ts';
import type { KernelView } from '../../model/kernel.ts';
import { imagePage } from '../../model/trampoline/image-memory.ts';
import { trLock } from '../../model/trampoline/trampoline.ts';
import type { GuardedState, Write } from './guarded-state.ts';
import { isNewOrFreedText, isOnlyWatched } from './private-writes.ts';

/** The protocol of a text poke, and the text that is patched while it runs. In 7.2, smp_text_poke_batch_finish(). */
const ALTERNATIVE_C =
  'arch/x86/kernel/alternative.c  lockdep_assert_held(&text_mutex) in text_poke, text_poke_bp_batch';

/** The page of the dispatcher, which changes under its mutex as well. */
function isOfDispatcher({ keys: [page = ''] }: Write): boolean {
  return page === DISPATCHER_IMAGE;
}

/** The page of a trampoline, in whose halves its images take turns (imageLifecycle = A). */
function isOfTrampoline({ after, keys: [page = ''] }: Write): boolean {
  return targetsOf(after, page).length > 0;
}

function targetsOf({ bpf }: KernelView, page: string): readonly FunctionName[] {
  return Object.keys(bpf.trampolines).filter((target) => imagePage(target) === page);
}

/** arch/x86/kernel/alternative.c, kernel/module/main.c. */
export const OF_TEXT: readonly GuardedState[] = [
  ...['text.poke', 'text.pokes.**', 'text.inner.*'].map((state) => ({
    state,
    locks: ['text_mutex'],
    source: ALTERNATIVE_C,
  })),
  ...['text.sites.*', 'text.probed.*'].map((state) => ({
    state,
    locks: ['text_mutex'],
    source: ALTERNATIVE_C,
    when: (write: Write) => !isNewOrFreedText(write) && !isOnlyWatched(write),
  })),
  {
    state: 'text.pages.*.bytes',
    locks: ['text_mutex'],
    source: `${ALTERNATIVE_C}; mutex_lock(&text_mutex) in text_poke_copy`,
    when: (write) => !isOfTrampoline(write),
  },
  {
    state: 'text.pages.*.bytes',
    locks: [({ after, keys: [page = ''] }) => targetsOf(after, page).map((target) => trLock(after, target))],
    source:
      'kernel/bpf/trampoline.c (5.6 to 5.11)  bpf_trampoline_update: the other half of tr->image, under tr->mutex',
    when: isOfTrampoline,
  },
  {
    state: 'text.pages.*.bytes',
    locks: ['dispatcher mutex'],
    source: 'kernel/bpf/dispatcher.c  bpf_dispatcher_change_prog: d->mutex over bpf_dispatcher_update',
    when: isOfDispatcher,
  },
  // try_stop_module() is called under it too. do_init_module() sets MODULE_STATE_LIVE without it: a module has no init
  // function here, and is as it is in MODULE_STATE_COMING.
  ...['text.modules.*.live', 'text.modules.*.unloads'].map((state) => ({
    state,
    locks: ['module_mutex'],
    source:
      'kernel/module/main.c  complete_formation, free_module: mod->state and the list, under module_mutex',
  })),
];
