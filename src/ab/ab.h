/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The A/B of time() implementations: plan, sweep over thread counts, comparison, prediction, record. Runs in a process
 * that is under the shim with the page given.
 */
#ifndef XT_AB_AB_H
#define XT_AB_AB_H

#include "base/num.h"
#include "clock/arm.h"
#include "engine/engine.h"
#include "lab/cost.h"

#include <jansson.h>
#include <stdio.h>

#define XT_AB_MAX_ARMS (XT_MAX_ARMS - 1)

struct xt_ab_arm {
	char name[256]; /* as typed */
	char spec[256]; /* canonical */
	char plugin[4096];
	struct xt_arm arm;
};

/* What is compared: arm 0 is the base. */
struct xt_ab_plan {
	unsigned arms; /* without the control */
	struct xt_ab_arm arm[XT_AB_MAX_ARMS];
	unsigned swap; /* enum xt_swap bits */
	bool dose;     /* the arms differ in their added time alone */
};

/* From text: arms is "A,B,C...", or NULL to take a and b; defaults are the workload's or the driver's, NULL: none.
 * USAGE errors name the arm and what is allowed. */
struct xt_ab_words {
	const char *arms, *a, *b, *swap;
	const char *add_ns; /* "0,100,200": arms that are the base with so much added; NULL: none */
};
int xt_ab_plan_parse(const struct xt_ab_words *words, const struct xt_ab_words *defaults, struct xt_ab_plan *out,
                     struct xt_err *err);
/* Whether some arm's reads are system calls. */
bool xt_ab_plan_enters_kernel(const struct xt_ab_plan *plan);

/* Writes descriptors 0 .. arms (the last is the control) and the swap set into the page. */
int xt_ab_plan_apply(const struct xt_ab_plan *plan, struct xt_page *page, struct xt_err *err);

bool xt_ab_plan_uses(const struct xt_ab_plan *plan, enum xt_source_id source);
/* The plugins' texts, NULL-terminated, into the plan: for the restart under the shim. Returns their number. */
size_t xt_ab_plan_plugins(const struct xt_ab_plan *plan, const char *plugins[XT_AB_MAX_ARMS + 1]);

/* Whether CPUs are kept from falling asleep (engine/awake.h): the caller of xt_ab_run sees to it. AUTO: with a dose on
 * a database that has a server. */
enum xt_awake { XT_AWAKE_AUTO, XT_AWAKE_YES, XT_AWAKE_NO };

struct xt_ab {
	struct xt_engine *engine;
	struct xt_page *page;     /* that is flipped, and whose counters count */
	struct xt_page *own_page; /* this process's; another one than page when a server has been started by hand */
	struct xt_ab_plan plan;
	struct xt_counts threads;
	unsigned rounds;
	uint64_t time_ns;                  /* per point */
	uint64_t warmup_ns;                /* per visit */
	uint64_t slice_ns;                 /* 0: auto */
	uint64_t cost_ns;                  /* budget of the cost measurement */
	struct xt_cost alone[XT_MAX_ARMS]; /* out: cost of a call on an idle machine */
	enum xt_awake awake;
	bool client_only; /* calls are our workers' alone */
	FILE *slices;     /* one CSV line a slice of every point, written at the end; NULL: not. Kept open */
	/* Called after each visit and at the end, with the record as it is then (a whole one); may be NULL. */
	int (*save)(void *ctx, const json_t *record, struct xt_err *err);
	/* One line about what runs; may be NULL. */
	void (*progress)(void *ctx, const char *text);
	void *ctx;
};

/* Runs the sweep and fills the record (made by xt_record_new): arms, points, interrupted. Returns 0 when it ran to its
 * end or was interrupted, -1 when it failed (the record holds what there is). *voids counts void comparisons; the first
 * one is described in void_text. */
struct xt_ab_outcome {
	unsigned voids;
	char void_text[512];
	bool interrupted;
};
int xt_ab_run(struct xt_ab *ab, json_t *record, struct xt_ab_outcome *outcome, struct xt_err *err);

#endif
