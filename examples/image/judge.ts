import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { executeImage, judgeImage, readImage } from 'attachcheck';

const read = (name: string) => readFileSync(join(import.meta.dirname, name));

/** The image of one fentry program on 6.1, as the kernel generated it, and the addresses around it. */
const bytes = read('image.hex').toString();
const symbols = read('symbols.json').toString();
const combination = { kernel: '6.1', signature: '-> u64', programs: 'fentry' };

/** `mov %rax,-0x8(%rbp)` stores above the frame then. */
const spoiled = bytes.replace('488945f8', '48894508');

for (const content of [bytes, spoiled]) {
  const image = readImage(Buffer.from(content), symbols, combination);
  const { paths, broken } = judgeImage(image);
  const seen = executeImage(image).events.map(({ who }) => who);
  console.log(`${image.bytes.length} bytes, calls ${seen.join(', ')}`);
  console.log(broken === undefined ? `  holds on ${paths} paths` : `  ${broken.law}: ${broken.observed}`);
}
