/**
 * Every encoding that the decoder accepts, as lines of the kernel's own opcode map
 * (arch/x86/lib/x86-opcode-map.txt) with the SDM's abbreviations for operands (vol. 2, appendix A.2):
 *
 *   E register or memory by ModRM.rm     b 1 byte     v 2, 4 or 8 bytes by the operand size
 *   M memory only                        w 2 bytes    y 4 or 8 bytes
 *   G register by ModRM.reg              d 4 bytes    z like v, but an immediate of at most 4 bytes
 *   Z register in the opcode             q 8 bytes
 *   I immediate, J relative target       rAX rDX AL CL 1: no bytes of their own
 *
 * `+r` and `+cc` represent a register number and a condition in the low bits of the opcode, `/n` for ModRM.reg as
 * part of the opcode. `(d64)` and `(f64)` are eight bytes wide whatever REX.W says; the prefix 66 is left out with
 * them, because CPUs do not agree on it (f64) or the operand shrinks to a form that is not modelled (d64).
 */
const ALU = ['ADD', 'OR', 'ADC', 'SBB', 'AND', 'SUB', 'XOR', 'CMP'].flatMap((name, n) => [
  `${hex(n * 8)}: ${name} Eb,Gb`,
  `${hex(n * 8 + 1)}: ${name} Ev,Gv`,
  `${hex(n * 8 + 2)}: ${name} Gb,Eb`,
  `${hex(n * 8 + 3)}: ${name} Gv,Ev`,
  `${hex(n * 8 + 4)}: ${name} AL,Ib`,
  `${hex(n * 8 + 5)}: ${name} rAX,Iz`,
  `80 /${n}: ${name} Eb,Ib`,
  `81 /${n}: ${name} Ev,Iz`,
  `83 /${n}: ${name} Ev,Ib`,
]);

/** ModRM.reg 2 and 3 (through the carry) and 6 (an alias) are not modelled. */
const SHIFTS = ['ROL', 'ROR', '', '', 'SHL', 'SHR', '', 'SAR'].flatMap((name, n) =>
  name === ''
    ? []
    : [
        `c0 /${n}: ${name} Eb,Ib`,
        `c1 /${n}: ${name} Ev,Ib`,
        `d0 /${n}: ${name} Eb,1`,
        `d1 /${n}: ${name} Ev,1`,
        `d2 /${n}: ${name} Eb,CL`,
        `d3 /${n}: ${name} Ev,CL`,
      ],
);

const LINES = [
  ...ALU,
  '84: TEST Eb,Gb',
  '85: TEST Ev,Gv',
  'a8: TEST AL,Ib',
  'a9: TEST rAX,Iz',
  'f6 /0: TEST Eb,Ib',
  'f7 /0: TEST Ev,Iz',
  '88: MOV Eb,Gb',
  '89: MOV Ev,Gv',
  '8a: MOV Gb,Eb',
  '8b: MOV Gv,Ev',
  'b0+r: MOV Zb,Ib',
  'b8+r: MOV Zv,Iv',
  'c6 /0: MOV Eb,Ib',
  'c7 /0: MOV Ev,Iz',
  '8d: LEA Gv,M',
  '50+r: PUSH Zq (d64)',
  '68: PUSH Iz (d64)',
  '6a: PUSH Ib (d64)',
  'ff /6: PUSH Eq (d64)',
  '58+r: POP Zq (d64)',
  '8f /0: POP Eq (d64)',
  '9c: PUSHF (d64)',
  '9d: POPF (d64)',
  'c9: LEAVE (d64)',
  ...SHIFTS,
  'fe /0: INC Eb',
  'ff /0: INC Ev',
  'fe /1: DEC Eb',
  'ff /1: DEC Ev',
  'f6 /2: NOT Eb',
  'f7 /2: NOT Ev',
  'f6 /3: NEG Eb',
  'f7 /3: NEG Ev',
  'f6 /4: MUL Eb',
  'f7 /4: MUL Ev',
  'f6 /5: IMUL Eb',
  'f7 /5: IMUL Ev',
  '0f af: IMUL Gv,Ev',
  '69: IMUL Gv,Ev,Iz',
  '6b: IMUL Gv,Ev,Ib',
  '0f b6: MOVZX Gv,Eb',
  '0f b7: MOVZX Gv,Ew',
  '0f be: MOVSX Gv,Eb',
  '0f bf: MOVSX Gv,Ew',
  '63: MOVSXD Gv,Ed',
  '86: XCHG Eb,Gb',
  '87: XCHG Ev,Gv',
  '90+r: XCHG Zv,rAX',
  '0f 40+cc: CMOVcc Gv,Ev',
  '0f 90+cc: SETcc Eb',
  '0f c8+r: BSWAP Zy',
  '98: CBW rAX',
  '99: CWD rDX,rAX',
  'e8: CALL Jz (f64)',
  'ff /2: CALL Eq (f64)',
  'eb: JMP Jb (f64)',
  'e9: JMP Jz (f64)',
  'ff /4: JMP Eq (f64)',
  '70+cc: Jcc Jb (f64)',
  '0f 80+cc: Jcc Jz (f64)',
  'c3: RET (f64)',
  'c2: RET Iw (f64)',
  '90: NOP',
  '0f 1f /0: NOP Ev',
  'f3 0f 1e fa: ENDBR64',
  '0f ae e8: LFENCE',
  'cc: INT3',
  '0f 0b: UD2',
];

