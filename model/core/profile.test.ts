import { expect, test } from 'vitest';
import { profileNamed } from './profile.ts';

test('an override is one behaviour, once, and its value', () => {
  expect(profileNamed('6.12, imageLifecycle = C , linksMax = 3')).toMatchObject({
    imageLifecycle: 'C',
    linksMax: 3,
  });
  expect(() => profileNamed('6.12, imageLifecycle = C = A')).toThrow('is not one behaviour and its value');
  expect(() => profileNamed('6.12, linksMax = 3, linksMax = 3')).toThrow('behaviour linksMax is given twice');
  expect(() => profileNamed('7.2\n')).toThrow('the name of a kernel has a control character');
});
