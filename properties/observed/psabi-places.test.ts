import { expect, test } from 'vitest';
import { placeName } from '../../model/abi/x86-64.ts';
import type { Contract } from '../../model/contract/contract.ts';
import { contractFor } from '../../model/contract/contract.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import { argumentsReachTheOriginal } from '../trampoline/arguments-reach-the-original.ts';
import { psabiPlaces } from './psabi-places.ts';
import type { Subject } from './subject.ts';

test.each([
  ['u64 x7', 'rdi rsi rdx rcx r8 r9 8(%rsp)'],
  ['u64 x5, s16b, u64', 'rdi rsi rdx rcx r8 8(%rsp) 16(%rsp) r9'],
  ['u8, s16b, u32', 'rdi rsi rdx rcx'],
  ['s24b, u64', '8(%rsp) 16(%rsp) 24(%rsp) rdi'],
  ['u64 x7, u128', 'rdi rsi rdx rcx r8 r9 8(%rsp) 24(%rsp) 32(%rsp)'],
])('the psABI passes %s in %s', (args, places) => {
  expect(
    psabiPlaces(parseSignature(`${args} -> u64`).args)
      .map(placeName)
      .join(' '),
  ).toBe(places);
});

test('a caller that passes an argument elsewhere breaks the law on what reaches the original', () => {
  const sound = contractFor(parseSignature('u64 x5, s16b, u64 -> u64'), []);
  const inspect = (contract: Contract) =>
    argumentsReachTheOriginal.inspect!({ contract } as unknown as Subject);
  expect(inspect(sound)).toBeUndefined();
  const last = sound.slots.length - 1;
  const closed = sound.slots.map((slot, i) =>
    i === last ? { ...slot, place: { in: 'stack', index: 2 } as const } : slot,
  );
  expect(inspect({ ...sound, slots: closed })).toEqual({
    finding: {
      is: 'caller-passes-elsewhere',
      argument: last,
      expected: { in: 'register', index: 5 },
      observed: { in: 'stack', index: 2 },
    },
  });
});
