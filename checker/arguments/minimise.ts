import { ARCHES } from '../../model/abi/arch.ts';
import { BY_PLAN } from '../../model/abi/sharing.ts';
import { present } from '../../model/core/present.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import type { FunctionSample } from '../../properties/law/argument-law.ts';
import { existsOn } from './draw.ts';

/** A sample that still breaks the law, and that no single step makes simpler. */
export function minimise(
  sample: FunctionSample,
  breaks: (smaller: FunctionSample) => boolean,
): FunctionSample {
  for (let small = sample; ; ) {
    const next = [...simpler(small)].find(breaks);
    if (next === undefined) return small;
    small = next;
  }
}

/** One step: a function or an argument less, u64 in place of a type, the usual setting, an earlier architecture. */
function* simpler(sample: FunctionSample): Generator<FunctionSample> {
  const { arch, how, functions, order } = sample;
  for (const i of functions.keys()) yield without(sample, i);
  for (const key of Object.keys(how) as (keyof typeof how)[])
    if (how[key] !== BY_PLAN[key]) yield { ...sample, how: { ...how, [key]: BY_PLAN[key] } };
  if (functions.some(({ programs }) => programs !== 'A') && how.programs !== 'their own')
    yield { ...sample, functions: functions.map((item) => ({ ...item, programs: 'A' })) };
  for (const [i, item] of functions.entries())
    for (const signature of simplerSignatures(item))
      yield { ...sample, functions: functions.with(i, { ...item, ...signature }) };
  for (const before of ARCHES.slice(0, ARCHES.indexOf(arch)))
    if (functions.every(({ args, ret }) => [...args, ret].every(existsOn(before))))
      yield { ...sample, arch: before };
  const straight = order.toSorted((a, b) => a - b);
  if (order.join() !== straight.join()) yield { ...sample, order: straight };
}

function without({ functions, order, ...rest }: FunctionSample, i: number): FunctionSample {
  return {
    ...rest,
    functions: functions.toSpliced(i, 1),
    order: order.filter((index) => index !== i).map((index) => (index > i ? index - 1 : index)),
  };
}

function* simplerSignatures({ args, ret }: Signature): Generator<Signature> {
  const word = present(typeNamed('u64'), 'u64');
  for (const i of args.keys()) yield { args: args.toSpliced(i, 1), ret };
  for (const [i, type] of args.entries())
    if (type.name !== word.name) yield { args: args.with(i, word), ret };
  if (ret.name !== word.name) yield { args, ret: word };
}
