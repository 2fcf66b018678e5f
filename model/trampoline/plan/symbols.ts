/** Symbols that every plan speaks of. */
export const TRACED = 'traced';
export const ORIGINAL = 'traced:body';
export const IMAGE = 'tramp#1';
export const IMAGE_STRUCT = '&tramp#1';
export const TRAMP_ENTER = '__bpf_tramp_enter';
export const TRAMP_EXIT = '__bpf_tramp_exit';

/** Labels of the exit part and of the epilogue. */
export const DO_FEXIT = 'do_fexit';
export const EPILOGUE = 'epilogue';
