// SPDX-License-Identifier: GPL-2.0
/*
 * The first process of a guest that loads one module, /bundle.ko: the console has what the module prints. Restarting ends
 * the emulator, with or without ACPI.
 */
#include "runtime.h"

#define KERNEL_LOG "/dev/kmsg"

static void mount(const char *type, const char *where)
{
	syscall(SYS_MKDIR, where, 0755, 0);
	syscall6(SYS_MOUNT, (long)type, (long)where, (long)type, 0, 0, 0);
}

static void put(const char *line)
{
	int fd = open_file(KERNEL_LOG, O_WRONLY);

	syscall(SYS_WRITE, fd, line, length_of(line));
	syscall(SYS_CLOSE, fd, 0, 0);
}

void start(void);
void start(void)
{
	mount("proc", "/proc");
	mount("sysfs", "/sys");
	mount("devtmpfs", "/dev");
	if (syscall(SYS_FINIT_MODULE, open_file("/bundle.ko", O_RDONLY), "", 0) < 0)
		put("the module cannot be loaded\n");
	syscall6(SYS_REBOOT, 0xfee1dead, 672274793, 0x01234567, 0, 0, 0);
}

/* The stack of the first process is aligned; a function expects a return address on it. */
asm(".globl _start\n_start:\n\txorl %ebp, %ebp\n\tcall start\n");