/** One line of the table, taken apart. */
export interface Encoding {
  /** The line itself. */
  readonly line: string;
  /** As the SDM names the instruction. */
  readonly name: string;
  /** Bytes of the opcode, after a mandatory prefix. */
  readonly opcode: readonly number[];
  /** A prefix that is part of the opcode. */
  readonly mandatory: number | undefined;
  /** ModRM.reg when it is part of the opcode. */
  readonly digit: number | undefined;
  readonly low: 'register' | 'condition' | undefined;
  readonly operands: readonly string[];
  /** Eight bytes wide without REX.W. */
  readonly fixed64: boolean;
  /** Operand sizes in bytes to choose from. */
  readonly sizes: readonly number[];
}

const LINE = /^(f3 )?((?:[0-9a-f]{2} ?)+)(\+r|\+cc)?(?: ?\/(\d))?: (\w+)(?: ([^ (]+))?( \([df]64\))?$/;

export const ENCODINGS: readonly Encoding[] = LINES.map(parse);

function parse(line: string): Encoding {
  const match = LINE.exec(line);
  if (match === null) throw new Error(`not a line of an opcode map: ${line}`);
  const [, mandatory, opcode = '', low, digit, name = '', operands, fixed] = match;
  const list = operands?.split(',') ?? [];
  return {
    line,
    name,
    opcode: opcode.trim().split(' ').map(fromHex),
    mandatory: mandatory === undefined ? undefined : 0xf3,
    digit: digit === undefined ? undefined : Number(digit),
    low: low === undefined ? undefined : low === '+r' ? 'register' : 'condition',
    operands: list,
    fixed64: fixed !== undefined,
    sizes: sizesOf(list, fixed !== undefined),
  };
}

function sizesOf(operands: readonly string[], fixed64: boolean): number[] {
  if (fixed64 || operands.length === 0) return [8];
  if (operands.some((operand) => operand.endsWith('v') || operand === 'rAX')) return [2, 4, 8];
  return operands.some((operand) => operand.endsWith('y')) ? [4, 8] : [1];
}

/** Bytes of an operand of an instruction whose operand size is `size`. */
export function operandBytes(operand: string, size: number): number {
  const letter = operand.at(-1)!;
  const fixed = { b: 1, w: 2, d: 4, q: 8 }[letter];
  return fixed ?? (letter === 'z' ? Math.min(size, 4) : size);
}

/** The encoding on a line of the table. */
export function encodingOn(line: string): Encoding {
  const found = ENCODINGS.find((encoding) => encoding.line === line);
  if (found === undefined) throw new Error(`no line of the table says ${line}`);
  return found;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

function fromHex(digits: string): number {
  return Number.parseInt(digits, 16);
}
