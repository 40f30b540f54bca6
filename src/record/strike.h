/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passwords on a command line, struck out before it goes into a record.
 */
#ifndef XT_RECORD_STRIKE_H
#define XT_RECORD_STRIKE_H

#include <jansson.h>

/* argv as a JSON array in which these are replaced by "***": the value of --pgsql-password (either spelling, = or a
 * word of its own), of password= and sslpassword= in a connection string or the query of a URI, and PW in
 * scheme://user:PW@. Bytes that are not UTF-8 become '?'. New reference; NULL when out of memory. */
json_t *xt_strike_passwords(int argc, char **argv);

#endif
