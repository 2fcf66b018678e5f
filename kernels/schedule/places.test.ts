import { describe, expect, test } from 'vitest';
import { KernelCode } from './code.ts';
import { addressesOf, offsetInImage, ratingOf } from './places.ts';

/** A kernel of a few functions: their addresses, and their bytes. */
function kernelOf(functions: Readonly<Record<string, readonly number[]>>): KernelCode {
  const START = 0xffff_ffff_8100_0000n;
  const names = Object.keys(functions);
  const addressOf = (name: string) => START + 0x1000n * BigInt(names.indexOf(name));
  const place = (address: bigint, is: string) => JSON.stringify({ at: `0x${address.toString(16)}`, is });
  const symbolAt = (address: bigint) => {
    const name = names.find((own) => address >= addressOf(own) && address < addressOf(own) + 0x1000n);
    const size = name === undefined ? 0 : functions[name]!.length;
    return name === undefined
      ? '0x0'
      : `${name}+0x${(address - addressOf(name)).toString(16)}/0x${size.toString(16)}`;
  };
  const answer = (line: string) => {
    const [verb, what = '', length = '0'] = line.split(' ');
    if (verb === 'k') {
      if (what.startsWith('0x')) return place(BigInt(what), symbolAt(BigInt(what)));
      return names.includes(what) ? place(addressOf(what), symbolAt(addressOf(what))) : place(0n, '0x0');
    }
    const bytes = Buffer.alloc(Math.ceil(Number(length) / 8) * 8);
    Buffer.from(functions[symbolAt(BigInt(what)).split('+')[0]!]!).copy(bytes);
    const words = Array.from(
      { length: bytes.length / 8 },
      (_, i) => `0x${bytes.readBigUInt64LE(8 * i).toString(16)}`,
    );
    return JSON.stringify({ a: words });
  };
  return new KernelCode({ ask: (lines) => lines.map(answer) });
}

/** mov fgraph_direct_gops,%rax: its address is that of the third function here. */
const READS = [0x48, 0x8b, 0x04, 0x25, 0x00, 0x20, 0x00, 0x81];
const NOP = [0x90];
const RET = [0xc3];
const CALLS_NEXT = [0xe8, 0xfb, 0x0f, 0x00, 0x00];

const KERNEL = {
  function_graph_enter: [...NOP, ...READS, ...NOP, ...READS, ...NOP, ...RET],
  ftrace_startup: RET,
  fgraph_direct_gops: RET,
  __bpf_prog_enter_recur: [...NOP, ...RET, ...NOP, ...RET],
  '__unregister_ftrace_function.part.0': NOP,
  update_ftrace_direct_del: CALLS_NEXT,
  'unregister_ftrace_function.isra.0': RET,
};
const code = kernelOf(KERNEL);
const START = code.function('function_graph_enter')!;

describe('a place of the model in the machine code of a kernel', () => {
  test('is before the first or the second match, and after one', () => {
    const placesOf = (step: string) => addressesOf(code, `function_graph_enter_regs: ${step}`);
    expect(placesOf('read fgraph_direct_gops')).toEqual([START + 1n]);
    expect(placesOf('read fgraph_direct_gops again')).toEqual([START + 10n]);
    expect(placesOf('take the bit of its index')).toEqual([START + 18n]);
  });

  test('is the beginning of a function that the compiler has given another name', () => {
    expect(addressesOf(code, '__unregister_ftrace_function: unlink the ops')).toEqual([
      code.function('__unregister_ftrace_function'),
    ]);
  });

  test('is in the function of an ops of direct calls, which has another name until 6.3', () => {
    const place = 'modify_ftrace_direct: lock direct_mutex';
    const since = kernelOf({ modify_ftrace_direct: RET });
    expect(addressesOf(since, place)).toEqual([since.function('modify_ftrace_direct')]);
    const before = kernelOf({ modify_ftrace_direct: RET, modify_ftrace_direct_multi: RET });
    expect(addressesOf(before, place)).toEqual([before.function('modify_ftrace_direct_multi')]);
  });

  test('is every return before a program', () => {
    const entering = code.function('__bpf_prog_enter_recur')!;
    expect(addressesOf(code, 'prog#1')).toEqual([entering + 1n, entering + 3n]);
  });

  test('is the beginning of a function whose first step but for refusals it is', () => {
    const text = kernelOf({ bpf_arch_text_poke: RET });
    expect(addressesOf(text, 'bpf_arch_text_poke: lock text_mutex')).toEqual([
      text.function('bpf_arch_text_poke'),
    ]);
    expect(addressesOf(text, 'bpf_arch_text_poke: unlock text_mutex')).toEqual([]);
  });

  test('is unknown where the kernel has no such function, or does not do it there', () => {
    expect(addressesOf(code, 'arch_ftrace_ops_list_func: read the hashes')).toEqual([]);
    expect(ratingOf(code, 'arch_ftrace_ops_list_func: read the hashes')).toBe('unknown');
    expect(ratingOf(code, 'function_graph_enter_regs: read fgraph_direct_gops')).toBe('known');
  });

  test('is after the last instruction: nowhere', () => {
    expect(addressesOf(code, 'update_ftrace_direct_del: reset the ops')).toEqual([]);
  });

  test('in an image has its offset there', () => {
    expect(offsetInImage('tramp#1+0x2e')).toBe(0x2e);
    expect(ratingOf(code, 'tramp#1+0x2e')).toBe('dear');
    expect(offsetInImage('f1+0x4')).toBeUndefined();
  });
});
