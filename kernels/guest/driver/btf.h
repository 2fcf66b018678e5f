/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BTF_H
#define BTF_H
#include "runtime.h"

void btf_start(void);
/* The ids of these functions in the BTF of a module, or, without a path, of the kernel; 0: it has none of that name. */
void btf_ids(const char *path, const char *const *names, u32 *ids, u32 count);
/* A file descriptor of the BTF of a module; -1: there is none. */
int btf_of_module(const char *name);
#endif
