import { FTRACE_FL_TRAMP } from '../../../model/ftrace/record.ts';
import { FTRACE_UPDATE_TRACE_FUNC } from '../../../model/ftrace/update-code.ts';
import { callSitesMatchOps } from '../../ftrace/call-sites-match-ops.ts';
import { callSitesMatchRecords } from '../../ftrace/call-sites-match-records.ts';
import { directFunctionsMatchDirectOps } from '../../ftrace/direct-functions-match-direct-ops.ts';
import { failedCallsHaveNoEffect } from '../../ftrace/failed-calls-have-no-effect.ts';
import { noPointerToARetiredImage } from '../../ftrace/no-pointer-to-a-retired-image.ts';
import { opsTrampolinesCallTheirOps } from '../../ftrace/ops-trampolines-call-their-ops.ts';
import { recordFlagsMatchOps } from '../../ftrace/record-flags-match-ops.ts';
import { sharedEntryCallsASafeHandler } from '../../ftrace/shared-entry-calls-a-safe-handler.ts';
import { attached, direct, failing, filter, fprobe, kprobe, link, load } from './actions.ts';
import { dropped, edit, followedBy } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs for the laws on records, text and hashes. */
export const PLANTED_RECORDS: readonly AttachPlanted[] = [
  {
    name: 'tramp-survives-a-second-ops',
    sentence: 'TRAMP is not cleared when a second ops joins a site.',
    history: undefined,
    law: recordFlagsMatchOps,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup',
        'count the ops in its records',
        followedBy((k) => {
          for (const rec of Object.values(k.ftrace.records)) if (rec.count > 1) rec.flags |= FTRACE_FL_TRAMP;
        }),
      ),
    ],
    smallest: [fprobe(1), kprobe(1)],
    finding:
      'the record of f1: count 2, ENABLED | REGS | REGS_EN, traced by kprobe_ftrace_ops, fprobe#1.ops / count 2, ENABLED | REGS | REGS_EN | TRAMP | TRAMP_EN',
  },
  {
    name: 'slow-path-is-kept',
    sentence: 'A site whose count drops back to one keeps calling the ops list.',
    history: 'ftrace: Enable trampoline when rec count returns back to one (5.3)',
    law: callSitesMatchOps,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_shutdown',
        'take the ops from its records',
        followedBy((k) => {
          for (const rec of Object.values(k.ftrace.records)) rec.flags &= ~FTRACE_FL_TRAMP;
        }),
      ),
    ],
    smallest: [fprobe(1), kprobe(1), { do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
    finding:
      'f1, traced by fprobe#1.ops, holds call fprobe#1.ops.trampoline / it holds call ftrace_regs_caller',
  },
  {
    name: 'change-without-a-detour',
    sentence:
      'A direct call changes its address only in the hash: the record looks unchanged, and the site is not patched.',
    history: undefined,
    law: callSitesMatchRecords,
    profile: '6.12',
    edits: [edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', dropped)],
    smallest: [
      filter('direct#1'),
      direct(1),
      { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' },
    ],
    finding: 'f1 holds a branch to my_tramp2, as its record says / call my_tramp1',
  },
  {
    name: 'shared-entry-skips-the-list',
    sentence: 'The inner calls are not patched to call the list when a second ops is registered.',
    history: undefined,
    law: sharedEntryCallsASafeHandler,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup',
        'count the ops in its records',
        followedBy((_, locals) => {
          locals['command'] = Number(locals['command']) & ~FTRACE_UPDATE_TRACE_FUNC;
        }),
      ),
    ],
    smallest: [kprobe(1)],
    finding: 'ftrace_call calls kprobe_ftrace_handler, with kprobe_ftrace_ops registered / call ftrace_stub',
  },
  {
    name: 'handler-gets-the-wrong-ops',
    sentence: 'The trampoline of an ops passes the ops that was registered before it.',
    history: undefined,
    law: opsTrampolinesCallTheirOps,
    profile: '6.12',
    edits: [
      edit(
        'arch_ftrace_update_trampoline',
        'create the trampoline',
        followedBy((k, locals) => {
          const [, before] = k.ftrace.opsList;
          const page = k.text.pages[`${String(locals['ops'])}.trampoline`];
          const other = before === undefined ? undefined : k.text.pages[`${before}.trampoline`];
          if (page !== undefined && other !== undefined)
            page.bytes = page.bytes.slice(0, -16) + other.bytes.slice(-16);
        }),
      ),
    ],
    smallest: [fprobe(1), kprobe(1)],
    finding: 'kprobe_ftrace_ops.trampoline passes kprobe_ftrace_ops / it passes fprobe#1.ops',
  },
  {
    name: 'direct-entry-is-leaked',
    sentence: 'A failed registration leaves its entries in direct_functions.',
    history: 'ftrace: Fix BPF fexit with livepatch (6.18; 6.12.59)',
    law: directFunctionsMatchDirectOps,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'remove the direct calls', dropped)],
    smallest: [filter('direct#1'), kprobe(1, true), direct(1)],
    finding: 'direct_functions has no entry for f1: no direct ops traces it / it maps to my_tramp1',
  },
  {
    name: 'entries-of-a-refused-multi-are-leaked',
    sentence: 'register_ftrace_direct_multi() leaves its entries in direct_functions when it fails.',
    history: 'ftrace: Clean up hash direct_functions on register failures (5.19)',
    law: directFunctionsMatchDirectOps,
    profile: '6.1',
    edits: [edit('register_ftrace_direct', 'remove the direct calls', dropped)],
    smallest: [filter('direct#1'), kprobe(1, true), direct(1)],
    finding: 'direct_functions has no entry for f1: no direct ops traces it / it maps to my_tramp1',
  },
  {
    name: 'no-rollback-of-a-direct-call',
    sentence: 'An ops that was refused as a direct call keeps func and trampoline.',
    history: 'ftrace: Fix BPF fexit with livepatch (6.18; 6.12.59)',
    law: failedCallsHaveNoEffect,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'reset the ops', dropped)],
    smallest: [filter('direct#1'), kprobe(1, true), direct(1)],
    finding: 'EBUSY, and ftrace/ops/direct#1/func stays absent / it is call_direct_funcs',
  },
  {
    name: 'image-of-a-failed-attach-is-lost',
    sentence: 'The image generated for a failed attach is never freed.',
    history: 'bpf: Fix memleak due to fentry attach failure (6.5; 6.1.52)',
    law: failedCallsHaveNoEffect,
    profile: '6.12',
    edits: [edit('bpf_trampoline_update', 'it failed', dropped)],
    smallest: [load(1), failing('allocation', '__ftrace_hash_move_and_update_ops'), link(1)],
    finding: 'ENOMEM, and text/pages/tramp#1 stays absent / it is present',
  },
  {
    name: 'flags-of-a-failed-update-stay',
    sentence: 'A trampoline whose update failed has the flags of an image that was not made.',
    history: undefined,
    law: failedCallsHaveNoEffect,
    profile: '6.12',
    edits: [edit('bpf_trampoline_update', 'restore the flags', dropped)],
    smallest: [
      ...attached('fexit'),
      { do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update', nth: 2 } },
      kprobe(1, true),
    ],
    finding: 'ENOMEM, and bpf/trampolines/f1/flags/ORIG_STACK stays false / it is true',
  },
  {
    name: 'image-is-retired-before-the-site-leaves-it',
    sentence: 'The new image is put instead of the old one, which no call site points to any more.',
    history: undefined,
    law: noPointerToARetiredImage,
    profile: '6.12',
    edits: [
      edit(
        'modify_fentry',
        'switch to the image',
        followedBy((_, locals) => {
          locals['old'] = locals['image'];
        }),
      ),
    ],
    smallest: [...attached('fexit'), kprobe(1, true)],
    finding: 'the target of the direct call of f1 is in use / tramp#2 is retired',
  },
];
