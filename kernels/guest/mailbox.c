// SPDX-License-Identifier: GPL-2.0
/*
 * Lines to and from the host, in memory that the emulated machine and the host share, and that the kernel's command line
 * keeps out of its RAM: kernels/boot/mailbox.ts is the other side. A length is written when its text is complete, and is zero
 * again when it was taken.
 */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include "module.h"

#define ADDRESS 0x20000000
#define LOOKS_BEFORE_SLEEP 2000

static struct mailbox {
	u32 request_length;
	u32 answer_length;
	char request[16384];
	char answer[65536];
} *box;

int recorder_mailbox(void)
{
	box = memremap(ADDRESS, sizeof(*box), MEMREMAP_WB);
	return box ? 0 : -ENOMEM;
}

/* The host cannot interrupt, so that it is waited for by looking; after a while not at once again. */
static void look_again(u32 *looks)
{
	if (++*looks > LOOKS_BEFORE_SLEEP)
		usleep_range(100, 200);
	else
		cond_resched();
}

ssize_t recorder_from_host(struct file *file, char __user *to, size_t most, loff_t *offset)
{
	u32 length, looks = 0;

	while (!(length = smp_load_acquire(&box->request_length)))
		look_again(&looks);
	if (length > most || length > sizeof(box->request))
		return -EMSGSIZE;
	if (copy_to_user(to, box->request, length))
		return -EFAULT;
	smp_store_release(&box->request_length, 0);
	return length;
}

ssize_t recorder_to_host(struct file *file, const char __user *from, size_t length, loff_t *offset)
{
	u32 part = min_t(size_t, length, sizeof(box->answer)), looks = 0;

	while (smp_load_acquire(&box->answer_length))
		look_again(&looks);
	if (copy_from_user(box->answer, from, part))
		return -EFAULT;
	smp_store_release(&box->answer_length, part);
	return part;
}
