import { z } from 'zod';
import { item } from '../../model/core/present.ts';
import { isReservedName } from '../../model/core/reserved-name.ts';

/** One line of a recording of trampolines, as the recorder writes it: only the fields used here. */
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

const fields = z.object({
  kernel: z.string(),
  config: z.object({ boot: z.string() }),
  rec: z.number().int(),
  func: z.string().refine((name) => !isReservedName(name), 'is a reserved name'),
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

/** The fields of an image have to be present when the image is. */
const record = fields.superRefine((value, context) => {
  if (value.attached > value.progs.length)
    context.addIssue({
      code: 'custom',
      path: ['attached'],
      message: `is ${value.attached}, of ${value.progs.length} programs`,
    });
  if (value.image_hex === undefined) return;
  for (const path of ['image_addr', 'symbols'] as const)
    if (value[path] === undefined)
      context.addIssue({ code: 'custom', path: [path], message: 'is missing, and there is an image' });
});

export type RecordedProgram = z.infer<typeof program>;
export type RecordedImageEvent = z.infer<typeof event>;
/** A recorded attach combination, with its file and line. */
export type RecordedImage = z.infer<typeof record> & { readonly place: string };

/** The records of a file, and a sentence for each invalid line. */
export interface Records {
  readonly records: readonly RecordedImage[];
  readonly problems: readonly string[];
}

/** Reads the lines of one file of recordings; a damaged line does not affect the others. */
export function parseRecords(text: string, file: string): Records {
  const records: RecordedImage[] = [];
  const problems: string[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const parsed = parseRecord(line, `${file}:${index + 1}`);
    if (typeof parsed === 'string') problems.push(parsed);
    else records.push(parsed);
  });
  if (records.length + problems.length === 0) problems.push(`${file}: there is no record in it`);
  return { records, problems };
}

function parseRecord(line: string, place: string): RecordedImage | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return `${place}: this line is not JSON; is the file cut off?`;
  }
  const result = record.safeParse(value);
  return result.success
    ? { ...result.data, place }
    : `${place}: ${describeIssue(item(result.error.issues, 0))}`;
}

/** `field call.rax is missing`, `field attached: expected number, received string` … */
export function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const field = path.length === 0 ? 'the record' : `field ${path.join('.')}`;
  if (/received undefined$/.test(message)) return `${field} is missing`;
  const short = message.replace(/^Invalid \w+: /, '').replace(/^T/, 't');
  return short.startsWith('is ') ? `${field} ${short}` : `${field}: ${short}`;
}
