/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BTF_H
#define BTF_H
#include "runtime.h"

void btf_start(void);
u32 btf_kernel_function(const char *name);
/* The ids of these functions in the BTF of a module; 0: it has none of that name. */
void btf_ids(const char *path, const char *const *names, u32 *ids, u32 count);
/* A file descriptor of the BTF of a module; -1: there is none. */
int btf_of_module(const char *name);
#endif
