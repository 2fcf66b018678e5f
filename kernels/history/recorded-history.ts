/** What 6.12.117 was run; `recorded-6.12.json` has what it answered. */
export const RECORDED_HISTORY = `kernel   6.12

f1 = function(u64 -> u64)

ops#1 = ftrace_ops(SAVE_REGS)
ftrace_set_filter_ip(ops#1, f1)
register_ftrace_function(ops#1)
prog#1 = BPF_PROG_LOAD(fexit cookie=0x5, f1)
link#1 = BPF_LINK_CREATE(prog#1)
direct#1 = ftrace_ops(DIRECT)
ftrace_set_filter_ip(direct#1, f1)
register_ftrace_direct(direct#1, my_tramp1)
task#1 calls f1(0x1001)
close(link#1)
`;
