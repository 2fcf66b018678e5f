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

/** Planted bugs of the laws about records, text and tables. */
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
    sentence: 'A site whose count goes back to one stays on the way through the list.',
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
      'The address of a direct call changes in the table alone: the record looks as before, and the site is not patched.',
    history: undefined,
    law: callSitesMatchRecords,
    profile: '6.12',
    edits: [edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', dropped)],
    smallest: [
      filter('direct#1'),
      direct(1),
      { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' },
    ],
    finding: 'f1 holds a branch to my_tramp2: its record says that this is in effect / call my_tramp1',
  },
  {
    name: 'shared-entry-skips-the-list',
    sentence: 'The inner calls are not led to the list when a second ops is registered.',
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
    sentence: 'A copy of the entry code hands the ops over that was registered before.',
    history: undefined,
    law: opsTrampolinesCallTheirOps,
    profile: '6.12',
    edits: [
      edit(
        '__register_ftrace_function',
        'update the trampoline of the ops',
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
    finding: 'kprobe_ftrace_ops.trampoline hands kprobe_ftrace_ops over / it hands fprobe#1.ops over',
  },
  {
    name: 'direct-entry-is-leaked',
    sentence: 'A registration that fails leaves its entries in direct_functions.',
    history: 'ftrace: Fix BPF fexit with livepatch (6.18; 6.12.59)',
    law: directFunctionsMatchDirectOps,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'remove the direct calls', dropped)],
    smallest: [filter('direct#1'), kprobe(1, true), direct(1)],
    finding: 'direct_functions does not have f1: no direct ops has it / it leads to my_tramp1',
  },
  {
    name: 'no-rollback-of-a-direct-call',
    sentence: 'An ops whose registration as a direct call was refused keeps func and trampoline.',
    history: 'ftrace: Fix BPF fexit with livepatch (6.18; 6.12.59)',
    law: failedCallsHaveNoEffect,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'reset the ops', dropped)],
    smallest: [filter('direct#1'), kprobe(1, true), direct(1)],
    finding: 'EBUSY, and ftrace/ops/direct#1/func is –, as before / it is call_direct_funcs',
  },
  {
    name: 'image-of-a-failed-attach-is-lost',
    sentence: 'The image that was made for an attach that fails is never freed.',
    history: 'bpf: Fix memleak due to fentry attach failure (6.5; 6.1.52)',
    law: failedCallsHaveNoEffect,
    profile: '6.12',
    edits: [edit('bpf_trampoline_update', 'it failed', dropped)],
    smallest: [load(1), failing('allocation', '__ftrace_hash_move_and_update_ops'), link(1)],
    finding: 'ENOMEM, and text/pages/tramp#1 is –, as before / it is there',
  },
  {
    name: 'image-is-retired-before-the-site-leaves-it',
    sentence: 'The new image is put instead of the old one, which no call site leads to any more.',
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
    finding: 'what the direct call of f1 leads to is in use / tramp#2 is retired',
  },
];
