import { z } from 'zod';
import type { ListedFunction } from '../../checker/cost/function-list.ts';
import { describeIssue } from '../../conformance/images/record.ts';
import { InputError } from '../../model/core/input-error.ts';
import { nearest } from '../../model/core/nearest.ts';
import { globMatches } from '../../model/ftrace/glob.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { btfSchema, functionsOfBtf } from './btf.ts';
import { isNameList, parseNames, withoutTypes, withTypes } from './name-list.ts';

const listSchema = z.strictObject({
  functions: z.array(
    z.strictObject({
      name: z.string().min(1),
      args: z.array(z.string()),
      ret: z.string().optional(),
      varargs: z.boolean().optional(),
    }),
  ),
});

/** Functions of the largest list: the text of a kernel has room for this number. */
const MOST = 65_536;

/** A file and its content. */
export interface NamedText {
  readonly path: string;
  readonly text: string;
}

/** Functions, and whether their types are known. */
export interface FunctionList {
  readonly functions: readonly ListedFunction[];
  readonly isTyped: boolean;
}

/**
 * The functions that a file names, or those of them that `globs` choose: a list in our own format, `{
 * "functions": [{ "name", "args", "ret" }] }`, or the output of `bpftool btf dump file
 * /sys/kernel/btf/vmlinux format raw -j`. With `names`, those that this second file lists, with types from
 * the first. The first may itself be a list of names: then it has no types.
 */
export function functionList(
  { path, text }: NamedText,
  names: NamedText | undefined,
  globs: string | undefined,
): FunctionList {
  if (!isNameList(text)) {
    const typed = readFunctions(jsonOf(text, path), path);
    const listed = names === undefined ? typed : withTypes(parseNames(names.text, names.path), typed);
    return { functions: chosenOf(listed, names?.path ?? path, globs), isTyped: true };
  }
  if (names !== undefined)
    throw new InputError(`${path}: it has no types, which --names ${names.path} needs`);
  return { functions: chosenOf(withoutTypes(parseNames(text, path)), path, globs), isTyped: false };
}

function chosenOf(
  all: readonly ListedFunction[],
  file: string,
  globs: string | undefined,
): readonly ListedFunction[] {
  if (all.length === 0) throw new InputError(`${file}: no function in this file`);
  const chosen = globs === undefined ? all : fittingOf(all, globs.split(','), file);
  if (chosen.length > MOST)
    throw new InputError(
      `${file}: ${chosen.length} functions exceed the limit of ${MOST}; choose some with --functions`,
    );
  return chosen;
}

/** The functions that match one of the globs; each glob has to match some. */
function fittingOf(all: readonly ListedFunction[], globs: readonly string[], file: string): ListedFunction[] {
  const chosen = new Set<ListedFunction>();
  for (const glob of globs.map((word) => word.trim())) {
    const fitting = all.filter(({ name }) => globMatches(glob, name));
    if (fitting.length === 0)
      throw new InputError(`${file}: --functions ${glob} matches no function${hint(glob, all)}`);
    for (const listed of fitting) chosen.add(listed);
  }
  return all.filter((listed) => chosen.has(listed));
}

function hint(glob: string, all: readonly ListedFunction[]): string {
  const meant = nearest(
    glob,
    all.map(({ name }) => name),
  );
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${file}: not JSON; is the file truncated?`);
  }
}

function readFunctions(value: unknown, file: string): ListedFunction[] {
  if (typeof value === 'object' && value !== null && 'types' in value)
    return functionsOfBtf(checked(btfSchema, value, file));
  return checked(listSchema, value, file).functions.map((item, i) => {
    const place = `${file}: functions[${i}]`;
    const args = item.args.map((name, k) => typeAt(name, `${place}.args[${k}]`));
    const ret = item.ret === undefined ? 'u64' : typeAt(item.ret, `${place}.ret`);
    const empty = args.indexOf('void');
    if (empty >= 0)
      throw new InputError(
        `${place}.args[${empty}] is void: for a function without arguments leave args empty`,
      );
    return item.varargs === true
      ? { name: item.name, signature: undefined, why: 'it takes variable arguments' }
      : { name: item.name, signature: `${args.join(', ')} -> ${ret}`, why: undefined };
  });
}

function checked<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue!.path.length === 0)
    throw new InputError(`${file}: neither an object with functions nor output of bpftool`);
  throw new InputError(`${file}: ${describeIssue({ ...issue!, path: [placeIn(issue!.path)] })}`);
}

/** `functions[3].args[1]`. */
function placeIn(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

function typeAt(name: string, place: string): string {
  if (typeNamed(name) === undefined)
    throw new InputError(
      `${place}: "${name}" is not a type; types are u8 … u128, s8 … s128, bool, ptr, s<N>b`,
    );
  return name;
}
