import { parseRun } from '../../checker/interleavings/schedule.ts';
import { functionList } from '../../commands/cost/function-file.ts';
import { imageBytes } from '../../commands/image/brought.ts';
import { parseSymbols } from '../../commands/image/symbols.ts';
import { readAskedTrace } from '../../commands/why/asked-trace.ts';
import { errnoAsked } from '../../commands/why/errno-asked.ts';
import { readText } from '../../conformance/files.ts';
import { parseRecordedHits } from '../../conformance/hits/recorded-hits.ts';
import { parseRecords } from '../../conformance/images/record.ts';
import { parseSequences } from '../../conformance/sequences/record.ts';
import { parseRecordedStubs } from '../../conformance/tracepoint/recorded-stub.ts';
import { parseTrace } from '../../counterexamples/images/trace.ts';
import { parseScenario, parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { parseAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { parsePrograms } from '../../model/trampoline/program-text.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import { sources, TOP } from '../sources.ts';

/** A reader of input, and valid input that a mutation begins with. */
export interface Reader {
  readonly name: string;
  readonly seeds: readonly string[];
  readonly read: (text: string) => unknown;
}

/** One in `every` lines of a recording. */
function recorded(name: string, every: number): string[] {
  const lines = readText(`${TOP}/conformance/recordings/${name}`).trim().split('\n');
  return lines.filter((_, i) => i % every === 0);
}

function saved(...folders: readonly string[]): string[] {
  const traces = sources('.trace').filter(({ path }) =>
    folders.some((folder) => path.includes(`/${folder}/`)),
  );
  return traces.filter((_, i) => i % 5 === 0).map(({ text }) => text);
}

function written(ending: string): string[] {
  return sources(ending).map(({ text }) => text);
}

const SYMBOLS = JSON.stringify({
  image: '0xffffffffa0200000',
  function: '0xffffffff81000000',
  symbols: { '0xffffffff81200000': 'prog#1', '0xffffffff81300000': '__bpf_tramp_enter' },
});

export const READERS: readonly Reader[] = [
  { name: 'trace of an image', seeds: saved('trampoline'), read: parseTrace },
  { name: 'trace of a sequence', seeds: saved('ftrace', 'known'), read: parseAttachTrace },
  { name: 'trace of an interleaving', seeds: saved('task'), read: parseTaskTrace },
  { name: 'scenario', seeds: written('.scenario'), read: parseScenario },
  { name: 'sequence', seeds: written('.calls'), read: readOwnSequence },
  { name: 'sequence of why', seeds: written('.calls'), read: readAskedTrace },
  { name: 'schedule', seeds: saved('task').flatMap((text) => text.split('\n')), read: parseRun },
  {
    name: 'recorded images',
    seeds: recorded('trampolines.jsonl.gz', 60),
    read: (text) => parseRecords(text, 'a.jsonl'),
  },
  {
    name: 'recorded sequences',
    seeds: recorded('sequences.jsonl.gz', 60),
    read: (text) => parseSequences(text, 'a.jsonl'),
  },
  {
    name: 'recorded stubs',
    seeds: recorded('stubs.jsonl.gz', 60),
    read: (text) => parseRecordedStubs(text, 'a.jsonl'),
  },
  {
    name: 'recorded calls',
    seeds: recorded('hits.jsonl', 1),
    read: (text) => parseRecordedHits(text, 'a.jsonl'),
  },
  { name: 'symbols', seeds: [SYMBOLS], read: (text) => parseSymbols(text, 'a.json') },
  {
    name: 'bytes of an image',
    seeds: ['f30f1efa 554889e5 4883ec10 c9 c3', '0x55, 0x48, 0x89'],
    read: (text) => imageBytes(Buffer.from(text), 'a.hex'),
  },
  {
    name: 'list of functions',
    seeds: [
      ...written('commands/cost/example.json'),
      'vfs_read\nksys_read [m]\n',
      'ffffffff81000000 t vfs_read\n',
    ],
    read: (text) => functionList({ path: 'a', text }, undefined, undefined),
  },
  {
    name: 'programs',
    seeds: ['fentry, fexit cookie=0x1, fmod_ret', 'fentry get_func_ip sleepable, fsession session_cookie'],
    read: parsePrograms,
  },
  { name: 'signature', seeds: ['u64 x9 -> u64', 'ptr, s16b, u128 -> s32', '-> void'], read: parseSignature },
  {
    name: 'kernel',
    seeds: ['6.12, imageLifecycle = C, linksMax = 3', '7.2', '6.1, preemption = none'],
    read: profileNamed,
  },
  { name: 'errno', seeds: ['EBUSY', '-16', 'device or resource busy', '22'], read: errnoAsked },
];
