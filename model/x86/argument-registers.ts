import { R8, R9, RCX, RDI, RDX, RSI } from './register.ts';

/** The registers that the first six argument words come in, by position (System V AMD64). */
export const ARGUMENT_REGS = [RDI, RSI, RDX, RCX, R8, R9];
