/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every reason that a Slurm from 22.05 to 26.05 has for a job to wait, or had for one that was
 * requeued: each is explained, and only three of them are a matter of place.
 */
#include "support.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "view/reason.h"

/* The words of all those versions' enumerations. */
static const char words[] =
	"AccountNotAllowed AccountingPolicy AssocGrpBB AssocGrpBBMinutes "
	"AssocGrpBBRunMinutes AssocGrpBilling AssocGrpBillingMinutes "
	"AssocGrpBillingRunMinutes AssocGrpCPUMinutesLimit AssocGrpCPURunMinutesLimit "
	"AssocGrpCpuLimit AssocGrpEnergy AssocGrpEnergyMinutes AssocGrpEnergyRunMinutes "
	"AssocGrpGRES AssocGrpGRESMinutes AssocGrpGRESRunMinutes AssocGrpJobsLimit "
	"AssocGrpLicense AssocGrpLicenseMinutes AssocGrpLicenseRunMinutes AssocGrpMemLimit "
	"AssocGrpMemMinutes AssocGrpMemRunMinutes AssocGrpNodeLimit AssocGrpNodeMinutes "
	"AssocGrpNodeRunMinutes AssocGrpSubmitJobsLimit AssocGrpUnknown "
	"AssocGrpUnknownMinutes AssocGrpUnknownRunMinutes AssocGrpWallLimit "
	"AssocMaxBBMinutesPerJob AssocMaxBBPerJob AssocMaxBBPerNode "
	"AssocMaxBillingMinutesPerJob AssocMaxBillingPerJob AssocMaxBillingPerNode "
	"AssocMaxCpuMinutesPerJobLimit AssocMaxCpuPerJobLimit AssocMaxCpuPerNode "
	"AssocMaxEnergyMinutesPerJob AssocMaxEnergyPerJob AssocMaxEnergyPerNode "
	"AssocMaxGRESMinutesPerJob AssocMaxGRESPerJob AssocMaxGRESPerNode AssocMaxJobsLimit "
	"AssocMaxLicenseMinutesPerJob AssocMaxLicensePerJob AssocMaxMemMinutesPerJob "
	"AssocMaxMemPerJob AssocMaxMemPerNode AssocMaxNodeMinutesPerJob "
	"AssocMaxNodePerJobLimit AssocMaxSubmitJobLimit AssocMaxUnknownMinutesPerJob "
	"AssocMaxUnknownPerJob AssocMaxUnknownPerNode AssocMaxWallDurationPerJobLimit "
	"AssociationJobLimit AssociationResourceLimit AssociationTimeLimit BadConstraints "
	"BeginTime BlockFreeAction BlockMaxError BurstBufferOperation BurstBufferResources "
	"BurstBufferStageIn Cleaning Constraints DeadLine Dependency "
	"DependencyNeverSatisfied FedJobLock FrontEndDown InactiveLimit InvalidAccount "
	"InvalidQOS JobArrayTaskLimit JobHeldAdmin JobHeldUser JobHoldMaxRequeue "
	"JobLaunchFailure Licenses MaxBBPerAccount MaxBBRunMinsPerAccount "
	"MaxBBRunMinsPerUser MaxBillingPerAccount MaxBillingRunMinsPerAccount "
	"MaxBillingRunMinsPerUser MaxCpuPerAccount MaxCpuRunMinsPerAccount "
	"MaxCpuRunMinsPerUser MaxEnergyPerAccount MaxEnergyRunMinsPerAccount "
	"MaxEnergyRunMinsPerUser MaxGRESPerAccount MaxGRESRunMinsPerAccount "
	"MaxGRESRunMinsPerUser MaxJobsPerAccount MaxLicensePerAccount "
	"MaxLicenseRunMinsPerAccount MaxLicenseRunMinsPerUser MaxMemPerLimit "
	"MaxMemoryPerAccount MaxMemoryRunMinsPerAccount MaxMemoryRunMinsPerUser "
	"MaxNodePerAccount MaxNodeRunMinsPerAccount MaxNodeRunMinsPerUser MaxPoweredUpNodes "
	"MaxSubmitJobsPerAccount MaxUnknownPerAccount MaxUnknownRunMinsPerAccount "
	"MaxUnknownRunMinsPerUser MpiPortsBusy NodeDown NonZeroExitCode None "
	"NvidiaImexChannels OutOfMemory PartitionConfig PartitionDown PartitionInactive "
	"PartitionNodeLimit PartitionTimeLimit PowerNotAvail PowerReserved Priority Prolog "
	"QOSGrpBB QOSGrpBBMinutes QOSGrpBBRunMinutes QOSGrpBilling QOSGrpBillingMinutes "
	"QOSGrpBillingRunMinutes QOSGrpCPUMinutesLimit QOSGrpCPURunMinutesLimit "
	"QOSGrpCpuLimit QOSGrpEnergy QOSGrpEnergyMinutes QOSGrpEnergyRunMinutes QOSGrpGRES "
	"QOSGrpGRESMinutes QOSGrpGRESRunMinutes QOSGrpJobsLimit QOSGrpLicense "
	"QOSGrpLicenseMinutes QOSGrpLicenseRunMinutes QOSGrpMemLimit QOSGrpMemoryMinutes "
	"QOSGrpMemoryRunMinutes QOSGrpNodeLimit QOSGrpNodeMinutes QOSGrpNodeRunMinutes "
	"QOSGrpSubmitJobsLimit QOSGrpUnknown QOSGrpUnknownMinutes QOSGrpUnknownRunMinutes "
	"QOSGrpWallLimit QOSJobLimit QOSMaxBBPerJob QOSMaxBBPerNode QOSMaxBBPerUser "
	"QOSMaxBillingMinutesPerJob QOSMaxBillingPerJob QOSMaxBillingPerNode "
	"QOSMaxBillingPerUser QOSMaxCpuMinutesPerJobLimit QOSMaxCpuPerJobLimit "
	"QOSMaxCpuPerNode QOSMaxCpuPerUserLimit QOSMaxEnergyMinutesPerJob QOSMaxEnergyPerJob "
	"QOSMaxEnergyPerNode QOSMaxEnergyPerUser QOSMaxGRESMinutesPerJob QOSMaxGRESPerJob "
	"QOSMaxGRESPerNode QOSMaxGRESPerUser QOSMaxJobsPerUserLimit "
	"QOSMaxLicenseMinutesPerJob QOSMaxLicensePerJob QOSMaxLicensePerUser "
	"QOSMaxMemoryMinutesPerJob QOSMaxMemoryPerJob QOSMaxMemoryPerNode "
	"QOSMaxMemoryPerUser QOSMaxNodeMinutesPerJob QOSMaxNodePerJobLimit "
	"QOSMaxNodePerUserLimit QOSMaxSubmitJobPerUserLimit QOSMaxUnknownMinutesPerJob "
	"QOSMaxUnknownPerJob QOSMaxUnknownPerNode QOSMaxUnknownPerUser "
	"QOSMaxWallDurationPerJobLimit QOSMinBB QOSMinBilling QOSMinCpuNotSatisfied "
	"QOSMinEnergy QOSMinGRES QOSMinLicense QOSMinMemory QOSMinNode QOSMinUnknown "
	"QOSNotAllowed QOSResourceLimit QOSTimeLimit QOSUsageThreshold RaisedSignal "
	"ReqNodeNotAvail Reservation ReservationDeleted ReservationInvalid Resources "
	"SchedDefer SystemFailure TimeLimit";

