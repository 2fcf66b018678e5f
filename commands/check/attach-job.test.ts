import { describe, expect, test } from 'vitest';
import { toEnd } from '../../model/core/to-end.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { detachNeedsNoMemory } from '../../properties/ftrace/detach-needs-no-memory.ts';
import { entryDataReachesItsExit } from '../../properties/ftrace/entry-data-reaches-its-exit.ts';
import { multiLinkBookkeepingIsConsistent } from '../../properties/ftrace/multi-link-bookkeeping-is-consistent.ts';
import { onlyGraphUserIsCalledDirectly } from '../../properties/ftrace/only-graph-user-is-called-directly.ts';
import { userCountsMatchUsers } from '../../properties/ftrace/user-counts-match-users.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { searchesFor } from '../line/options.ts';
import { sequenceJob } from './attach-job.ts';
import type { SequenceSearch } from './attach-search.ts';

/** A failing allocation in a detach, and only where another law is broken as listed. */
const BROKEN = { seed: '9', sequences: '100' };

function searchFor(options: {
  kernel?: string;
  law?: string;
  seed?: string;
  sequences?: string;
}): SequenceSearch {
  return searchesFor({ seed: '1', cases: '1', sequences: '1', ...options }).sequences!;
}

function answerTo(search: SequenceSearch) {
  return toEnd(sequenceJob(search));
}

/** The same search, of some laws only. */
function asking(search: SequenceSearch, ...laws: readonly AttachLaw[]): SequenceSearch {
  return { ...search, laws };
}

const OF_FPROBES = { law: entryDataReachesItsExit.name, why: 'the kernel has no fprobes' };
const OF_GRAPH_USERS = {
  law: onlyGraphUserIsCalledDirectly.name,
  why: 'function graph has one user at a time',
};
const OF_MULTI_LINKS = { law: multiLinkBookkeepingIsConsistent.name, why: 'the kernel has no multi links' };

describe('a law that a kernel cannot exercise', () => {
  test.each([
    ['6.12', [OF_MULTI_LINKS]],
    ['6.1', [OF_MULTI_LINKS, OF_GRAPH_USERS, OF_FPROBES]],
    ['7.2', []],
    ['7.2, multiLinks = none', [OF_MULTI_LINKS]],
    ['6.12, multiLinks = splitting', []],
    [undefined, []],
  ])('is not checked: %s', (kernel, unasked) => {
    const search = searchFor(kernel === undefined ? {} : { kernel });
    expect(search.unasked).toEqual(unasked);
    expect(search.laws).toHaveLength(ATTACH_LAWS.length + HIT_LAWS.length - unasked.length);
  });

  test('is named with the reason, and leaves nothing open', () => {
    const search = searchFor({ kernel: '6.12', sequences: '20' });
    const { text, verbose, exit, json } = answerTo(asking(search, userCountsMatchUsers));
    expect(exit).toBe(0);
    expect(text.replace(/\s+/g, ' ')).toContain('1 law not checked on sequences');
    expect(verbose).toContain(
      '    ftrace/multi-link-bookkeeping-is-consistent     not checked\n      the kernel has no multi links\n',
    );
    expect(json).toMatchObject({ unasked: [OF_MULTI_LINKS] });
  });

  test('is checked where it is named, and vacuous', () => {
    const search = searchFor({ kernel: '6.12', law: multiLinkBookkeepingIsConsistent.name });
    expect(search.unasked).toEqual([]);
    const { text, exit } = answerTo(search);
    expect(exit).toBe(4);
    expect(text).toContain('? vacuous          ftrace/multi-link-bookkeeping-is-consistent\n');
  });
});

describe('a law that a kernel can exercise', () => {
  test('is vacuous where nothing did', () => {
    const { text, verbose, exit } = answerTo(
      asking(searchFor({ kernel: '6.12', seed: '2' }), detachNeedsNoMemory),
    );
    expect(exit).toBe(4);
    expect(text).toContain('? vacuous          ftrace/detach-needs-no-memory\n');
    expect(verbose).toContain(
      '  ? ftrace/detach-needs-no-memory                   vacuous\n      never met: ',
    );
  });

  test('is exercised where another one is broken in a listed way at the same step', () => {
    const search = searchFor({ kernel: '6.12', ...BROKEN });
    const { text, verbose, exit } = answerTo(asking(search, userCountsMatchUsers, detachNeedsNoMemory));
    expect(exit).toBe(0);
    expect(text.replace(/\s+/g, ' ')).toContain('1 law exercised only after a known breach');
    expect(verbose).toContain(
      '    ftrace/detach-needs-no-memory                   after a known breach\n' +
        '      exercised only where another law is broken as listed (',
    );
  });

  test('is not exercised by a step that breaks it in an unlisted way', () => {
    const search = searchFor({ kernel: '6.12', ...BROKEN });
    const known = search.known.filter(({ law }) => law !== detachNeedsNoMemory.name);
    const asked = asking({ ...search, known }, userCountsMatchUsers, detachNeedsNoMemory);
    expect(answerTo(asked).exit).toBe(4);
  });
});
