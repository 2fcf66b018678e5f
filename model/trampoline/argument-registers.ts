export { ARGUMENT_REGS } from '../x86/argument-registers.ts';
