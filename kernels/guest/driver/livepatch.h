/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DRIVER_LIVEPATCH_H
#define DRIVER_LIVEPATCH_H
#include "runtime.h"

void livepatch_start(void);
/* Registers or unregisters an ops: by a live patch, if it is one. */
s64 livepatch_register(u64 ops, int on);
/* Disables those that are left. */
void livepatch_off(void);
#endif
