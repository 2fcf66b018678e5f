import { expect, test } from 'vitest';
import { CLIENT_TRAMPS } from '../../../model/text/space.ts';
import { formsFor } from './forms.ts';

test('the forms of a late action name trampolines that exist', () => {
  const forms = formsFor({ n: 4, ip: 'f1', direct: 'direct#4' });
  const named = forms.flatMap(({ attach }) => ('addr' in attach ? [attach.addr] : []));
  expect(named).toHaveLength(2);
  for (const addr of named) expect(CLIENT_TRAMPS).toContain(addr);
});
