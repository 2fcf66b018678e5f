import { RESULTS } from '../commands/schema/all.ts';

/**
 * The difference between the shapes of two values: fields that one has and the other has not, and types. `null`
 * matches anything, an empty list any list, and objects whose keys are data are compared by their values.
 */
export function shapeDifferences(example: unknown, real: unknown, path = ''): string[] {
  if (example === null || real === null) return [];
  if (Array.isArray(example) && Array.isArray(real))
    return example.length === 0
      ? []
      : real.flatMap((item) => shapeDifferences(example[0], item, `${path}[]`));
  if (typeof example !== typeof real || Array.isArray(example) !== Array.isArray(real))
    return [`${path}: ${typeof example} in the document, ${typeof real} in the output`];
  if (typeof example !== 'object') return [];
  const [documented, printed] = [example as Record<string, unknown>, real as Record<string, unknown>];
  if (/\.(refusals|known|kernels\[\]\.sites)$/.test(path) && !Array.isArray(example))
    return Object.values(printed).flatMap((value) =>
      shapeDifferences(Object.values(documented)[0], value, path),
    );
  const keys = new Set([...Object.keys(documented), ...Object.keys(printed)]);
  return [...keys].flatMap((key) => {
    if (!(key in printed)) return [`${path}.${key}: documented, and not printed`];
    if (!(key in documented)) return [`${path}.${key}: printed, and not documented`];
    return shapeDifferences(documented[key], printed[key], `${path}.${key}`);
  });
}

/** Where an object is not of its schema, each place with what is wrong there. */
export function schemaProblems(name: string, printed: unknown): string[] {
  const schema = RESULTS[name];
  if (schema === undefined) return [`there is no schema ${name}`];
  const issues = schema.safeParse(printed).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
