import type { Btf } from '../commands/cost/btf.ts';

/** Types of arguments, of which a kernel has few kinds: words, pointers to many structures, one by value, a union. */
const POINTERS = 8000;

/**
 * What bpftool would print of a kernel with this number of functions: two share a prototype of one to seven arguments, most of
 * them pointers; some take variable arguments, a structure or a union. The same for the same number.
 */
export function btfOf(functions: number): Btf {
  const types: Btf['types'] = [...WORDS];
  for (let i = 0; i < POINTERS; i++) {
    const id = types.length + 1;
    types.push({ id, kind: 'STRUCT', name: `s${i}`, size: 8 * (1 + (i % 40)) });
    types.push({ id: id + 1, kind: 'PTR', name: '(anon)', type_id: id });
  }
  const random = randomNumbers();
  for (let i = 0; i < functions; i++) {
    if (i % 2 === 0) types.push(prototypeOf(types.length + 1, random));
    const proto = types.findLast(({ kind }) => kind === 'FUNC_PROTO')!.id;
    types.push({ id: types.length + 1, kind: 'FUNC', name: `fn_${i}`, type_id: proto });
  }
  return { types };
}

const WORDS: Btf['types'] = [
  { id: 1, kind: 'INT', name: 'int', size: 4, encoding: 'SIGNED' },
  { id: 2, kind: 'INT', name: 'unsigned long', size: 8, encoding: '(none)' },
  { id: 3, kind: 'INT', name: '_Bool', size: 1, encoding: 'BOOL' },
  { id: 4, kind: 'TYPEDEF', name: 'size_t', type_id: 2 },
  { id: 5, kind: 'STRUCT', name: 'pair', size: 16 },
  { id: 6, kind: 'UNION', name: 'either', size: 8 },
];

/** One argument in a thousand is variable; a third are words. */
function prototypeOf(id: number, random: (below: number) => number): Btf['types'][number] {
  const typeOf = () => {
    if (random(3) === 0) return 1 + random(4);
    return random(400) === 0 ? 5 + random(2) : WORDS.length + 2 + 2 * random(POINTERS);
  };
  const params = Array.from({ length: 1 + random(7) }, () => ({ type_id: typeOf() }));
  const more = random(300) === 0 ? [{ type_id: 0 }] : [];
  return { id, kind: 'FUNC_PROTO', name: '(anon)', ret_type_id: random(3), params: [...params, ...more] };
}

/** A linear congruential generator: numbers below a bound. */
function randomNumbers(): (below: number) => number {
  let state = 12_345;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}
