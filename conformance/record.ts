import { z } from 'zod';

/** One line of a recording of trampolines, as the recorder writes it: only the fields that are used here. */
const hex = z.string().regex(/^0x[0-9a-f]{1,16}$/i, 'is not a hexadecimal number like 0xffffffff81000000');
const hexBytes = z.string().regex(/^([0-9a-f]{2})*$/i, 'is not a string of hexadecimal bytes');

const program = z.object({
  id: z.number().int().min(0),
  kind: z.enum(['fentry', 'fexit', 'fmod', 'fses', 'fentrym', 'fexitm', 'fsesm', 'kpm', 'krpm', 'kses']),
  spec: z.string(),
  ret: z.number().int(),
  cookie: z.boolean(),
  get_func_ip: z.boolean(),
  sleepable: z.boolean(),
});

const event = z.object({
  h: z.string(),
  fn: z.string().optional(),
  id: z.number().int().optional(),
  n: z.number().int().optional(),
  a: z.array(hex).optional(),
  ret: hex.optional(),
  cookie: hex.optional(),
  ip: z.string().optional(),
  k: z.string().optional(),
});

const call = z.object({
  regs: z.array(hex).length(6),
  stk: z.array(hex),
  rax: hex,
  rdx: hex,
  callee_saved_bad: z.number().int(),
  ev: z.array(event),
});

const record = z.object({
  kernel: z.string(),
  config: z.object({ boot: z.string() }),
  rec: z.number().int(),
  func: z.string(),
  args: z.array(z.string()),
  ret: z.string(),
  progs: z.array(program),
  attached: z.number().int().min(0),
  errno: z.number().int().min(0),
  errno_stage: z.enum(['load', 'attach', 'runner']).optional(),
  func_addr: hex,
  entry_hex: hexBytes,
  entry_after_detach_hex: hexBytes,
  entry_target: hex.optional(),
  enabled_functions: z.string().optional(),
  image_addr: hex.optional(),
  image_hex: hexBytes.optional(),
  image_size_alloc: z.number().int().optional(),
  symbols: z.record(hex, z.string()).optional(),
  coexist: z.string().optional(),
  call,
});

export type RecordedProgram = z.infer<typeof program>;
export type RecordedEvent = z.infer<typeof event>;
export type RecordedCall = z.infer<typeof call>;
/** A recorded attach combination, and where it was read. */
export type Recorded = z.infer<typeof record> & { readonly place: string };

/** A recording that cannot be read; the message names the file, the line and what is wrong there. */
export class RecordingError extends Error {
  override name = 'RecordingError';
}

/** Reads the lines of one file of recordings. */
export function parseRecords(text: string, file: string): Recorded[] {
  const records: Recorded[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() !== '') records.push(parseRecord(line, `${file}:${index + 1}`));
  });
  if (records.length === 0) throw new RecordingError(`${file}: there is no record in it`);
  return records;
}

function parseRecord(line: string, place: string): Recorded {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RecordingError(`${place}: this line is not JSON (a truncated file?)`);
  }
  const result = record.safeParse(value);
  if (result.success) return { ...result.data, place };
  const issue = result.error.issues[0]!;
  const field = issue.path.length === 0 ? 'the record' : `field ${issue.path.join('.')}`;
  const message = issue.message.replace(/^Invalid \w+: /, '').replace(/^T/, 't');
  const wrong = /received undefined$/.test(message)
    ? ' is missing'
    : message.startsWith('is not')
      ? ` ${message}`
      : `: ${message}`;
  throw new RecordingError(`${place}: ${field}${wrong}`);
}
