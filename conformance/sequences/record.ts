import { z } from 'zod';
import { item } from '../../model/core/present.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { describeIssue } from '../images/record.ts';
import { ENABLED_LINE } from './enabled.ts';
import type { RecordedOp } from './op.ts';
import { functionProblem, parseOp } from './op.ts';

/** One line of a recording of attach sequences, as the recorder writes it: only the fields used here. */
const hex = z.string().regex(/^0x[0-9a-f]{1,16}$/, 'is not a hexadecimal number like 0x9191919191919191');
const optionalText = z.string().optional();

const event = z.strictObject({
  h: z.enum([
    'body',
    'repl',
    'direct',
    'ftrace',
    'fg_entry',
    'fg_exit',
    'kprobe',
    'kprobe_post',
    'kretprobe_entry',
    'kretprobe',
    'fprobe_entry',
    'fprobe_exit',
    'bpf',
  ]),
  i: z.number().optional(),
  id: z.number().optional(),
  k: optionalText,
  t: optionalText,
  fn: optionalText,
  a: z.union([z.string().regex(/^=[0-9]+$/), z.array(hex)]).optional(),
  ret: hex.optional(),
  cookie: hex.optional(),
  ip: optionalText,
  retip: optionalText,
});

const observation = z.object({
  entry: z.string(),
  jmp: z.literal(1).optional(),
  enabled: z.string().regex(ENABLED_LINE, 'is not a line of enabled_functions').optional(),
  call: z.object({
    fn: z.string(),
    rax: hex,
    callee_saved_bad: z.number().int().optional(),
    ev: z.array(event),
  }),
});

const step = z.object({
  op: z.string(),
  errno: z.number().int().min(0),
  stage: z.enum(['runner', 'load', 'attach']).optional(),
  attached: z.number().int().optional(),
  warn: z.array(z.string()).optional(),
  obs: z.array(observation),
});

const record = z.object({
  release: z.string(),
  seq: z.number().int(),
  set: z.string(),
  fns: z.array(z.string()).min(1),
  steps: z.array(step),
  after_reset: z.array(z.string()).optional(),
  poisoned: z.object({ fn: z.string(), dreg_errno: z.number().int() }).optional(),
  crashed: z.object({ during_op: z.string() }).optional(),
});

export type RecordedSequenceEvent = z.infer<typeof event>;
export type RecordedObservation = z.infer<typeof observation>;

/** A recorded sequence, with its file and line, and its operations. */
export interface RecordedSequence extends z.infer<typeof record> {
  readonly place: string;
  readonly kernel: RecordedVersion;
  readonly ops: readonly RecordedOp[];
}

/** The sequences of a file, and a sentence for each invalid line. */
export interface Sequences {
  readonly sequences: readonly RecordedSequence[];
  readonly problems: readonly string[];
}

/** Reads the lines of one file of recordings; a damaged line does not affect the others. */
export function parseSequences(text: string, file: string): Sequences {
  const sequences: RecordedSequence[] = [];
  const problems: string[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const place = `${file}:${index + 1}`;
    const parsed = parseSequence(line, place);
    if (typeof parsed === 'string') problems.push(`${place}: ${parsed}`);
    else sequences.push(parsed);
  });
  if (sequences.length + problems.length === 0) problems.push(`${file}: there is no sequence in it`);
  return { sequences, problems };
}

function parseSequence(line: string, place: string): RecordedSequence | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'this line is not JSON; is the file cut off?';
  }
  const parsed = record.safeParse(value);
  if (!parsed.success) return describeIssue(item(parsed.error.issues, 0));
  const { data } = parsed;
  const kernel = RECORDED_KERNELS.find((version) => data.release.startsWith(`${version}.`));
  if (kernel === undefined)
    return `kernel ${data.release} has no profile; there are ${RECORDED_KERNELS.join(', ')}`;
  const ops: RecordedOp[] = [];
  for (const [i, { op }] of data.steps.entries()) {
    const read = parseOp(op);
    if (typeof read === 'string') return `field steps.${i}.op: ${read}`;
    ops.push(read);
  }
  return problemOf(data) ?? { ...data, place, kernel, ops };
}

/** An inconsistency in a record. */
function problemOf({ fns, steps, after_reset, crashed }: z.infer<typeof record>): string | undefined {
  for (const fn of fns) {
    const problem = functionProblem(fn);
    if (problem !== undefined) return `field fns: ${problem}`;
  }
  for (const [i, { obs }] of steps.entries())
    if (obs.map(({ call }) => call.fn).join() !== fns.join())
      return `field steps.${i}.obs does not hold a call of each of ${fns.join(', ')}`;
  if (after_reset === undefined) return crashed === undefined ? 'field after_reset is missing' : undefined;
  return after_reset.length === fns.length ? undefined : 'field after_reset does not fit the field fns';
}
