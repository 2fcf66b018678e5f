import { expect, test } from 'vitest';
import { benchFor } from '../../checker/images/bench.ts';
import type { CaseProgram, ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { CORPUS } from '../corpus-folder.ts';
import { traceKind } from '../trace-kind.ts';
import { parseTrace } from './trace.ts';

/*
 * What a report says of simpler images, tried without the shrinker: each program, argument and option is left out alone.
 */

const FLAGS = ['multi', 'getFuncIp', 'sessionCookie', 'sleepable'] as const;
const OPTIONAL = ['lsm', 'cgroup', 'shim', 'structOps'] as const;

/** A program without one of its options, or of the plainest kind. */
function lessOf(program: CaseProgram): CaseProgram[] {
  const less: CaseProgram[] = FLAGS.filter((flag) => program[flag]).map((flag) => ({
    ...program,
    [flag]: false,
  }));
  for (const flag of OPTIONAL) {
    const { [flag]: has, ...without } = program;
    if (has === true) less.push(without);
  }
  if (program.cookie !== '0x0') less.push({ ...program, cookie: '0x0' });
  if (program.kind !== 'fentry') less.push({ ...program, kind: 'fentry', sessionCookie: false });
  return less;
}

function lessOfCase(c: ImageCase): ImageCase[] {
  const { programs, args } = c;
  const fewer = programs.length < 2 ? [] : programs.map((_, i) => programs.toSpliced(i, 1));
  const plainer = programs.flatMap((program, i) => lessOf(program).map((less) => programs.with(i, less)));
  const arguments_ = args.flatMap((type, i) => [
    args.toSpliced(i, 1),
    ...(type === 'u64' ? [] : [args.with(i, 'u64')]),
  ]);
  return [
    ...[...fewer, ...plainer].map((less) => ({ ...c, programs: less })),
    ...arguments_.map((less) => ({ ...c, args: less })),
    ...(c.ret === 'u64' ? [] : [{ ...c, ret: 'u64' }]),
    ...(c.ipmodify ? [{ ...c, ipmodify: false }] : []),
    ...(c.tailCalls ? [{ ...c, tailCalls: false }] : []),
    ...(c.boot === 'default' ? [] : [{ ...c, boot: 'default' as const }]),
  ];
}

const CLAIMS =
  /minimal {4}(all \d+ simpler cases one step away hold|the simpler case|there is no simpler case)/;

const SAVED = sources('.trace').filter(
  ({ path, text }) => path.startsWith(`${CORPUS}/`) && traceKind(text) === 'image' && CLAIMS.test(text),
);

test('every saved image says so', () => {
  const all = sources('.trace').filter(
    ({ path, text }) => path.startsWith(`${CORPUS}/`) && traceKind(text) === 'image',
  );
  expect(SAVED).toHaveLength(all.length);
});

test.each(someOf(SAVED, 3).map(({ path, text }) => [path, text] as const))(
  '%s is as simple as it says',
  (_, text) => {
    const { case: c, law: name, planted } = parseTrace(text);
    const law = IMAGE_LAWS.find((own) => own.name === name)!;
    const bench = benchFor(PLANTED.find((own) => own.name === planted));
    const breaks = (other: ImageCase) =>
      runCase(bench, other, { laws: [law], known: [] }).verdict?.breach !== undefined;
    expect(breaks(c)).toBe(true);
    expect(lessOfCase(c).filter(breaks)).toEqual([]);
  },
);
