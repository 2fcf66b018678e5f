import { z } from 'zod';
import { InputError } from '../../model/core/input-error.ts';

/** One line of a recording of attach sequences, as the recorder writes it: only the fields that are used here. */
const event = z
  .object({
    h: z.string(),
    i: z.number().optional(),
    id: z.number().optional(),
    k: z.string().optional(),
    t: z.string().optional(),
    fn: z.string().optional(),
    a: z.union([z.string(), z.array(z.string())]).optional(),
    ret: z.string().optional(),
    cookie: z.string().optional(),
    ip: z.string().optional(),
    retip: z.string().optional(),
  })
  .strict();

const observation = z.object({
  entry: z.string(),
  jmp: z.literal(1).optional(),
  enabled: z.string().optional(),
  call: z.object({ fn: z.string(), rax: z.string(), callee_saved_bad: z.number().optional(), ev: z.array(event) }),
});

const step = z.object({
  op: z.string(),
  errno: z.number().int().min(0),
  stage: z.string().optional(),
  attached: z.number().int().optional(),
  warn: z.array(z.string()).optional(),
  obs: z.array(observation),
});

const fields = z.object({
  release: z.string(),
  seq: z.number().int(),
  set: z.string(),
  fns: z.array(z.string()).min(1),
  steps: z.array(step),
  after_reset: z.array(z.string()).optional(),
  poisoned: z.unknown().optional(),
  crashed: z.unknown().optional(),
  unbalanced_fgraph: z.boolean().optional(),
});

export type RecordedEvent = z.infer<typeof event>;
export type RecordedObservation = z.infer<typeof observation>;
export type RecordedStep = z.infer<typeof step>;
export type RecordedSequence = z.infer<typeof fields> & { readonly place: string };

/** Reads a line of a recording; `place` names it in the sentence of a refusal. */
export function parseSequence(line: string, place: string): RecordedSequence {
  const parsed = fields.safeParse(jsonOf(line, place));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InputError(`${place}: ${issue!.path.join('.')} ${issue!.message}`);
  }
  return { ...parsed.data, place };
}

function jsonOf(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError(`${place} is not JSON`);
  }
}
