// SPDX-License-Identifier: GPL-2.0
/* A live patch of one function, which the driver loads by a name of its own for each ops of a history that is one. */
#include <linux/livepatch.h>
#include <linux/module.h>

static char *function;
module_param(function, charp, 0400);
static char *object; /* the module that has it; not given: the kernel */
module_param(object, charp, 0400);
static unsigned long replacement;
module_param(replacement, ulong, 0400);

static struct klp_func functions[2];
static struct klp_object objects[] = { { .funcs = functions }, {} };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init livepatch_init(void)
{
	if (!function || !replacement)
		return -EINVAL;
	functions[0].old_name = function;
	functions[0].new_func = (void *)replacement;
	objects[0].name = object;
	return klp_enable_patch(&patch);
}

static void __exit livepatch_exit(void) { }
module_init(livepatch_init);
module_exit(livepatch_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Replaces one function");
MODULE_INFO(livepatch, "Y");
