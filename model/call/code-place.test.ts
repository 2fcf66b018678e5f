import { expect, test } from 'vitest';
import { worldOf } from '../testing/call-rig.ts';
import { addressOf, C_FUNCTIONS, ENTRY_CODE } from '../text/space.ts';
import { allocatePage, bodyAddress } from '../text/text.ts';
import { fromHex, plus } from '../x86/word.ts';
import { codePlace, PAGES_MOST } from './code-place.ts';

const K = worldOf('6.12');
allocatePage(K, 'tramp#1', '');
allocatePage(K, 'ops#1.trampoline', '');

test('a symbol has its own name', () => {
  const symbols = [
    ...ENTRY_CODE,
    ...C_FUNCTIONS,
    'f0',
    'rec',
    'tramp#1',
    'ops#1.trampoline',
    'prog#1',
    'prog#300',
  ];
  expect(symbols.map((symbol) => codePlace(K, addressOf(K, symbol)))).toEqual(symbols);
});

test.each([
  ['f2+0x9', bodyAddress(K, 'f2')],
  ['tramp#1+0x4b', plus(addressOf(K, 'tramp#1'), 0x4b)],
  ['ftrace_regs_caller+0x1ff', plus(addressOf(K, 'ftrace_regs_caller'), 0x1ff)],
  ['page 2+0x10', plus(addressOf(K, 'tramp#1'), 0x2010)],
])('%s is a symbol and an offset', (name, address) => {
  expect(codePlace(K, address)).toBe(name);
});

test.each([
  ['0x0', fromHex('0x0')],
  ['0xffffc90000100000', fromHex('0xffffc90000100000')],
  ['0xffffffff810ffff0', fromHex('0xffffffff810ffff0')],
  ['0xffffffff81040000', plus(addressOf(K, 'prog#1'), -0x10)],
  ['0xffffffffc0240000', plus(addressOf(K, 'tramp#1'), PAGES_MOST * 0x1000)],
])('%s has no name', (name, address) => {
  expect(codePlace(K, address)).toBe(name);
});
