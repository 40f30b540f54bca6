/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures: what both kinds share, and saving. Figures go into the script as the record has them; scaling to axis units
 * is left to gnuplot.
 */
#include "report/plot.h"

#include "record/record.h"
#include "report/cells.h"
#include "report/view.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

const json_t *xt_plot_subject(const json_t *record)
{
	const char *schema = xt_view_text(record, "schema", "");
	json_t *inner;
	size_t i;

	if (!strncmp(schema, "xtime.ab/", 9) || !strncmp(schema, "xtime.run/", 10))
		return record;
	json_array_foreach(json_object_get(record, "records"), i, inner)
	{
		if (xt_plot_subject(inner))
			return xt_plot_subject(inner);
	}
	return NULL;
}

bool xt_report_drawable(const json_t *record)
{
	return xt_plot_subject(record) && xt_view_points(xt_plot_subject(record)) > 0;
}

void xt_plot_quote(struct xt_buf *out, const char *text, size_t max)
{
	size_t n = 0;

	xt_buf_puts(out, "'");
	for (; *text; text++) {
		if (((unsigned char)*text & 0xc0) != 0x80 && n++ == max) {
			xt_buf_puts(out, "...");
			break;
		}
		if (*text == '\'')
			xt_buf_puts(out, "''");
		else
			xt_buf_add(out, iscntrl((unsigned char)*text) || *text == '`' ? " " : text, 1);
	}
	xt_buf_puts(out, "'");
}

const char *xt_plot_colour(size_t series)
{
	/* Told apart by colour-blind readers as far as fifteen can be. */
	static const char *const colour[] = {"#4d4d4d", "#0072b2", "#d55e00", "#009e73", "#cc79a7",
	                                     "#56b4e9", "#e69f00", "#8c510a", "#5e3c99", "#1b7837",
	                                     "#b2182b", "#2166ac", "#bf812d", "#35978f", "#c51b7d"};

	return colour[series % (sizeof(colour) / sizeof(*colour))];
}

void xt_plot_panel(struct xt_buf *out, int panel, size_t entries)
{
	static const double top[] = {0.885, 0.445}, bottom[] = {0.505, 0.115};

	xt_buf_printf(out, "set tmargin at screen %g\nset bmargin at screen %g\n", top[panel], bottom[panel]);
	xt_buf_printf(out,
	              "set key at screen 0.725,%g left top Left reverse samplen 2 spacing %s font ',%d' noenhanced\n",
	              top[panel], entries > 12 ? "1.0" : "1.25", entries > 12 ? 8 : 10);
}

void xt_plot_axes(struct xt_buf *out, const json_t *record)
{
	size_t n = xt_view_points(record);
	size_t step = (n + 23) / 24; /* labels that would run into each other are left out */
	char subject[256], machine[512];
	struct xt_view_point point;

	xt_cells_subject(record, subject, sizeof(subject));
	xt_cells_machine(record, machine, sizeof(machine));
	xt_buf_puts(out, "set label 1 ");
	xt_plot_quote(out, subject, 90);
	xt_buf_puts(out, " at screen 0.5,0.965 center font ',14' noenhanced\nset label 2 ");
	xt_plot_quote(out, machine, 125);
	xt_buf_puts(out, " at screen 0.5,0.927 center font ',10' noenhanced\n");
	xt_buf_puts(out, "set lmargin at screen 0.085\nset rmargin at screen 0.705\n");
	xt_buf_puts(out, "set border 3 lc '#404040'\nset grid ytics lc '#d0d0d0' lw 0.5 lt 1\nset tics nomirror out\n");
	xt_buf_printf(out, "set xrange [0.5:%g]\nset xtics (", (double)n + 0.5);
	for (size_t i = 0; i < n; i += step) {
		xt_view_point(record, i, &point);
		xt_buf_printf(out, "%s'%u%s' %zu", i ? ", " : "", point.threads, point.partial ? " (partial)" : "",
		              i + 1);
	}
	xt_buf_puts(out, ")\n");
}

int xt_plot_script(const json_t *record, enum xt_picture picture, struct xt_buf *out, struct xt_err *err)
{
	const json_t *subject = xt_plot_subject(record);
	int bad;

	if (!subject)
		return xt_err_usage(err,
		                    "a record of schema '%.100s' has no points to draw: only ab, run, and reproduce "
		                    "with one of them inside",
		                    xt_view_text(record, "schema", "?"));
	if (!xt_view_points(subject))
		return xt_err_usage(err, "there is nothing to draw: the record has no points");
	xt_buf_puts(out, "# gnuplot script with its data; draw it with: gnuplot THIS > PICTURE\nset encoding utf8\n");
	if (picture == XT_PICTURE_SVG)
		xt_buf_puts(out,
		            "set terminal svg size 1000,800 font 'sans-serif,11' background 'white' noenhanced name "
		            "'xtime'\n");
	else
		xt_buf_puts(out, "set terminal pngcairo size 1000,800 font 'sans,10' background 'white' noenhanced\n");
	if (!strncmp(xt_view_text(subject, "schema", ""), "xtime.ab/", 9))
		bad = xt_plot_ab(subject, out);
	else
		bad = xt_plot_run(subject, out);
	if (bad)
		return xt_err_usage(err, "there is nothing to draw: no point has a throughput");
	return out->failed ? xt_err_failed(err, "the picture cannot be made: out of memory") : 0;
}

/* Without gnuplot the reader still gets the data, and a way to a picture. */
static int keep_script(const struct xt_buf *script, const char *keep, struct xt_err *err)
{
	if (!xt_record_save_text(script->data, script->len, keep, err))
		xt_err_failed(
			err,
			"gnuplot is not there (Debian: apt-get install gnuplot-nox), so nothing was drawn; the data "
			"with its script is kept in %s, to be drawn with: gnuplot %s > PICTURE",
			keep, keep);
	return -1;
}

static int draw(const json_t *record, enum xt_picture picture, const char *keep, struct xt_buf *image,
                struct xt_err *err)
{
	struct xt_buf script = {0};
	int status = xt_plot_script(record, picture, &script, err);

	if (!status)
		status = xt_gnuplot_run(script.data, image, err);
	if (status == 1)
		status = keep_script(&script, keep, err);
	xt_buf_free(&script);
	return status;
}

int xt_report_plot(const json_t *record, const char *path, enum xt_picture picture, struct xt_err *err)
{
	struct xt_buf image = {0}, keep = {0};
	int status;

	xt_buf_printf(&keep, "%s.gp", path);
	status = keep.failed ? xt_err_failed(err, "%s: out of memory", path)
	                     : draw(record, picture, keep.data, &image, err);
	if (!status)
		status = xt_record_save_text(image.data, image.len, path, err);
	xt_buf_free(&image);
	xt_buf_free(&keep);
	return status;
}

int xt_report_plot_stream(const json_t *record, FILE *out, const char *keep, enum xt_picture picture,
                          struct xt_err *err)
{
	struct xt_buf image = {0};
	int status = draw(record, picture, keep, &image, err);

	if (!status && (fwrite(image.data, 1, image.len, out) != image.len || fflush(out)))
		status = xt_err_failed(err, "cannot write the picture: %s", strerror(errno));
	xt_buf_free(&image);
	return status;
}