static bool is_place(const char *word)
{
	return !strcmp(word, "None") || !strcmp(word, "Priority") || !strcmp(word, "Resources");
}

static void check(const char *word)
{
	struct reason reason;

	if (!reason_explain(word, &reason))
		fail_msg("%s is not known", word);
	if (reason.place != is_place(word))
		fail_msg("%s: is it place?", word);
	/* Each fits, too. */
	if (strlen(reason.means) < 10 || strlen(reason.means) + 1 == sizeof(reason.means))
		fail_msg("%s means '%s'", word, reason.means);
	if (strlen(reason.helps) < 10 || strlen(reason.helps) + 1 == sizeof(reason.helps))
		fail_msg("%s: '%s' helps", word, reason.helps);
}

static void test_each_word(void **state)
{
	char text[sizeof(words)], *save = NULL;
	int n = 0;

	(void)state;
	memcpy(text, words, sizeof(words));
	for (char *at = strtok_r(text, " ", &save); at; at = strtok_r(NULL, " ", &save), n++)
		check(at);
	assert_true(n > 200);
}

/* Those of the libslurm that this is linked with: a new version may have more. */
static void test_each_number(void **state)
{
	int n = 0;

	(void)state;
	for (unsigned i = 0; i < 512; i++) {
		const char *word = reason_word(i);

		/* "InvaildReason" is 24.11's word. */
		if (!strcmp(word, "InvalidReason") || !strcmp(word, "InvaildReason") ||
			!isupper((unsigned char)*word))
			continue; /* not in use */
		check(word);
		n++;
	}
	assert_true(n > 150);
}

static void test_texts(void **state)
{
	static const struct {
		const char *why, *means;
	} rows[] = {
		{"QOSGrpNodeLimit", "its QOS allows no more nodes at once"},
		{"QOSMaxCpuPerUserLimit", "its QOS allows no more CPUs at once for a user"},
		{"MaxJobsPerAccount", "its QOS allows no more running jobs at once for an account"},
		{"AssocGrpCPUMinutesLimit",
			"its account or user has used up its CPUs times minutes"},
		{"AssocGrpMemRunMinutes",
			"its account or user allows no more memory times minutes at once"},
		{"QOSMaxNodePerJobLimit", "it asks for more nodes than its QOS allows a job"},
		{"QOSMaxWallDurationPerJobLimit",
			"it asks for more time than its QOS allows a job"},
		{"QOSMinGRES", "it asks for less GRES than its QOS wants of a job"},
		{"QOSGrpWallLimit", "its QOS has used up its time"},
		{"ReqNodeNotAvail, UnavailableNodes:n3",
			"nodes that it needs are down, drained or kept for others"},
	};
	struct reason reason;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_true(reason_explain(rows[i].why, &reason));
		assert_string_equal(reason.means, rows[i].means);
	}
	assert_true(reason_explain("Waits for a box of 4x2", &reason) && reason.place);
}

static void test_none(void **state)
{
	static const char *const none[] = {"", "Prioritys", "QOS", "QOSMax", "QOSMaxTeapots",
		"MaxNode", "Max", "AssocGrpNodeLimits", "InvalidReason", "priority"};
	struct reason reason;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		if (reason_explain(none[i], &reason))
			fail_msg("'%s' means '%s'", none[i], reason.means);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_word),
		cmocka_unit_test(test_each_number),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
