import { POKES_INT3, USER_MODE } from './reasons.ts';
import type { Audit } from './row.ts';
import { branches, gotos, modelled, omitted, returns, UNTIL_6_12, V7_2, waits } from './row.ts';

/** Text pokes; one long table on purpose. */
export const ALTERNATIVE: Audit = {
  file: 'arch/x86/kernel/alternative.c',
  functions: [
    {
      fn: 'text_poke_bp_batch',
      in: UNTIL_6_12,
      rows: [
        waits(
          UNTIL_6_12,
          'text_poke_sync() after the int3 of every entry: each CPU serialises itself',
          modelled('text_poke_bp_batch: sync after int3'),
        ),
        waits(
          UNTIL_6_12,
          'text_poke_sync() after the tails',
          modelled('text_poke_bp_batch: sync after tails'),
        ),
        waits(
          UNTIL_6_12,
          'text_poke_sync() after the first bytes',
          modelled('text_poke_bp_batch: sync after heads'),
        ),
        waits(
          UNTIL_6_12,
          'until no handler holds bp_desc.refs',
          modelled('text_poke_bp_batch: a handler holds it', 'text_poke_bp_batch: wait for the handlers'),
        ),
      ],
    },
    {
      fn: 'smp_text_poke_batch_finish',
      in: V7_2,
      rows: [
        returns(V7_2, 'nothing is queued', omitted('a batch of the model has an entry')),
        waits(
          V7_2,
          'smp_text_poke_sync_each_cpu() after the int3 of every entry',
          modelled('text_poke_bp_batch: sync after int3'),
        ),
        waits(
          V7_2,
          'smp_text_poke_sync_each_cpu() after the tails',
          modelled('text_poke_bp_batch: sync after tails'),
        ),
        waits(
          V7_2,
          'smp_text_poke_sync_each_cpu() after the first bytes',
          modelled('text_poke_bp_batch: sync after heads'),
        ),
        waits(
          V7_2,
          'until no handler holds text_poke_array_refs, CPU by CPU',
          modelled('text_poke_bp_batch: a handler holds it', 'text_poke_bp_batch: wait for the handlers'),
        ),
      ],
    },
    {
      fn: 'text_poke_flush',
      in: UNTIL_6_12,
      rows: [
        branches(
          UNTIL_6_12,
          'a batch of 256 entries, or an address below the last, is poked before more are queued',
          modelled('model/text/poke.ts batchesOf'),
        ),
      ],
    },
    {
      fn: 'smp_text_poke_batch_add',
      in: V7_2,
      rows: [
        branches(
          V7_2,
          'a full batch, or an address below the last, is poked before more are queued',
          modelled('model/text/poke.ts batchesOf'),
        ),
      ],
    },
    {
      fn: 'poke_int3_handler',
      in: UNTIL_6_12,
      rows: [
        returns(UNTIL_6_12, '0: the trap is from user mode', omitted(USER_MODE)),
        returns(UNTIL_6_12, '0: no batch is published', modelled('model/text/int3.ts tryGetDesc')),
        gotos(
          UNTIL_6_12,
          'out_put, 0: no entry of the batch has the address',
          modelled('model/text/int3.ts searched'),
        ),
        gotos(UNTIL_6_12, 'out_put, 0: the new instruction is int3 itself', omitted(POKES_INT3)),
      ],
    },
    {
      fn: 'smp_text_poke_int3_handler',
      in: V7_2,
      rows: [
        returns(V7_2, '0: the trap is from user mode', omitted(USER_MODE)),
        returns(V7_2, '0: no batch is published', modelled('model/text/int3.ts tryGetDesc')),
        gotos(
          V7_2,
          'out_put, 0: no entry of the batch has the address',
          modelled('model/text/int3.ts searched'),
        ),
        gotos(V7_2, 'out_put, 0: the new instruction is int3 itself', omitted(POKES_INT3)),
      ],
    },
  ],
};
