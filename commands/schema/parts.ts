import { z } from 'zod';
import { EXIT } from '../../counterexamples/answer.ts';

/* Parts of the objects that commands print with `--json`; `docs/json.md` says what they mean. */

export const text = z.string();
export const texts = z.array(text);
export const count = z.int().nonnegative();
export const maybeText = text.nullable();
export const maybeCount = count.nullable();

/** A count that may exceed 2⁵³. */
export const digits = z.string().regex(/^\d+$/);

/** How often, by name. */
export const counts = z.record(z.string(), count);

export const exit = z.literal(Object.values(EXIT));

/** What every object begins with. */
export function answer<C extends string, T extends z.core.$ZodLooseShape>(command: C, fields: T) {
  return z.strictObject({ command: z.literal(command), exit, ...fields });
}

/** Values by kernel. */
export const byKernel = z.record(z.string(), text);

const program = z.strictObject({
  kind: text,
  multi: z.boolean(),
  cookie: text,
  getFuncIp: z.boolean(),
  sessionCookie: z.boolean(),
  sleepable: z.boolean(),
});

/** An attach combination. */
export const combination = z.strictObject({
  kernel: text,
  boot: text,
  ibt: z.boolean(),
  args: texts,
  ret: text,
  programs: z.array(program),
  ipmodify: z.boolean(),
  tailCalls: z.boolean(),
});

/** A breach that was found: its law, its file, its report. */
export const found = z.strictObject({ law: text, path: maybeText, report: text });

export const unasked = z.array(z.strictObject({ law: text, why: text }));

export const calls = z.strictObject({ name: text, calls: count });
