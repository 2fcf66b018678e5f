import { wrap } from '../../counterexamples/text.ts';
import type { CallRequest } from '../../model/call/call-frame.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { toHex, ZERO } from '../../model/x86/word.ts';
import type { Check } from './checks.ts';
import { ClientInC } from './client-in-c.ts';
import { counterOf, nameInC } from './objects-in-c.ts';
import type { Answers, Reproducer } from './reproducer.ts';

/*
 * A trace as a kernel module: its functions, its clients, and one routine that makes the calls in order and says of each
 * answer, and at the end of what shows the breach, whether it is as it has to be (KTAP). The module stays loaded: what a
 * defect leaves may point into it.
 */

export function moduleSource(reproducer: Reproducer): string {
  const { functions, checks } = reproducer;
  const client = new ClientInC(reproducer.kernel);
  const steps = reproducer.steps.flatMap((step) => stepInC(client, functions, step));
  const lasting = checks.map((check) => checkInC(check, reproducer)).filter((text) => text !== '');
  const made = [...steps, ...lasting].join('\n');
  const tests = [...made.matchAll(/\bcheck(?:_number|_one_of)?\(/g)].length;
  const sites = checks.flatMap((check) => (check.is === 'site as before' ? [check.fn] : []));
  const warns = checks.some(({ is }) => is === 'no warning');
  return [
    headOf(reproducer),
    enumOf(client),
    CHECKING,
    ...(made.includes('check_one_of(') ? [ONE_OF] : []),
    ...[...client.declared.values()],
    ...functions.map(functionInC),
    ...(warns ? [WARNED] : []),
    `static int __init ${reproducer.id}_init(void)
{
${warns ? '\tbool warned = test_taint(TAINT_WARN);\n' : ''}${sites.map((fn) => `\tu8 ${fn}_before[5];\n`).join('')}${sites.map((fn) => `\n\tmemcpy(${fn}_before, site_of(${fn}), 5);`).join('')}
	pr_info("KTAP version 1\\n");
	pr_info("1..${tests}\\n");
${made}
	pr_info("# %d of %d as they have to be\\n", tests - failed, tests);
	return 0;
}
module_init(${reproducer.id}_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION(${quoted(reproducer.name)});
`,
  ].join('\n\n');
}

function headOf({ title, sentence }: Reproducer): string {
  const includes = ['module', 'fs', 'panic', 'ftrace', 'kprobes', 'fprobe'];
  return `// SPDX-License-Identifier: GPL-2.0
/*
${wrapped(title)}
 *
${wrapped(sentence)}
 */
#define pr_fmt(fmt) fmt
${includes.map((name) => `#include <linux/${name}.h>`).join('\n')}
#include <asm/ibt.h>
#include <asm/linkage.h>`;
}

const COLUMNS = 89;

function wrapped(text: string): string {
  return wrap(text, COLUMNS)
    .map((line) => ` * ${line}`)
    .join('\n');
}

/** The counters. */
function enumOf({ seen }: ClientInC): string {
  const names = [...[...seen].map(counterOf), 'SEEN'];
  return `enum { ${names.join(', ')} };\nstatic int seen[SEEN + 1];`;
}

const CHECKING = `static int tests, failed;

static void check(bool holds, const char *what)
{
	tests++;
	failed += !holds;
	pr_info("%s %d - %s\\n", holds ? "ok" : "not ok", tests, what);
}

static void check_number(long number, long expected, const char *what)
{
	if (number != expected)
		pr_info("# %ld, and it has to be %ld\\n", number, expected);
	check(number == expected, what);
}

/* The five bytes that ftrace patches. */
static u8 *site_of(void *fn)
{
	u8 *site = fn;

	return memcmp(site, "\\xf3\\x0f\\x1e\\xfa", 4) ? site : site + 4;
}`;

const ONE_OF = `static void check_one_of(int number, const int *expected, int count, const char *what)
{
	bool holds = false;
	int i;

	for (i = 0; i < count; i++)
		holds |= number == expected[i];
	if (!holds)
		pr_info("# %d, and it has to be another\\n", number);
	check(holds, what);
}`;

const WARNED = `/* Whether a WARN has been printed since; the kernel keeps the taint. */
static bool warned_since(bool before)
{
	return !before && test_taint(TAINT_WARN);
}`;

function functionInC({ name, signature, id }: TracedFunction): string {
  const { args, ret } = signature;
  const types = [...args, ret];
  if (types.some(({ size, struct }) => struct || size > 8) || args.length > 12)
    throw new InputError(
      `${name} takes or returns what a bundle has no type for: integers and pointers of 8 bytes at most`,
    );
  const list = args.map((type, i) => `${typeInC(type.name)} a${i + 1}`).join(', ') || 'void';
  const hash = [`0x1000 + ${id}`, ...args.map((_, i) => `(unsigned long)a${i + 1}`)].join(' + ');
  const body = ret.size === 0 ? '' : `\n\treturn (${typeInC(ret.name)})(${hash});`;
  return `static noinline __used __noclone ${ret.size === 0 ? 'void' : typeInC(ret.name)} ${name}(${list})
{
	asm volatile("" ::: "memory");${body}
}`;
}

function typeInC(name: string): string {
  return name === 'ptr' ? 'void *' : name;
}

/** A call, and the check of its answer; between counters that begin at zero, if it is of a function. */
function stepInC(
  client: ClientInC,
  functions: readonly TracedFunction[],
  { action, text, answers, isAccepted }: Reproducer['steps'][number],
): string[] {
  if (action.do === 'call') return ['\tmemset(seen, 0, sizeof(seen));', `\t${calledInC(functions, action)};`];
  const { before, code, returns } = client.of(action, isAccepted);
  const lines = before.map((line) => (/^\s/.test(line) ? line : `\t${line}`));
  if (code === '') return lines;
  if (!returns || answers === undefined) return [...lines, `\t${code};`];
  return [...lines, `\t${answeredInC(code, answers, quoted(text))};`];
}

function answeredInC(code: string, answers: Answers, what: string): string {
  if ('not' in answers) return `check(${code} != ${answers.not}, ${what})`;
  const [first, ...others] = answers.oneOf;
  if (others.length === 0) return `check_number(${code}, ${first}, ${what})`;
  return `check_one_of(${code}, (const int[]){ ${answers.oneOf.join(', ')} }, ${answers.oneOf.length}, ${what})`;
}

/** A call with the words of the trace; one on the stack for each argument after the sixth. */
function calledInC(
  functions: readonly TracedFunction[],
  { fn: name, registers, stack }: CallRequest,
): string {
  const args = functions.find((fn) => fn.name === name)?.signature.args ?? [];
  const words = [...registers.slice(0, 6), ...stack];
  const given = args.map((type, i) => `(${typeInC(type.name)})${toHex(words[i] ?? ZERO)}`);
  return `${name}(${given.join(', ')})`;
}

function checkInC(check: Check, { functions }: Reproducer): string {
  switch (check.is) {
    case 'seen':
      return `\tcheck_number(seen[${counterOf(check.who)}], ${check.times}, ${quoted(`calls of ${check.who}`)});`;
    case 'seen alike': {
      const [entry, exit] = check.who;
      return `\tcheck_number(seen[${counterOf(exit)}], seen[${counterOf(entry)}], ${quoted(`${exit} as often as its entry`)});`;
    }
    case 'missed':
      return `\tcheck_number(${missedInC(check.who)}, ${check.times}, ${quoted(`misses of ${check.who}`)});`;
    case 'no warning':
      return `\tcheck(!warned_since(warned), "no call makes the kernel warn");`;
    case 'site as before':
      return `\tcheck(!memcmp(site_of(${check.fn}), ${check.fn}_before, 5), ${quoted(`the call site of ${check.fn} is as before`)});`;
    case 'called at all': {
      return [
        '\tmemset(seen, 0, sizeof(seen));',
        `\t${calledInC(functions, { fn: check.fn, registers: [], stack: [] })};`,
        `\tcheck_number(seen[${counterOf(check.who)}], 1, ${quoted(`calls of ${check.who}`)});`,
      ].join('\n');
    }
    case 'survives':
      return '\tcheck(true, "the kernel is still there");';
    case 'answer':
      return '';
  }
}

/** A kretprobe counts at two places. */
function missedInC(who: string): string {
  const name = nameInC(who);
  return who.startsWith('kretprobe') ? `${name}.nmissed + ${name}.kp.nmissed` : `${name}.nmissed`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`;
}
