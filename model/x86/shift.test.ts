import { describe, expect, it } from 'vitest';
import type { InstructionRow } from './rig.ts';
import { DATA, outcome, stated, titled } from './rig.ts';

const SHL: readonly InstructionRow[] = [
  {
    asm: 'shl $0x1,%rax',
    bytes: '48d1e0',
    before: { rax: 1n << 63n },
    after: { rax: 0 },
    flags: 'CF PF ZF OF ?AF',
  },
  {
    asm: 'shl $0x1,%rax',
    bytes: '48d1e0',
    before: { rax: 1n << 62n },
    after: { rax: 1n << 63n },
    flags: 'PF SF OF ?AF',
  },
  {
    asm: 'shl $0x1,%rax',
    bytes: '48d1e0',
    before: { rax: 3n << 62n },
    after: { rax: 1n << 63n },
    flags: 'CF PF SF ?AF',
  },
  {
    asm: 'shl $0x20,%rax',
    bytes: '48c1e020',
    before: { rax: 0x1_00000001n },
    after: { rax: 0x1_00000000n },
    flags: 'CF PF ?OF ?AF',
  },
  {
    asm: 'shl $0x3f,%rax',
    bytes: '48c1e03f',
    before: { rax: 3 },
    after: { rax: 1n << 63n },
    flags: 'CF PF SF ?OF ?AF',
  },
  { asm: 'shl $0x40,%rax', bytes: '48c1e040', before: { flags: 'CF AF OF' } },
  { asm: 'shl $0x41,%rax', bytes: '48c1e041', before: { rax: 1 }, after: { rax: 2 }, flags: '?OF ?AF' },
  {
    asm: 'shl $0x4,%eax',
    bytes: 'c1e004',
    before: { rax: 0xf1000000fn },
    after: { rax: 0xf0 },
    flags: 'CF PF ?OF ?AF',
  },
  { asm: 'shl $0x20,%eax', bytes: 'c1e020', after: { rax: 0x05060708 } },
  {
    asm: 'shl $0x8,%ax',
    bytes: '66c1e008',
    before: { rax: 0x10102 },
    after: { rax: 0x10200 },
    flags: 'CF PF ?OF ?AF',
  },
  { asm: 'shl $0x1,%ah', bytes: 'd0e4', before: { rax: 0xc0c0 }, after: { rax: 0x80c0 }, flags: 'CF SF ?AF' },
  {
    asm: 'shl %cl,%r8',
    bytes: '49d3e0',
    before: { r8: 5, rcx: 0x44 },
    after: { r8: 0x50 },
    flags: 'PF ?OF ?AF',
  },
  { asm: 'shl %cl,%eax', bytes: 'd3e0', before: { rax: 5, rcx: 0x120, flags: 'CF' } },
  {
    asm: 'shlb $0x4,(%rdi)',
    bytes: 'c02704',
    before: { rdi: DATA + 0x12n },
    after: { 'data+0x12': '20' },
    flags: 'CF ?OF ?AF',
  },
  {
    asm: 'shlq $0x8,0x10(%rdi)',
    bytes: '48c1671008',
    before: { rdi: DATA },
    after: { 'data+0x10': '0010111213141516' },
    flags: 'CF PF ?OF ?AF',
  },
];

const SHR: readonly InstructionRow[] = [
  { asm: 'shr $0x1,%rax', bytes: '48d1e8', before: { rax: 3 }, after: { rax: 1 }, flags: 'CF ?AF' },
  {
    asm: 'shr $0x1,%rax',
    bytes: '48d1e8',
    before: { rax: 1n << 63n },
    after: { rax: 1n << 62n },
    flags: 'PF OF ?AF',
  },
  {
    asm: 'shr $0x21,%rax',
    bytes: '48c1e821',
    before: { rax: 0x600000000n },
    after: { rax: 3 },
    flags: 'PF ?OF ?AF',
  },
  {
    asm: 'shr $0x3f,%rax',
    bytes: '48c1e83f',
    before: { rax: 3n << 62n },
    after: { rax: 1 },
    flags: 'CF ?OF ?AF',
  },
  {
    asm: 'shr $0x4,%eax',
    bytes: 'c1e804',
    before: { rax: 0xf00000018n },
    after: { rax: 1 },
    flags: 'CF ?OF ?AF',
  },
  {
    asm: 'shr $0x8,%ax',
    bytes: '66c1e808',
    before: { rax: 0x1ff80 },
    after: { rax: 0x100ff },
    flags: 'CF PF ?OF ?AF',
  },
  { asm: 'shr $0x7,%al', bytes: 'c0e807', before: { rax: 0x180 }, after: { rax: 0x101 }, flags: '?OF ?AF' },
  {
    asm: 'shr %cl,%rax',
    bytes: '48d3e8',
    before: { rax: 0x100, rcx: 8 },
    after: { rax: 1 },
    flags: '?OF ?AF',
  },
];

