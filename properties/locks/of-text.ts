import { DISPATCHER_IMAGE } from '../../model/dispatcher/dispatcher.ts';
import type { GuardedState, Write } from './guarded-state.ts';
import { isModuleGone } from './private-writes.ts';

/** The protocol of a text poke, and the text that is patched while it runs. */
const ALTERNATIVE_C = 'arch/x86/kernel/alternative.c  text_poke_bp_batch: lockdep_assert_held(&text_mutex)';

/** A new page, or a freed one, is not executed; nor is the half of the dispatcher's that is not in use. */
function isRunning({ keys: [page = ''] }: Write): boolean {
  return page !== DISPATCHER_IMAGE;
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
    when: (write: Write) => !isModuleGone(write),
  })),
  { state: 'text.pages.*.bytes', locks: ['text_mutex'], source: ALTERNATIVE_C, when: isRunning },
  ...['text.modules.*.live', 'text.modules.*.unloads'].map((state) => ({
    state,
    locks: ['module_mutex'],
    source: 'kernel/module/main.c  mod->state: changed under module_mutex',
  })),
];
