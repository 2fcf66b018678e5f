import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { someOf } from '../../test/thorough.ts';
import { readText } from '../files.ts';
import { checkRecord } from './images.ts';
import type { RecordedImage } from './record.ts';
import { parseRecords } from './record.ts';

const PATH = join(import.meta.dirname, '../recordings/trampolines.jsonl.gz');
const { records: RECORDS } = parseRecords(readText(PATH), 'trampolines.jsonl.gz');

function recordWith(kernel: RegExp, func: string, ...specs: string[]): RecordedImage {
  return RECORDS.find(
    (record) =>
      kernel.test(record.kernel) &&
      record.func === `security_lab_${func}` &&
      record.image_hex !== undefined &&
      record.progs.map(({ spec }) => spec).join() === specs.join(),
  )!;
}

/** The record with its image changed. */
function edited(record: RecordedImage, edit: (image: Buffer) => void): RecordedImage {
  const image = Buffer.from(record.image_hex!, 'hex');
  edit(image);
  return { ...record, image_hex: image.toString('hex') };
}

const THREE = recordWith(/^7\.2/, 'f2', 'fentry', 'fexit', 'fmod');

describe('a record that differs', () => {
  test('the record that the others derive from agrees in every way', () => {
    expect(checkRecord(THREE)).toMatchObject({
      attempt: { status: 'agrees' },
      image: { status: 'identical' },
      call: { status: 'reproduced' },
      laws: { status: 'hold' },
    });
  });

  test('the wrong program passed to exit is noticed', () => {
    // Pointers to struct bpf_prog: enter and exit of the fentry, the fmod_ret and the fexit program.
    const wrong = edited(THREE, (image) => {
      const pointers = programPointers(image);
      expect(pointers).toHaveLength(6);
      image.copy(image, pointers[1]!, pointers[2]!, pointers[2]! + 8);
    });
    const { image, laws, call } = checkRecord(wrong);
    expect(image).toEqual({
      status: 'different',
      why: expect.stringMatching(/^&prog#1 is 0xff\w+ first and 0xff\w+ at tramp#1\+0x/),
    });
    // The call itself shows nothing: enter and exit return the same for both. The laws see the argument.
    expect([laws.status, call.status]).toEqual(['broken', 'reproduced']);
  });

  test('one program passed to both enter and exit of all others is noticed too', () => {
    const wrong = edited(THREE, (image) => {
      const pointers = programPointers(image);
      for (const index of pointers.slice(2)) image.copy(image, index, pointers[0]!, pointers[0]! + 8);
    });
    expect(checkRecord(wrong).image.why).toMatch(/^&prog#\d and &prog#\d would both be 0x/);
  });

  test('a changed byte at any place is a difference, except in an unknown value that appears once', () => {
    const { image_hex } = THREE;
    const unseen: number[] = [];
    const bytes = Array.from({ length: image_hex!.length / 2 }, (_, index) => index);
    for (const index of someOf(bytes, 3)) {
      const flipped = edited(THREE, (image) => {
        image[index] = image[index]! ^ 0x10;
      });
      if (checkRecord(flipped).image.status !== 'different') unseen.push(index);
    }
    // Every structure appears twice, so that each difference shows.
    expect(unseen).toEqual([]);
  });

  test('a changed argument, a changed return value, a missing event: the call differs', () => {
    const body = THREE.call.ev.findIndex(({ h }) => h === 'body');
    const program = THREE.call.ev.findIndex(({ h }) => h !== 'body');
    const withEvents = (ev: RecordedImage['call']['ev'], rax = THREE.call.rax) =>
      checkRecord({ ...THREE, call: { ...THREE.call, ev, rax } }).call.status;
    const changed = (index: number, change: object) =>
      THREE.call.ev.map((event, i) => (i === index ? { ...event, ...change } : event));
    expect(withEvents(THREE.call.ev)).toBe('reproduced');
    expect(withEvents(changed(program, { a: ['0x1', '0x2'] }))).toBe('differs');
    expect(withEvents(changed(body, { a: ['0x1', '0x2'] }))).toBe('differs');
    expect(withEvents(THREE.call.ev.slice(1))).toBe('differs');
    expect(withEvents([...THREE.call.ev].reverse())).toBe('differs');
    expect(withEvents(THREE.call.ev, '0x1')).toBe('differs');
  });

  test('another errno, another stage, an additional program: the attempt differs', () => {
    const refused = RECORDS.find(({ errno, attached }) => errno === 524 && attached === 0)!;
    expect(checkRecord(refused).attempt.status).toBe('agrees');
    expect(checkRecord({ ...refused, errno: 22 }).attempt.status).toBe('differs');
    expect(checkRecord({ ...refused, errno: 0 }).attempt.status).toBe('differs');
    expect(checkRecord({ ...THREE, attached: 1 }).attempt.status).toBe('differs');
  });

  test('an unmodelled instruction is named with its place', () => {
    const withFence = edited(THREE, (image) => {
      // mfence over the store of the argument count, which is four bytes long: one nop pads it.
      const store = image.indexOf(Buffer.from('488945', 'hex'));
      Buffer.from('0faef090', 'hex').copy(image, store);
    });
    const { laws, call, image } = checkRecord(withFence);
    expect(image.status).toBe('different');
    for (const aspect of [laws, call])
      expect(aspect).toEqual({
        status: 'not modelled',
        why: expect.stringMatching(/^unsupported instruction 0f ae f0 \(mfence\) at tramp#1\+0x[0-9a-f]+$/),
      });
  });
});

/** Offsets of the eight-byte constants of `movabs $…,%rdi`, except the image's own structure. */
function programPointers(image: Buffer): number[] {
  const offsets: number[] = [];
  for (
    let index = image.indexOf('48bf', 0, 'hex');
    index >= 0;
    index = image.indexOf('48bf', index + 1, 'hex')
  )
    offsets.push(index + 2);
  const value = (index: number) => image.readBigUInt64LE(index);
  return offsets.filter((index) => value(index) !== value(offsets[0]!));
}
