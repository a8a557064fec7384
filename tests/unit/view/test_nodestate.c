/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Each state of a node that Slurm knows, as sinfo writes it.
 */
#include "support.h"

#include <slurm/slurm.h>

#include "view/nodestate.h"

#define IDLE NODE_STATE_IDLE
#define ALLOC NODE_STATE_ALLOCATED
#define F(flag) NODE_STATE_##flag

static const struct {
	const char *sinfo;
	uint32_t state;
	enum node_state means;
} rows[] = {
	/* bases */
	{"unknown", F(UNKNOWN), NODE_DOWN},
	{"down", F(DOWN), NODE_DOWN},
	{"idle", IDLE, NODE_UP},
	{"allocated", ALLOC, NODE_UP},
	{"error", F(ERROR), NODE_DOWN},
	{"mixed", F(MIXED), NODE_UP},
	{"future", F(FUTURE), NODE_DOWN},
	{"a base that is not known", F(END), NODE_DOWN},
	/* flags of nodes that are there */
	{"reserved", IDLE | F(RES), NODE_UP}, /* for whom, is asked of the reservation */
	{"maint", IDLE | F(MAINT), NODE_DRAINED},
	{"maint*", IDLE | F(MAINT) | F(NO_RESPOND), NODE_DOWN},
	{"drained", IDLE | F(DRAIN), NODE_DRAINED},
	{"drained*", IDLE | F(DRAIN) | F(NO_RESPOND), NODE_DOWN},
	{"drained$", IDLE | F(DRAIN) | F(MAINT), NODE_DRAINED},
	{"drained@", IDLE | F(DRAIN) | F(REBOOT_REQUESTED), NODE_DRAINED},
	{"drained^", IDLE | F(DRAIN) | F(REBOOT_ISSUED), NODE_DRAINED},
	{"drained#", IDLE | F(DRAIN) | F(POWERING_UP), NODE_DRAINED},
	{"drained~", IDLE | F(DRAIN) | F(POWERED_DOWN), NODE_DRAINED},
	{"draining", ALLOC | F(DRAIN), NODE_DRAINED},
	{"draining", IDLE | F(DRAIN) | F(COMPLETING), NODE_DRAINED},
	{"fail", IDLE | F(FAIL), NODE_DRAINED},
	{"failing", ALLOC | F(FAIL), NODE_DRAINED},
	{"failing*", ALLOC | F(FAIL) | F(NO_RESPOND), NODE_DOWN},
	{"completing", IDLE | F(COMPLETING), NODE_UP},
	{"completing*", IDLE | F(COMPLETING) | F(NO_RESPOND), NODE_DOWN},
	{"idle*", IDLE | F(NO_RESPOND), NODE_DOWN},
	{"allocated*", ALLOC | F(NO_RESPOND), NODE_DOWN},
	{"mixed*", F(MIXED) | F(NO_RESPOND), NODE_DOWN},
	{"down*", F(DOWN) | F(NO_RESPOND), NODE_DOWN},
	{"planned", IDLE | F(PLANNED), NODE_UP},
	{"mixed-", F(MIXED) | F(PLANNED), NODE_UP},
	{"inval", IDLE | F(INVALID_REG), NODE_DOWN},
	/* saving power: a node that is switched on for a job does not answer yet */
	{"idle~", IDLE | F(POWERED_DOWN), NODE_UP},
	{"idle~", IDLE | F(CLOUD) | F(POWERED_DOWN), NODE_UP},
	{"idle~ and silent", IDLE | F(POWERED_DOWN) | F(NO_RESPOND), NODE_UP},
	{"idle#", IDLE | F(POWERING_UP) | F(NO_RESPOND), NODE_UP},
	{"allocated#", ALLOC | F(POWERING_UP) | F(NO_RESPOND), NODE_UP},
	{"allocated#", ALLOC | F(CLOUD) | F(POWERING_UP), NODE_UP},
	{"mixed#", F(MIXED) | F(POWERING_UP) | F(NO_RESPOND), NODE_UP},
	{"POWER_UP is asked", IDLE | F(POWERED_DOWN) | F(POWER_UP) | F(NO_RESPOND), NODE_UP},
	{"idle%", IDLE | F(POWERING_DOWN), NODE_DRAINED},
	{"idle% and silent", IDLE | F(POWERING_DOWN) | F(NO_RESPOND), NODE_DRAINED},
	{"idle!", IDLE | F(POWER_DOWN), NODE_DRAINED},
	{"allocated!", ALLOC | F(POWER_DOWN), NODE_DRAINED},
	{"POWER_DRAIN", ALLOC | F(POWER_DRAIN), NODE_DRAINED},
	{"down~", F(DOWN) | F(POWERED_DOWN), NODE_DOWN},
	{"down#", F(DOWN) | F(POWERING_UP), NODE_DOWN},
	/* reboots */
	{"idle, reboot@", IDLE | F(REBOOT_REQUESTED), NODE_UP},
	{"allocated@", ALLOC | F(REBOOT_REQUESTED), NODE_UP},
	{"reboot^", IDLE | F(REBOOT_ISSUED), NODE_DRAINED},
	{"down^", F(DOWN) | F(REBOOT_ISSUED), NODE_DOWN},
	{"allocated, --reboot", ALLOC | F(REBOOT_ISSUED) | F(POWERING_UP) | F(NO_RESPOND),
		NODE_UP},
	{"CANCEL_REBOOT", IDLE | F(REBOOT_CANCEL), NODE_UP},
	/* where nodes come from */
	{"cloud", IDLE | F(CLOUD), NODE_UP},
	{"DYNAMIC_FUTURE", IDLE | F(DYNAMIC_FUTURE), NODE_UP},
	{"DYNAMIC_NORM", IDLE | F(DYNAMIC_NORM), NODE_UP},
	{"UNDRAIN", IDLE | F(UNDRAIN), NODE_UP},
#ifdef NODE_STATE_BLOCKED
	{"blocked", IDLE | F(BLOCKED), NODE_DRAINED},
#endif
#ifdef NODE_STATE_EXTERNAL
	{"external", IDLE | F(EXTERNAL), NODE_UP},
#elif defined NODE_STATE_NET
	{"perfctrs", IDLE | F(NET), NODE_UP},
#endif
};

static void test_each(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (nodestate_of(rows[i].state) != rows[i].means)
			fail_msg("%s: %d", rows[i].sinfo, nodestate_of(rows[i].state));
}

/* No flag makes a node better but those of switching, which excuse that it is silent. */
static void test_flags_never_help(void **state)
{
	(void)state;
	for (uint32_t flag = 0x10; flag; flag <<= 1)
		for (uint32_t base = 0; base < 16; base++)
			assert_true(nodestate_of(base | flag) >= nodestate_of(base));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each),
		cmocka_unit_test(test_flags_never_help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
