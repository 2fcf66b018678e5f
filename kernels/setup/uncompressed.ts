import { InputError } from '../../model/core/input-error.ts';
import { filtered } from './tools.ts';

/** How images are compressed: by what it is found, and what unpacks it. */
const FORMATS: readonly {
  readonly magic: Buffer;
  readonly program: string;
  readonly options: readonly string[];
}[] = [
  {
    magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]),
    program: 'xz',
    options: ['-dc', '--single-stream'],
  },
  { magic: Buffer.from([0x1f, 0x8b, 0x08]), program: 'gzip', options: ['-dc'] },
  { magic: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), program: 'zstd', options: ['-dc'] },
];
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/** The kernel in a compressed image: the first that can be unpacked to an ELF file. */
export function uncompressed(image: Buffer): Uint8Array {
  for (const { magic, program, options } of FORMATS)
    for (let start = image.indexOf(magic); start >= 0; start = image.indexOf(magic, start + 1)) {
      const bytes = filtered(program, options, image.subarray(start));
      if (Buffer.from(bytes.subarray(0, 4)).equals(ELF)) return bytes;
    }
  throw new InputError(
    `the image has no kernel that ${FORMATS.map(({ program }) => program).join(', ')} can unpack`,
  );
}
