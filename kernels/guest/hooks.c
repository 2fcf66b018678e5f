// SPDX-License-Identifier: GPL-2.0
/* Hooks of BPF LSM are functions of the kernel. Each gets a body of the recorder: a jump to it, after the call site of ftrace. */
#include <linux/module.h>
#include <linux/mutex.h>
#include "module.h"

#define SITE_BYTES 5
#define JUMP 0xe9

/* Nothing calls one while its body is written. */
static bool given_body(unsigned long hook, void *body)
{
	unsigned long (*location)(unsigned long) = (void *)recorder_symbol("ftrace_location");
	void *(*poke)(void *, const void *, size_t) = (void *)recorder_symbol("text_poke");
	struct mutex *text = (void *)recorder_symbol("text_mutex");
	unsigned long site = location && hook ? location(hook) : 0;
	struct {
		u8 opcode;
		s32 displacement;
	} __packed jump = { JUMP, (unsigned long)body - site - SITE_BYTES - sizeof(jump) };

	if (!site || !poke || !text)
		return false;
	mutex_lock(text);
	poke((void *)(site + SITE_BYTES), &jump, sizeof(jump));
	mutex_unlock(text);
	return true;
}

/* The address of a hook; 0: this kernel does not have it. */
unsigned long recorder_lsm_hook(int i)
{
	unsigned long hook = recorder_symbol(recorder_lsm[i].name);

	return given_body(hook, recorder_lsm[i].body) ? hook : 0;
}
