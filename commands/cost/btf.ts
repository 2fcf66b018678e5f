import { z } from 'zod';
import type { ListedFunction } from '../../checker/cost/function-list.ts';
import { last } from '../../model/core/present.ts';

/** One type of `bpftool btf dump … format raw -j`: the fields that are used here. */
const type = z.object({
  id: z.number().int().positive(),
  kind: z.string(),
  name: z.string(),
  size: z.number().int().min(0).optional(),
  encoding: z.string().optional(),
  type_id: z.number().int().min(0).optional(),
  ret_type_id: z.number().int().min(0).optional(),
  params: z.array(z.object({ type_id: z.number().int().min(0) })).optional(),
});

/** bpftool's dump of a kernel's types. */
export const btfSchema = z.object({ types: z.array(type) });

type BtfType = z.infer<typeof type>;
export type Btf = z.infer<typeof btfSchema>;

const MODIFIERS: readonly string[] = ['TYPEDEF', 'CONST', 'VOLATILE', 'RESTRICT', 'TYPE_TAG'];

/** The functions of a kernel by its BTF, each with its type as btf_distill_func_proto() sees it. */
export function functionsOfBtf({ types }: Btf): ListedFunction[] {
  const byId = new Map(types.map((item) => [item.id, item]));
  return types.filter(({ kind }) => kind === 'FUNC').map((func) => listed(func, byId));
}

function listed({ name, type_id: id }: BtfType, byId: ReadonlyMap<number, BtfType>): ListedFunction {
  const proto = byId.get(id ?? 0);
  const params = proto?.params ?? [];
  if (params.length > 0 && last(params).type_id === 0) return without(name, 'it takes variable arguments');
  const args = params.map((param) => spelled(param.type_id, byId));
  const ret = spelled(proto?.ret_type_id ?? 0, byId);
  const strange = [...args, ret].find((item) => typeof item !== 'string');
  if (strange !== undefined)
    return without(name, `${strange === ret ? 'it returns' : 'it takes'} ${(strange as Strange).what}`);
  if (args.includes('void')) return without(name, 'it takes an argument of no size');
  return { name, signature: `${args.join(', ')} -> ${ret as string}`, why: undefined };
}

function without(name: string, why: string): ListedFunction {
  return { name, signature: undefined, why };
}

/** A type that bars functions from being attached to. */
interface Strange {
  readonly what: string;
}

/** A type as signatures spell it, through typedefs and qualifiers: `ptr`, `s32`, `s16b`. */
function spelled(id: number, byId: ReadonlyMap<number, BtfType>): string | Strange {
  let item = byId.get(id);
  for (let left = byId.size; left > 0 && item !== undefined && MODIFIERS.includes(item.kind); left--)
    item = byId.get(item.type_id ?? 0);
  if (item === undefined) return 'void';
  const { kind, size = 0, encoding = '' } = item;
  switch (kind) {
    case 'PTR':
      return 'ptr';
    case 'INT':
    case 'ENUM':
    case 'ENUM64':
      return integer(size, encoding);
    case 'STRUCT':
      return size === 0 ? { what: 'a structure of no size' } : `s${size}b`;
    case 'UNION':
      return { what: 'a union' };
    default:
      return { what: `a type of kind ${kind}` };
  }
}

function integer(size: number, encoding: string): string | Strange {
  if (encoding === 'BOOL') return 'bool';
  return [1, 2, 4, 8, 16].includes(size)
    ? `${encoding === 'SIGNED' ? 's' : 'u'}${8 * size}`
    : { what: `an integer of ${size} bytes` };
}
