import { LAYOUT } from '../model/trampoline/stage/layout.ts';
