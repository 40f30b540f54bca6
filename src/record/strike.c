/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the passwords by the shapes that libpq accepts. Works on copies; argv itself is left alone, since the command
 * still needs it.
 */
#include "config.h"

#include "record/strike.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>

static const char struck[] = "***";

/* Length of `--pgsql-password` at the start of an argument, hyphens and underscores being equal; 0 when another. */
static size_t password_option(const char *arg)
{
	static const char name[] = "--pgsql-password";

	for (size_t i = 0; i < sizeof(name) - 1; i++)
		if (arg[i] != name[i] && !(i > 2 && name[i] == '-' && arg[i] == '_'))
			return 0;
	return sizeof(name) - 1;
}

/* The end of a connection string's value: quoted, or up to a blank; both with backslashes. A URI's ends at '&' too. */
static const char *value_end(const char *p, int uri)
{
	char quote = !uri && *p == '\'' ? *p++ : '\0';

	for (; *p; p++) {
		if (*p == '\\' && p[1] && !uri)
			p++;
		else if (quote ? *p == quote : isspace((unsigned char)*p) || (uri && (*p == '&' || *p == '#')))
			break;
	}
	return quote && *p ? p + 1 : p;
}

/* Behind the '=' of "password =" when one starts at p, else NULL. */
static const char *password_key(const char *p)
{
	if (strncasecmp(p, "password", 8) != 0)
		return NULL;
	for (p += 8; isspace((unsigned char)*p); p++)
		;
	if (*p++ != '=')
		return NULL;
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* scheme://user:PW@ with p behind "://": where PW begins and ends, or 0. The last '@' before the path counts, so that a
 * password with a raw '@' in it goes as a whole. */
static int uri_password(const char *p, const char **begin, const char **end)
{
	size_t authority = strcspn(p, "/?# \t\n");
	const char *colon = memchr(p, ':', authority);
	const char *at = memrchr(p, '@', authority);

	if (!colon || !at || colon > at)
		return 0;
	*begin = colon + 1;
	*end = at;
	return 1;
}

static void strike_text(struct xt_buf *out, const char *text)
{
	const char *uri = strstr(text, "://");
	const char *begin, *end, *value;

	while (*text) {
		if (!strncmp(text, "://", 3) && uri_password(text + 3, &begin, &end)) {
			xt_buf_add(out, text, (size_t)(begin - text));
			xt_buf_puts(out, struck);
			text = end;
		} else if ((value = password_key(text))) {
			xt_buf_add(out, text, (size_t)(value - text));
			xt_buf_puts(out, struck);
			text = value_end(value, uri && uri < text);
		} else {
			xt_buf_add(out, text++, 1);
		}
	}
}

static void replace_invalid_utf8(char *text)
{
	for (char *p = text; *p; p++) {
		size_t len = 1;
		json_t *probe;

		if ((unsigned char)*p < 0x80)
			continue;
		while (len < 4 && ((unsigned char)p[len] & 0xc0) == 0x80)
			len++;
		probe = json_stringn(p, len);
		if (probe)
			p += len - 1;
		else
			*p = '?';
		json_decref(probe);
	}
}

json_t *xt_strike_passwords(int argc, char **argv)
{
	json_t *list = json_array();
	int value_next = 0;

	for (int i = 0; list && i < argc; i++) {
		struct xt_buf text = {0};
		size_t option = password_option(argv[i]);

		xt_buf_add(&text, "", 0);
		if (value_next) {
			xt_buf_puts(&text, struck);
			value_next = 0;
		} else if (option && (!argv[i][option] || argv[i][option] == '=')) {
			xt_buf_add(&text, argv[i], option + (argv[i][option] == '='));
			if (argv[i][option])
				xt_buf_puts(&text, struck);
			else
				value_next = 1;
		} else {
			strike_text(&text, argv[i]);
		}
		if (text.data)
			replace_invalid_utf8(text.data);
		if (text.failed || json_array_append_new(list, json_string(text.data))) {
			json_decref(list);
			list = NULL;
		}
		xt_buf_free(&text);
	}
	return list;
}
