import { proseOf } from './prose.ts';
import type { Source } from './sources.ts';

/** A habit to lose, and what a kernel developer writes. */
export interface Ban {
  readonly pattern: RegExp;
  readonly instead: string;
  /** A sentence that has the habit, and the same sentence without it. */
  readonly bad: string;
  readonly good: string;
}

/** Words with blanks between them, which may be ends of lines. */
function words(pattern: string): RegExp {
  return new RegExp(`\\b(?:${pattern.replaceAll(' ', '\\s+')})\\b`, 'gi');
}

/** The beginning of a sentence that is no question. */
function sentence(pattern: string): RegExp {
  const start = String.raw`(?<=(?:^|[.:;|]\s|/\*\*?\s|//\s)\s*['"\x60]?)`;
  return new RegExp(`${start}(?:${pattern.replaceAll(' ', '\\s+')})\\b(?![^.?]*\\?)`, 'g');
}

const BE = '(?:is|are|was|were|be|been|being|not)';

export const BANS: readonly Ban[] = [
  {
    pattern: words('nobody|everybody|somebody|anybody'),
    instead: 'name the actor (no client, every task), or use the passive',
    bad: 'Nobody waits for it.',
    good: 'No task waits for it.',
  },
  {
    pattern: words('whoever'),
    instead: 'name the actor: a caller that, each client that',
    bad: 'Whoever looks gets a copy.',
    good: 'A reader gets a copy.',
  },
  {
    pattern: sentence('Who'),
    instead: 'a noun as the subject: a caller that, the client that',
    bad: 'Who looks does not write.',
    good: 'A reader does not write. Who reads it?',
  },
  {
    pattern: sentence('What (?:is|are|was|were|stands|comes|goes)'),
    instead: 'a noun as the subject',
    bad: 'What is not modelled is an error.',
    good: 'Unmodelled code is an error. What is an image?',
  },
  {
    pattern: words('(?:go|goes|going|went|gone) on(?! (?:a|an|the|top)\\b)'),
    instead: 'runs, resumes, continues',
    bad: 'Then client#1 goes on.',
    good: 'Then client#1 resumes.',
  },
  {
    pattern: words('(?:go|goes|going|went|gone) past|pass(?:es|ed|ing)? over'),
    instead: 'skips',
    bad: 'A recursive call goes\npast it.',
    good: 'A recursive call skips it.',
  },
  {
    pattern: words(`${BE} told`),
    instead: 'is notified, sees, gets, is reported',
    bad: 'The client is told of it.',
    good: 'The client is notified of it.',
  },
  {
    pattern: words('tells? (?:\\w+ )?apart|told apart'),
    instead: 'distinguishes',
    bad: 'A history tells them apart.',
    good: 'A history distinguishes them.',
  },
  {
    pattern: words('brought'),
    instead: 'supplied, loaded',
    bad: 'A module that was brought.',
    good: 'A module that was loaded.',
  },
  {
    pattern: words('stretch|stretches'),
    instead: 'segment, range',
    bad: 'A stretch of code.',
    good: 'A segment of code.',
  },
  {
    pattern: words(
      '(?:stands?|standing|stood) (?:in|at|for|behind|below|above|before|after|there|once|on|under|beside|here|alone|as|elsewhere|nowhere)',
    ),
    instead: 'is at, is, holds, represents',
    bad: 'The address stands in the slot.',
    good: 'The address is in the slot. Bugs where they stand.',
  },
  {
    pattern: words('(?<!no )rooms?(?! (?:left|for)\\b)'),
    instead: 'directory, module, memory',
    bad: 'The tests of one room.',
    good: 'The tests of one directory. There is no room left.',
  },
  {
    pattern: words("(?<!')moments?"),
    instead: 'state, point, transition, while',
    bad: 'The stack at that moment.',
    good: 'The stack at that point.',
  },
  {
    pattern: words('(?<!\\b(?:capital|small|cover|lower-case|upper-case) )letters?'),
    instead: 'symbol; of a text, character',
    bad: 'Each call has a letter.',
    good: 'Each call has a symbol. It starts with a capital letter.',
  },
  { pattern: words('at the most'), instead: 'at most', bad: 'Two at the most.', good: 'At most two.' },
  { pattern: words('anew'), instead: 'again', bad: 'Made anew.', good: 'Generated again.' },
  { pattern: words('no say'), instead: 'not applicable', bad: 'It has no say.', good: 'Not applicable.' },
  {
    pattern: words('put to the test'),
    instead: 'tested, exercised',
    bad: 'A law that is put to the test.',
    good: 'A law that is exercised.',
  },
  {
    pattern: words('processors?'),
    instead: 'CPU',
    bad: 'Every processor sees it.',
    good: 'Every CPU sees it. The smp_processor_id() of the task.',
  },
  {
    pattern: words('in front of'),
    instead: 'before',
    bad: 'In front of the call.',
    good: 'Before the call.',
  },
  {
    pattern: words('(?<!\\b(?:leaves?|leaving|left)[ -][^.]{0,40})behind'),
    instead: 'after, past, beyond',
    bad: 'The byte behind the call.',
    good: 'The byte after the call. It leaves an image behind.',
  },
  {
    pattern: words('look(?:s|ed|ing)? at'),
    instead: 'checks, examines, reads',
    bad: 'A handler looks at the flags.',
    good: 'A handler checks the flags.',
  },
  {
    pattern: words('circles?'),
    instead: 'cycle, deadlock',
    bad: 'They wait in a circle.',
    good: 'They deadlock: a cycle of waits.',
  },
  {
    pattern: words('all the while'),
    instead: 'throughout',
    bad: 'It is held all the while.',
    good: 'It is held throughout.',
  },
  {
    pattern: words('once more|over again'),
    instead: 'again',
    bad: 'Run it once more.',
    good: 'Run it again.',
  },
  {
    pattern: words('(?<!\\b(?:twice|times) )as many|so many'),
    instead: 'the number of, the same number; or nothing',
    bad: 'There are as many as functions.',
    good: 'One for each function, or twice as many.',
  },
  {
    pattern: words("of (?:one's|your) own(?!\\s+[a-z])"),
    instead: 'your own',
    bad: 'A law of your own.',
    good: 'Your own law. A file of its own.',
  },
  {
    pattern: words('it is said|(?:is|are) said to'),
    instead: 'nothing; or who says it',
    bad: 'It is said that it fails.',
    good: 'It fails.',
  },
  {
    pattern: words(`${BE} asked(?! for\\b)|asks(?! for\\b)`),
    instead: 'checks, queries, evaluates',
    bad: 'A law that asks the state is asked there.',
    good: 'A law that reads the state is checked there. The user asks for it.',
  },
  {
    pattern: words('leads? to|led to|leading to'),
    instead: 'points to, calls, jumps to',
    bad: 'The site leads to the image.',
    good: 'The site calls the image.',
  },
  {
    pattern: words('(?:come|comes|came|coming) back'),
    instead: 'returns',
    bad: 'The call comes back.',
    good: 'The call returns.',
  },
  {
    pattern: words(
      '(?:ops|program|link|client|user|probe)s? leaves?(?! (?:its|the|a|an|no|it|them|nothing|one|every)\\b)',
    ),
    instead: 'unregisters, detaches',
    bad: 'The last ops leaves.',
    good: 'The last ops unregisters. A client leaves the table as it is.',
  },
  {
    pattern: words('at length'),
    instead: 'in detail',
    bad: 'Tell it at length.',
    good: 'Show it in detail.',
  },
  {
    pattern: /, save (?:for|that|those|what)\b/g,
    instead: 'except',
    bad: 'All of them, save for one.',
    good: 'All of them except one.',
  },
];

/** Where a file has a habit to lose, and what to write instead. */
export function styleProblems(source: Source): string[] {
  return proseOf(source).flatMap(({ text, start }) =>
    BANS.flatMap(({ pattern, instead }) =>
      [...text.matchAll(pattern)].map((found) => {
        const line = source.text.slice(0, start + found.index).split('\n').length;
        return `${source.path}:${line}: "${found[0].replace(/\s+/g, ' ')}": ${instead}`;
      }),
    ),
  );
}
