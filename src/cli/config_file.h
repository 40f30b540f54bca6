/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options from a file, put in front of those of the command line.
 */
#ifndef XT_CLI_CONFIG_FILE_H
#define XT_CLI_CONFIG_FILE_H

#include "base/err.h"

struct xt_config_file;

/* Looks for --config-file in argv; where it is, reads it: one option a line, `name=value` or `--name=value`, blanks
 * around both, empty lines and lines that begin with # passed over. *argc and *argv become argv[0], the file's options,
 * then the rest; they stay valid until xt_config_file_free. *out is NULL when there is no such option. */
int xt_config_file_read(struct xt_config_file **out, int *argc, char ***argv, struct xt_err *err);
/* An error of this option (a pointer into it): where it stands goes in front of the message, if it is from the file.
 * Returns -1. file may be NULL. */
int xt_config_file_blame(const struct xt_config_file *file, const char *option, struct xt_err *err);
void xt_config_file_free(struct xt_config_file *file);

#endif
