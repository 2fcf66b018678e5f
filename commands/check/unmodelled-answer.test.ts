import { expect, test } from 'vitest';
import { UnmodelledSequence } from '../../checker/sequences/unmodelled.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { unmodelledAnswer } from './unmodelled-answer.ts';

const { case: c } = parseSequence(`kernel   6.12

f1 = function(u64 -> u64)

ops#1 = ftrace_ops()
register_ftrace_function(ops#1)
`);

test('what is not modelled comes with a file that says how it was met', () => {
  const answer = unmodelledAnswer(
    new UnmodelledSequence(c, 'unsupported instruction 0f01 (sgdt) at f1+0x4', 17),
  );
  expect(answer.exit).toBe(EXIT.FAILED);
  expect(answer.text).toContain('unsupported instruction 0f01 (sgdt) at f1+0x4');
  expect(answer.text).toContain('2 calls, shrunk from 17');
  const [{ path, text }] = answer.save as [{ path: string; text: string }];
  expect(path).toMatch(/\.calls$/);
  expect(parseSequence(text).case).toEqual(c);
});
