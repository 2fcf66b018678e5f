import { z } from 'zod';
import * as checked from './checked.ts';
import * as code from './code.ts';
import * as compared from './compared.ts';
import * as kernels from './kernels.ts';
import * as runs from './runs.ts';
import * as traced from './traced.ts';

const { bundle, newDesign, completion, error, ...traces } = traced;

/** The objects of `--json`, by the names of their examples in `docs/json.md`, and those that have none there. */
export const RESULTS: Readonly<Record<string, z.ZodType>> = {
  error,
  check: checked.check,
  search: z.union([checked.imageSearch, checked.sequenceSearch, checked.unmodelled]),
  explore: checked.exploration,
  scenario: checked.scenario,
  random: checked.random,
  exhaust: checked.exhaust,
  near: checked.sequenceSearch,
  ...runs,
  ...code,
  ...compared,
  ...kernels,
  ...traces,
  bundle,
  new: newDesign,
  completion,
};

/** One schema of all of them, as JSON Schema has it (draft 2020-12). */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const names = Object.keys(RESULTS).toSorted();
  const definitions = names.map((name) => {
    const { $schema: _, ...schema } = z.toJSONSchema(RESULTS[name]!, { target: 'draft-2020-12' });
    return [name, schema] as const;
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'attachcheck --json',
    description: 'The object that a command prints with --json; docs/json.md says what its fields mean.',
    anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(definitions),
  };
}

/** The file. */
export function printSchema(): string {
  return `${JSON.stringify(jsonSchema(), undefined, 2)}\n`;
}
