import { crashText } from '../../model/core/crash-words.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { waitText } from '../law/wait-words.ts';
import type { ToldHit } from './call-finding.ts';
import { hitOf } from './call-words.ts';
import type { SaidWords } from './said.ts';
import type { OwnTaskFinding, Unmet } from './task-finding.ts';

/** The words for findings of laws on interleavings. */
export const TASK_WORDS: SaidWords<OwnTaskFinding> = {
  crashes: ({ unmet, crash }) => ({ expected: UNMET[unmet], observed: crashText(crash) }),
  warns: ({ warnings }) => ({
    expected: 'no warning',
    observed: warnings.map((warning) => warningText(warning)).join('; '),
  }),
  'value-differs': ({ fn, allowed, returned }) => ({
    expected: `${fn} returns ${either(allowed)}`,
    observed: `its caller gets ${returned}`,
  }),
  'events-differ': ({ events, allowed, seen, unarmed }) => ({
    expected: either(allowed.map((counts) => countsText(events, counts))),
    observed: countsText(events, seen) + (unarmed ? ': it is registered but not armed' : ''),
  }),
  'unpromised-event': ({ event }) => ({ expected: hitOf(event, 0), observed: 'it does' }),
  'return-without-entry': ({ event }) => ({
    expected: `${hitOf(event)} only if it has seen the entry`,
    observed: 'it has not',
  }),
  'data-of-another': ({ who, own, data }) => ({
    expected: `${who} is called as ${own.map((name) => `${who}(${name})`).join(' or ')}`,
    observed: `it is called as ${who}(${data})`,
  }),
  'reference-is-kept': ({ image, refs }) => ({
    expected: `no task is in ${image}`,
    observed: `its reference count is ${refs}`,
  }),
  'image-stays': ({ image }) => ({
    expected: `${image} is freed once no task is in it`,
    observed: 'it is never freed',
  }),
  'programs-are-not-left': ({ left }) => ({
    expected: 'no program is active when no call is in progress',
    observed: `${left.map(({ prog, cpu }) => `prog#${prog} on CPU ${cpu}`).join(', ')}`,
  }),
  'handler-runs-in-a-handler': ({ event }) => ({
    expected: `${event.who} misses the call of ${event.fn} from an interrupt in a handler`,
    observed: 'it sees the call',
  }),
  'program-runs-in-itself': ({ prog, bodies }) => ({
    expected: `at most one task runs prog#${prog} on a CPU`,
    observed: `${bodies} do`,
  }),
  'filter-differs': ({ ops, allowed, filter }) => ({
    expected: `the filter of ${ops} is ${either(allowed.map(filterText))}`,
    observed: `it is ${filterText(filter)}`,
  }),
  'operation-waits': ({ action, flavour }) => ({
    expected: `${action} waits for no RCU-tasks grace period`,
    observed: `it waits for ${flavour}`,
  }),
  'all-wait': ({ waits }) => ({
    expected: 'no deadlock',
    observed: waits.map((wait) => waitText(wait)).join('; '),
  }),
  'cannot-finish': ({ unfinished, waits }) => ({
    expected: `${unfinished.join(', ')} can finish`,
    observed: waits.map((wait) => waitText(wait)).join('; '),
  }),
  'is-put-off': ({ action }) => ({ expected: `${action} is not refused with EAGAIN`, observed: 'it is' }),
  'old-address-again': ({ fn, before }) => ({
    expected: `${fn} calls my_tramp2, as ${before} did before`,
    observed: 'it calls my_tramp1',
  }),
  'goes-round': ({ unfinished, moves }) => ({
    expected: `${unfinished.join(', ')} can finish`,
    observed: `livelock: after ${moves} moves the state repeats`,
  }),
};

const UNMET: Readonly<Record<Unmet, string>> = {
  'breakpoints are known': 'the handler finds the batch or the kprobe that the int3 belongs to',
  'instructions are whole': 'the CPU executes the old or the new instruction',
  'code stays': 'code stays mapped until the last task has left it',
  'code is not written over': 'a call accesses only allocated memory',
  'programs stay': 'a program that an image calls is allocated',
  'objects of clients stay': 'an object that a call uses is allocated',
  'objects of operations stay': 'an object that an operation uses is allocated',
  'tables stay': 'a hash that is being read is allocated',
  'module text stays': 'the text of a function in use is loaded',
  'arrays of probes stay': 'probe arrays and links stay allocated until the last hit that uses them is over',
  'nothing crashes': 'no oops',
};

/** Without duplicates. */
function either(ways: readonly string[]): string {
  return [...new Set(ways)].join(', or ');
}

function countsText(events: readonly ToldHit[], counts: readonly number[]): string {
  return events.map((event, i) => hitOf(event, counts[i] ?? 0)).join(' and ');
}

function filterText(filter: readonly string[]): string {
  return filter.length === 0 ? 'empty' : filter.join(', ');
}
