import { crashText } from '../../model/core/crash-words.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { waitText } from '../law/wait-words.ts';
import type { ToldHit } from './call-finding.ts';
import { hitOf } from './call-words.ts';
import type { SaidWords } from './said.ts';
import { times } from './said.ts';
import type { OwnTaskFinding, Unmet } from './task-finding.ts';

/** What findings of laws of interleavings say. */
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
    observed: countsText(events, seen) + (unarmed ? ': it was registered, and not armed' : ''),
  }),
  'event-of-nobody': ({ event }) => ({ expected: `${hitOf(event)} never`, observed: 'it does' }),
  'return-without-entry': ({ event }) => ({
    expected: `${hitOf(event)} if it has seen the entry`,
    observed: 'it has not',
  }),
  'data-of-another': ({ who, own, data }) => ({
    expected: `${who} is called as ${own.map((name) => `${who}(${name})`).join(' or ')}`,
    observed: `it is called as ${who}(${data})`,
  }),
  'reference-is-kept': ({ image, refs }) => ({
    expected: `nobody is in ${image}`,
    observed: `its reference counter is ${refs}`,
  }),
  'image-stays': ({ image }) => ({
    expected: `${image} is freed when nobody is in it`,
    observed: 'it stays for ever',
  }),
  'programs-are-not-left': ({ left }) => ({
    expected: 'no program runs when no call is under way',
    observed: `${left.map(({ prog, cpu }) => `prog#${prog} on CPU ${cpu}`).join(', ')} does`,
  }),
  'program-runs-in-itself': ({ prog, bodies }) => ({
    expected: `one task is in prog#${prog} on a CPU`,
    observed: `${bodies} are`,
  }),
  'filter-differs': ({ ops, allowed, filter }) => ({
    expected: `the filter of ${ops} is ${either(allowed.map(filterText))}`,
    observed: `it is ${filterText(filter)}`,
  }),
  'operation-waits': ({ action, flavour }) => ({
    expected: `${action} waits for no grace period of RCU-tasks`,
    observed: `it waits for ${flavour}`,
  }),
  'all-wait': ({ waits }) => ({
    expected: 'everybody goes on',
    observed: waits.map((wait) => waitText(wait)).join('; '),
  }),
  'cannot-finish': ({ unfinished, waits }) => ({
    expected: `${unfinished.join(', ')} can finish`,
    observed: waits.map((wait) => waitText(wait)).join('; '),
  }),
  'is-put-off': ({ action }) => ({ expected: `${action} is let through`, observed: 'EAGAIN' }),
  'old-address-again': ({ fn, before }) => ({
    expected: `${fn} calls my_tramp2, as ${before} did before`,
    observed: 'it calls my_tramp1',
  }),
  'goes-round': ({ unfinished, moves }) => ({
    expected: `${unfinished.join(', ')} can finish`,
    observed: `after ${moves} moves everything is as before, for ever`,
  }),
};

const UNMET: Readonly<Record<Unmet, string>> = {
  'breakpoints are known': 'the handler finds the batch that the int3 belongs to',
  'instructions are whole': 'one instruction or the other is executed',
  'code stays': 'code stays mapped until the last task has left it',
  'code is not written over': 'a call touches only memory that is there',
  'programs stay': 'a program that an image calls is there',
  'objects of clients stay': 'an object that a call uses is there',
  'objects of operations stay': 'an object that an operation works on is there',
  'tables stay': 'a table that is being read is there',
  'module text stays': 'the text of a function that is worked on is there',
  'arrays of probes stay': 'arrays of probes and links stay until the last hit that has found them is over',
  'nothing crashes': 'no oops',
};

/** Each once. */
function either(ways: readonly string[]): string {
  return [...new Set(ways)].join(', or ');
}

function countsText(events: readonly ToldHit[], counts: readonly number[]): string {
  return events.map((event, i) => `${hitOf(event)} ${times(counts[i] ?? 0, 'never')}`).join(' and ');
}

function filterText(filter: readonly string[]): string {
  return filter.length === 0 ? 'empty' : filter.join(', ');
}
