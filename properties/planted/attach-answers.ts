import type { Locals } from '../../model/core/part.ts';
import type { Poke } from '../../model/text/poke.ts';
import { siteOf } from '../../model/text/text.ts';
import { objectsAreAttachedOnce } from '../ftrace/objects-are-attached-once.ts';
import { onlyWhatChangesIsPoked } from '../ftrace/only-what-changes-is-poked.ts';
import { successMeansAttached } from '../ftrace/success-means-attached.ts';
import { direct, filter, kprobe, kretprobe } from './attach-actions.ts';
import type { PlantedRecord } from './attach-record.ts';
import { dropped, edit, followedBy } from './attach-record.ts';

/** Planted bugs of the laws about what an answer means, and about whose call sites an operation pokes. */
export const PLANTED_ANSWERS: readonly PlantedRecord[] = [
  {
    name: 'enabled-ops-is-registered',
    sentence: '__register_ftrace_function() does not look whether the ops is enabled.',
    history: undefined,
    law: objectsAreAttachedOnce,
    profile: '6.12',
    edits: [edit('__register_ftrace_function', 'the ops is enabled', dropped)],
    smallest: [
      { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
      filter('ops#1', 'f1'),
      { do: 'register_ftrace_function', ops: 'ops#1' },
      kretprobe(1, 'f1'),
      { do: 'register_ftrace_function', ops: 'ops#1' },
    ],
    finding: 'register_ftrace_function refuses ops#1, which is registered / it answers 0',
  },
  {
    name: 'error-of-arming-is-lost',
    sentence: 'register_kprobe() answers 0 when the probe could not be armed.',
    history: undefined,
    law: successMeansAttached,
    profile: '6.12',
    edits: [edit('register_kprobe', 'the ops of kprobes could not be registered', dropped)],
    smallest: [filter('direct#1', 'f1'), direct('direct#1', 1), kprobe(1, 'f1', true)],
    finding:
      'kprobe#1 is attached to f1: kprobe_ftrace_ops or kprobe_ipmodify_ops traces it / it is traced by direct#1',
  },
  {
    name: 'all-sites-are-poked',
    sentence: 'ftrace_replace_code() writes every patched site, whether it changes or not.',
    history: undefined,
    law: onlyWhatChangesIsPoked,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_replace_code',
        'update the records',
        followedBy((k, at: Locals) => {
          const pokes = at['pokes'] as Poke[];
          for (const [ip, to] of Object.entries(k.text.sites))
            if (!pokes.some(({ place }) => place.name === ip)) pokes.push({ place: siteOf(ip), to });
        }),
      ),
    ],
    smallest: [kprobe(1, 'f1')],
    finding: 'register_kprobe pokes the call site of f2 not at all / it does once',
  },
];
