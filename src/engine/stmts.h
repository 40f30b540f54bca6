/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One connection's prepared statements: fixed texts by their id in the program, interpolated texts in a cache of at
 * most 1,024, least recently used dropped first. Used by the worker's thread only.
 */
#ifndef XT_ENGINE_STMTS_H
#define XT_ENGINE_STMTS_H

#include "base/buf.h"
#include "driver/driver.h"
#include "script/script.h"

#define XT_STMTS_CACHED 1024

struct xt_stmts;

struct xt_stmts *xt_stmts_new(const struct xt_driver *driver, const struct xt_program *program);
/* Before disconnect, or after it with conn NULL. */
void xt_stmts_free(struct xt_stmts *stmts, struct xt_conn *conn);

/* The statement for this command now, prepared at first use. Not XT_OK: err has the engine's words. */
enum xt_class xt_stmts_get(struct xt_stmts *stmts, struct xt_conn *conn, const struct xt_sql *sql,
                           const struct xt_env *env, struct xt_stmt **out, struct xt_err *err);

/* Forgets all: the connection was replaced. */
void xt_stmts_forget(struct xt_stmts *stmts);

#endif
