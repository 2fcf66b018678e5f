import type { ImageCase } from '../../checker/images/case.ts';
import { ofKind } from '../../checker/images/case.ts';
import { item } from '../../model/core/present.ts';
import { BOOTS, KERNELS, PROFILES } from '../../model/core/profile.ts';
import { isOfMember, KINDS } from '../../model/trampoline/program.ts';

/** One way to change a case that the breach may or may not depend on. */
interface Dimension {
  readonly values: readonly string[];
  readonly change: (c: ImageCase, value: string) => ImageCase;
  /** The values under which the law stays broken, in words; undefined when there is nothing to say. */
  readonly say: (values: readonly string[], all: boolean) => string | undefined;
}

/**
 * The dimensions that a breach does not depend on: for each, the values under which the law is still broken,
 * everything else left as it is.
 */
export function whatDoesNotMatter(c: ImageCase, fails: (candidate: ImageCase) => boolean): string {
  const said = dimensions(c).flatMap(({ values, change, say }) => {
    const failing = values.filter((value) => fails(change(c, value)));
    return say(failing, failing.length === values.length) ?? [];
  });
  return said.length === 0 ? 'fails only as it stands' : `fails with ${said.join(', ')}`;
}

function dimensions(c: ImageCase): Dimension[] {
  return [argumentCount(c), returnType(), cookie(c), kind(c), kernel(), boot()].filter(
    (d) => d !== undefined,
  );
}

/** The number of arguments, when they are all alike. */
function argumentCount(c: ImageCase): Dimension | undefined {
  const type = c.args[0] ?? 'u64';
  if (c.args.some((name) => name !== type)) return undefined;
  const most = PROFILES[c.kernel].trampolineSlotsMax;
  return {
    values: Array.from({ length: most + 1 }, (_, n) => String(n)),
    change: (from, n) => ({ ...from, args: Array.from({ length: Number(n) }, () => type) }),
    say: (values, all) =>
      all
        ? `any number of arguments (0–${most})`
        : `${ranges(values.map(Number))} argument${values.length === 1 && values[0] === '1' ? '' : 's'}`,
  };
}

/** Numbers as ranges: `0, 7–12`. */
function ranges(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let last = i;
    while (numbers[last + 1] === item(numbers, last) + 1) last++;
    parts.push(i === last ? `${numbers[i]}` : `${numbers[i]}–${numbers[last]}`);
    i = last + 1;
  }
  return parts.join(', ');
}

function returnType(): Dimension {
  return {
    values: ['u64', 'u32', 'u8', 'void', 'u128'],
    change: (c, ret) => ({ ...c, ret }),
    say: (values, all) => {
      if (all) return 'any return type';
      return values.length > 1 ? `return type ${values.join(', ')}` : undefined;
    },
  };
}

/** A struct_ops member has none. */
function cookie(c: ImageCase): Dimension | undefined {
  if (isOfMember(c.programs)) return undefined;
  return {
    values: ['0x0', '0x1', '0x80000000', '0xffffffff80000000', '0x8000000000000001'],
    change: (from, value) => ({
      ...from,
      programs: from.programs.map((program) => ({ ...program, cookie: value })),
    }),
    say: (_values, all) => (all ? 'any cookie' : undefined),
  };
}

/** The kind of the only program. */
function kind(c: ImageCase): Dimension | undefined {
  if (c.programs.length !== 1) return undefined;
  const { sessions } = PROFILES[c.kernel];
  return {
    values: KINDS.filter((name) => sessions || name !== 'fsession'),
    change: (from, value) => ({
      ...from,
      programs: [ofKind(item(from.programs, 0), value as (typeof KINDS)[number])],
    }),
    say: (values, all) =>
      all
        ? 'any kind of program'
        : values.length > 1
          ? `a program of kind ${values.join(' or ')}`
          : undefined,
  };
}

function kernel(): Dimension {
  return {
    values: KERNELS,
    change: (c, value) => {
      const version = value as (typeof KERNELS)[number];
      return { ...c, kernel: version, ibt: PROFILES[version].ibt };
    },
    say: (values, all) =>
      all ? 'any kernel' : values.length > 1 ? `kernels ${values.join(' and ')}` : undefined,
  };
}

function boot(): Dimension {
  return {
    values: BOOTS,
    change: (c, value) => ({ ...c, boot: value as (typeof BOOTS)[number] }),
    say: (values, all) =>
      all ? 'any mitigation' : values.length > 1 ? `boots ${values.join(', ')}` : undefined,
  };
}
