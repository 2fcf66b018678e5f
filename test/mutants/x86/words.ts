import * as words from '../../../model/x86/word.ts';

/** Pairs of 64-bit numbers around the places where halves carry and signs change. */
const EDGES = [
  0n,
  1n,
  2n,
  0x7fffn,
  0xffffn,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  0x1_0000_0000n,
].flatMap((n) => [n, BigInt.asUintN(64, -n), 0x8000_0000_0000_0000n + n, 0x1234_5678_0000_0000n + n]);

/** Arithmetic of words against whole numbers: the first that differs. */
export function wordDifference(): string | undefined {
  for (const a of EDGES) {
    const found = ofOne(a) ?? EDGES.map((b) => ofTwo(a, b)).find((text) => text !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function ofOne(a: bigint): string | undefined {
  const word = words.fromBigInt(a);
  const text = `0x${a.toString(16)}`;
  const signed = BigInt.asIntN(64, a);
  const isSafe = BigInt(Number(signed)) === signed && Number.isSafeInteger(Number(signed));
  const facts: readonly (readonly [string, boolean])[] = [
    ['back', words.toBigInt(word) === a],
    ['hex', words.toHex(word) === text && words.equal(words.fromHex(text), word)],
    [
      'number',
      !isSafe ||
        (words.toNumber(word) === Number(signed) && words.equal(words.fromNumber(Number(signed)), word)),
    ],
    ['signed', words.isSigned32(word) === (BigInt.asUintN(64, BigInt.asIntN(32, a)) === a)],
    ['unsigned', words.isUnsigned32(word) === a < 1n << 32n],
    ...[1, 2, 4, 8].map((bytes): readonly [string, boolean] => [
      `${bytes} bytes`,
      words.toBigInt(words.zeroExtended(word, bytes)) === BigInt.asUintN(8 * bytes, a),
    ]),
  ];
  const [wrong] = facts.find(([, holds]) => !holds) ?? [];
  return wrong === undefined ? undefined : `${wrong} of ${text}`;
}

function ofTwo(a: bigint, b: bigint): string | undefined {
  const [x, y] = [words.fromBigInt(a), words.fromBigInt(b)];
  const by = BigInt.asIntN(32, b);
  const distance = BigInt.asIntN(64, a - b);
  const fits = distance === BigInt.asIntN(32, distance);
  const facts: readonly (readonly [string, boolean])[] = [
    ['plus', words.toBigInt(words.plus(x, Number(by))) === BigInt.asUintN(64, a + by)],
    ['displacement', words.displacement(x, y) === (fits ? Number(distance) : undefined)],
    ['equal', words.equal(x, y) === (a === b)],
    ['compare', Math.sign(words.compare(x, y)) === (a < b ? -1 : a > b ? 1 : 0)],
  ];
  const [wrong] = facts.find(([, holds]) => !holds) ?? [];
  return wrong === undefined ? undefined : `${wrong} of ${a.toString(16)} and ${b.toString(16)}`;
}