const SAR: readonly InstructionRow[] = [
  { asm: 'sar $0x1,%rax', bytes: '48d1f8', before: { rax: -1n }, after: { rax: -1n }, flags: 'CF PF SF ?AF' },
  { asm: 'sar $0x1,%rax', bytes: '48d1f8', before: { rax: 5 }, after: { rax: 2 }, flags: 'CF ?AF' },
  {
    asm: 'sar $0x5,%rax',
    bytes: '48c1f805',
    before: { rax: 1n << 63n },
    after: { rax: 0xfc00000000000000n },
    flags: 'PF SF ?OF ?AF',
  },
  {
    asm: 'sar $0x3f,%rax',
    bytes: '48c1f83f',
    before: { rax: 1n << 63n },
    after: { rax: -1n },
    flags: 'PF SF ?OF ?AF',
  },
  {
    asm: 'sar $0x1f,%eax',
    bytes: 'c1f81f',
    before: { rax: 0x80000000 },
    after: { rax: 0xffffffff },
    flags: 'PF SF ?OF ?AF',
  },
  {
    asm: 'sar $0xf,%ax',
    bytes: '66c1f80f',
    before: { rax: 0x1c000 },
    after: { rax: 0x1ffff },
    flags: 'CF PF SF ?OF ?AF',
  },
  {
    asm: 'sar $0x10,%al',
    bytes: 'c0f810',
    before: { rax: 0x180 },
    after: { rax: 0x1ff },
    flags: 'CF PF SF ?OF ?AF',
  },
  { asm: 'sar %cl,%bl', bytes: 'd2fb', before: { rbx: 0x40, rcx: 3 }, after: { rbx: 8 }, flags: '?OF ?AF' },
  {
    asm: 'sarq $0x5,%gs:0x10',
    bytes: '6548c13c251000000005',
    before: { 'percpu+0x10': '0000000000000080' },
    after: { 'percpu+0x10': '00000000000000fc' },
    flags: 'PF SF ?OF ?AF',
  },
];

const ROTATES: readonly InstructionRow[] = [
  { asm: 'rol $0x8,%rax', bytes: '48c1c008', after: { rax: 0x0203040506070801n }, flags: 'CF ?OF' },
  {
    asm: 'rol $0x1,%rax',
    bytes: '48d1c0',
    before: { rax: 1n << 63n, flags: 'PF AF ZF SF' },
    after: { rax: 1 },
    flags: 'CF PF AF ZF SF OF',
  },
  {
    asm: 'rol $0x1,%eax',
    bytes: 'd1c0',
    before: { rax: 0xf40000000n },
    after: { rax: 0x80000000 },
    flags: 'OF',
  },
  { asm: 'rol $0x8,%ax', bytes: '66c1c008', after: { rax: 0x0102030405060807n }, flags: 'CF ?OF' },
  { asm: 'rol $0x4,%al', bytes: 'c0c004', after: { rax: 0x0102030405060780n }, flags: '?OF' },
  { asm: 'rol $0x8,%al', bytes: 'c0c008', before: { rax: 1 }, flags: 'CF ?OF' },
  { asm: 'rol $0x40,%rax', bytes: '48c1c040', before: { flags: 'CF OF' } },
  { asm: 'ror $0x1,%rax', bytes: '48d1c8', before: { rax: 1 }, after: { rax: 1n << 63n }, flags: 'CF OF' },
  { asm: 'ror $0x10,%eax', bytes: 'c1c810', after: { rax: 0x07080506 }, flags: '?OF' },
  { asm: 'ror $0x1,%ax', bytes: '66d1c8', before: { rax: 0x18000 }, after: { rax: 0x14000 }, flags: 'OF' },
  { asm: 'ror $0x4,%cl', bytes: 'c0c904', after: { rcx: 0x1112131415161781n }, flags: 'CF ?OF' },
  {
    asm: 'ror %cl,%r9',
    bytes: '49d3c9',
    before: { rcx: 0x20 },
    after: { r9: 0x9596979891929394n },
    flags: 'CF ?OF',
  },
];

describe.each([
  ['shl', SHL],
  ['shr', SHR],
  ['sar', SAR],
  ['rol and ror', ROTATES],
])('%s', (_, rows) => {
  it.each(titled(rows))('%s', (_, row) => {
    expect(outcome(row)).toEqual(stated(row));
  });
});
