import type { Locals } from '../../../model/core/part.ts';
import { entry } from '../../../model/core/present.ts';
import { filterOf, matches, opsOf } from '../../../model/ftrace/ops.ts';
import { FTRACE_FL_TRAMP } from '../../../model/ftrace/record.ts';
import { FTRACE_UPDATE_CALLS } from '../../../model/ftrace/update-code.ts';
import type { Kernel } from '../../../model/kernel.ts';
import type { Poke } from '../../../model/text/poke.ts';
import { siteOf } from '../../../model/text/text.ts';
import { noDoubleRegistration } from '../../ftrace/no-double-registration.ts';
import { noFtraceBug } from '../../ftrace/no-ftrace-bug.ts';
import { onlyChangedSitesArePoked } from '../../ftrace/only-changed-sites-are-poked.ts';
import { probesFireExactlyOnce } from '../../ftrace/probes-fire-exactly-once.ts';
import { recordCountsMatchOps } from '../../ftrace/record-counts-match-ops.ts';
import { successMeansAttached } from '../../ftrace/success-means-attached.ts';
import { callOf } from '../../observed/sample-call.ts';
import { direct, F1, F2, failing, filter, fprobe, graph, kprobe } from './actions.ts';
import { dropped, edit, followedBy, instead, PLANTED_PART } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in answers, record counts, and the set of poked call sites. */
export const PLANTED_ANSWERS: readonly AttachPlanted[] = [
  {
    name: 'kprobe-is-registered-twice',
    sentence: 'register_kprobe() does not check whether the kprobe is already registered.',
    history: undefined,
    law: noDoubleRegistration,
    profile: '6.12',
    edits: [edit('register_kprobe', 'the kprobe is registered', dropped)],
    smallest: [kprobe(1), kprobe(1)],
    finding: 'register_kprobe refuses kprobe#1, which is registered / it returns 0',
  },
  {
    name: 'error-of-arming-is-lost',
    sentence: 'register_kprobe() returns 0 when the probe could not be armed.',
    history: undefined,
    law: successMeansAttached,
    profile: '6.12',
    edits: [edit('register_kprobe', 'the ops of kprobes could not be registered', dropped)],
    smallest: [filter('direct#1'), direct(1), kprobe(1, true)],
    finding:
      'kprobe#1 is attached to f1: kprobe_ftrace_ops or kprobe_ipmodify_ops traces it / it is traced by direct#1',
  },
  {
    name: 'enabled-kprobe-is-not-armed',
    sentence: 'enable_kprobe() clears the flags of the probe and its address, and does not arm it.',
    history: undefined,
    law: successMeansAttached,
    profile: '6.12',
    edits: [edit('enable_kprobe', 'attempt', dropped)],
    smallest: [{ do: 'perf_event_open(kprobe)', event: 'perf#1', on: 'kprobe', ip: 'f1' }],
    finding:
      'perf#1 is attached to f1: kprobe_ftrace_ops or kprobe_ipmodify_ops traces it / it is traced by no ops',
  },
  {
    name: 'written-functions-do-not-reach-the-filter',
    sentence: 'A write to set_ftrace_filter leaves the hash that close() publishes as open() copied it.',
    history: undefined,
    law: probesFireExactlyOnce,
    profile: '6.1',
    edits: [edit('ftrace_regex_write', 'enter what matches', dropped)],
    functions: [F1, F2],
    smallest: [{ do: 'set_ftrace_filter', glob: 'f1', remove: false }, graph(1), callOf(F2, 0)],
    finding: 'gops#1 never sees f2 (graph entry) / it does once',
  },
  {
    name: 'all-sites-are-poked',
    sentence: 'ftrace_replace_code() writes every patched site, whether it changes or not.',
    history: undefined,
    law: onlyChangedSitesArePoked,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_replace_code',
        'update the records',
        followedBy((k, locals: Locals) => {
          const pokes = locals['pokes'] as Poke[];
          for (const [ip, to] of Object.entries(k.text.sites))
            if (!pokes.some(({ place }) => place.name === ip)) pokes.push({ place: siteOf(ip), to });
        }),
      ),
    ],
    functions: [F1, F2],
    smallest: [kprobe(1)],
    finding: 'register_kprobe does not poke the call site of f2 / it does once',
  },
  {
    name: 'modify-detours-all-sites',
    sentence: 'update_ftrace_direct_mod() gives its temporary ops the whole filter of the direct ops.',
    history: 'ftrace: Use hash argument for tmp_ops in update_ftrace_direct_mod (7.0)',
    law: onlyChangedSitesArePoked,
    profile: '7.2',
    edits: [
      edit(
        'update_ftrace_direct_mod: modify',
        'prepare tmp_ops',
        instead((k, locals, own) => {
          const { ops, hash } = locals;
          locals['hash'] = Object.fromEntries(filterOf(k, String(ops)).map((ip) => [ip, '']));
          own();
          locals['hash'] = hash;
        }),
      ),
    ],
    functions: [F1, F2],
    smallest: [
      { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1', f2: 'my_tramp1' } },
      { do: 'update_ftrace_direct_mod', ops: 'direct#1', hash: { f1: 'my_tramp1' } },
    ],
    finding: 'update_ftrace_direct_mod does not poke the call site of f2 / it does twice',
  },
  {
    name: 'ops-that-leaves-has-the-trampoline',
    sentence:
      'The search for an ops whose trampoline a call site can call finds the one that is being removed: the record gets TRAMP, and no ops has a trampoline.',
    history: 'ftrace: Fix updating FTRACE_FL_TRAMP (5.10; 5.9.14)',
    law: noFtraceBug,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_shutdown',
        'take the ops from its records',
        followedBy((k, locals) => {
          const ops = locals['ops'] as string;
          if (opsOf(k, ops).trampoline === '') return;
          for (const [ip, rec] of Object.entries(k.ftrace.records)) {
            if (rec.count !== 1 || !matches(k, ops, ip)) continue;
            rec.flags |= FTRACE_FL_TRAMP;
            locals['command'] = Number(locals['command']) | FTRACE_UPDATE_CALLS;
          }
        }),
      ),
    ],
    smallest: [
      kprobe(1),
      failing('allocation', 'arch_ftrace_update_trampoline'),
      fprobe(1),
      { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
    ],
    finding:
      'ftrace stays alive / it is dead: the kprobe at f1 could not be disarmed (__disarm_kprobe_ftrace)',
  },
  {
    name: 'direct-entry-is-removed-before-the-text',
    sentence:
      'unregister_ftrace_direct() removes the entries first, and ftrace no longer knows what the sites hold.',
    history: undefined,
    law: noFtraceBug,
    profile: '6.12',
    edits: [
      edit('unregister_ftrace_direct', 'unregister_ftrace_function', (part) => [
        {
          kind: 'step',
          id: PLANTED_PART,
          run: (k, locals) => {
            for (const ip of filterOf(k as Kernel, locals['ops'] as string))
              delete (k as Kernel).ftrace.directFunctions[ip];
          },
        },
        part,
      ]),
    ],
    smallest: [
      filter('direct#1'),
      direct(1),
      { do: 'unregister_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1', freeFilters: false },
    ],
    finding: 'ftrace stays alive / it is dead: a record has flags and no ops is registered (ftrace_shutdown)',
  },
  {
    name: 'count-does-not-fall',
    sentence: 'The records of an unregistered ops still count it.',
    history: undefined,
    law: recordCountsMatchOps,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_shutdown',
        'take the ops from its records',
        followedBy((k, locals) => {
          for (const ip of filterOf(k, locals['ops'] as string)) entry(k.ftrace.records, ip).count++;
        }),
      ),
    ],
    smallest: [fprobe(1), kprobe(1), { do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
    finding: 'the record of f1 counts 1 (fprobe#1.ops) / it counts 2',
  },
];
