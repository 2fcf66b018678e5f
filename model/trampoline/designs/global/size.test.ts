import { expect, test } from 'vitest';
import { Rig } from '../../../attach-rig.ts';
import { tracedFunction } from '../../traced-function.ts';
import { dataOf } from './kfunc-md.ts';

test('5 000 functions are attached to, called and left', () => {
  const functions = Array.from({ length: Number(process.env.N ?? 5000) }, (_, i) =>
    tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'),
  );
  const one = new Rig('6.12, multiLinks = global', functions);
  one.load(1, 'fentry', '', { multi: true });
  let t = Date.now();
  expect(
    one.answer({
      do: 'BPF_LINK_CREATE',
      link: 'link#1',
      prog: 1,
      targets: functions.map(({ name }) => name),
    }),
  ).toBe(0);
  console.log('attach', Date.now() - t);
  t = Date.now();
  expect(one.call('f77').who).toEqual(['prog#1', 'f77']);
  console.log('call', Date.now() - t);
  t = Date.now();
  expect(one.close(1)).toEqual([]);
  console.log('close', Date.now() - t);
  t = Date.now();
  one.answer({ do: 'settle' });
  console.log('settle', Date.now() - t);
  t = Date.now();
  expect(dataOf(one.k).mds).toEqual({});
}, 100000);
