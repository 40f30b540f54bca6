/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of an A/B: throughput per thread count above; gain, control, prediction and published series below.
 */
#include "report/cells.h"
#include "report/plot.h"
#include "report/references.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

enum {
	LABEL = 34,
	FOOT_WIDTH = 135,
	FOOT_LINES = 2,
	PREDICTED_TO = 3, /* with more arms the crosses would only clutter */
};

/* What is drawn, and the extent of the gains (per cent), zero included. */
struct scene {
	const json_t *record;
	size_t points;
	size_t arms; /* besides the base */
	struct xt_view_comparison name[XT_VIEW_ARMS];
	bool control;
	struct xt_references references;
	double top_tps;
	double low, high;
};

static void stretch(struct scene *scene, double ratio)
{
	double gain = xt_view_percent(ratio);

	/* fmin and fmax pass over NAN. */
	scene->low = fmin(scene->low, gain);
	scene->high = fmax(scene->high, gain);
}

static void survey(const json_t *record, struct scene *scene)
{
	struct xt_view_point point;

	*scene = (struct scene){.record = record, .points = xt_view_points(record)};
	xt_references_list(record, &scene->references);
	for (size_t i = 0; i < scene->points; i++) {
		xt_view_point(record, i, &point);
		scene->top_tps = fmax(scene->top_tps, fmax(point.tps, point.tps_hi));
		for (size_t k = 0; k < point.n; k++) {
			const struct xt_view_comparison *c = &point.comparison[k];

			if (k >= scene->arms)
				scene->name[scene->arms++] = *c;
			scene->top_tps = fmax(scene->top_tps, fmax(c->tps, c->hi * point.tps));
			stretch(scene, c->ratio);
			stretch(scene, c->lo);
			stretch(scene, c->hi);
			stretch(scene, c->predicted);
		}
		if (point.has_control) {
			scene->control |= !isnan(point.control.ratio);
			stretch(scene, point.control.ratio);
			stretch(scene, point.control.lo);
			stretch(scene, point.control.hi);
		}
		for (size_t s = 0; s < scene->references.n; s++)
			stretch(scene,
			        xt_view_number(xt_references_find(point.json, scene->references.name[s]), "ratio"));
	}
}

/* One line of a series: place, value, low, high (the value itself where there is no interval); nothing without a value.
 */
static void datum(struct xt_buf *out, size_t index, double value, double low, double high)
{
	if (isfinite(value))
		xt_buf_printf(out, "%zu %.12g %.12g %.12g\n", index + 1, value, isfinite(low) ? low : value,
		              isfinite(high) ? high : value);
}

/* The comparison of arm k at a point; control: k == arms. NULL: none there. */
static const struct xt_view_comparison *at(const struct scene *scene, const struct xt_view_point *point, size_t k)
{
	if (k == scene->arms)
		return point->has_control ? &point->control : NULL;
	return k < point->n ? &point->comparison[k] : NULL;
}

/* $tps0 (the base), $tps1, ...: throughput; an arm's interval is that of its ratio, times the base's throughput. */
static void put_tps(const struct scene *scene, struct xt_buf *out)
{
	struct xt_view_point point;

	for (size_t k = 0; k <= scene->arms; k++) {
		xt_buf_printf(out, "$tps%zu << EOD\n", k);
		for (size_t i = 0; i < scene->points; i++) {
			xt_view_point(scene->record, i, &point);
			if (!k)
				datum(out, i, point.tps, point.tps_lo, point.tps_hi);
			else if (k <= point.n)
				datum(out, i, point.comparison[k - 1].tps, point.comparison[k - 1].lo * point.tps,
				      point.comparison[k - 1].hi * point.tps);
		}
		xt_buf_puts(out, "EOD\n");
	}
}

/* $gain0, ... and, last, the control's; $predicted0, ...: ratios. */
static void put_ratios(const struct scene *scene, struct xt_buf *out)
{
	struct xt_view_point point;

	for (int predicted = 0; predicted < 2; predicted++)
		for (size_t k = 0; k < scene->arms + !predicted; k++) {
			xt_buf_printf(out, "$%s%zu << EOD\n", predicted ? "predicted" : "gain", k);
			for (size_t i = 0; i < scene->points; i++) {
				const struct xt_view_comparison *c;

				xt_view_point(scene->record, i, &point);
				c = at(scene, &point, k);
				if (c && predicted)
					datum(out, i, c->predicted, NAN, NAN);
				else if (c)
					datum(out, i, c->ratio, c->lo, c->hi);
			}
			xt_buf_puts(out, "EOD\n");
		}
}

static void put_references(const struct scene *scene, struct xt_buf *out)
{
	struct xt_view_point point;

	for (size_t s = 0; s < scene->references.n; s++) {
		xt_buf_printf(out, "$published%zu << EOD\n", s);
		for (size_t i = 0; i < scene->points; i++) {
			xt_view_point(scene->record, i, &point);
			datum(out, i,
			      xt_view_number(xt_references_find(point.json, scene->references.name[s]), "ratio"), NAN,
			      NAN);
		}
		xt_buf_puts(out, "EOD\n");
	}
}

/* The sideways step of series k of n, so that intervals do not cover each other. */
static double dodge(const struct scene *scene, size_t k, size_t n)
{
	double step = fmin(0.012 * (double)scene->points, 0.45 / (double)n);

	return ((double)k - (double)(n - 1) / 2) * step;
}

/* One series with its interval bars and its line with points. */
struct element {
	const char *data; /* of the block, without its number */
	size_t number;
	double shift;
	const char *scale; /* function from figures to the axis */
	const char *look;
};

/* Leaves the title to the caller. */
static void put_element(struct xt_buf *out, const struct element *e)
{
	xt_buf_printf(out, "$%s%zu using ($1%+g):(%s($2)):(%s($3)):(%s($4)) with yerrorbars %s notitle, ", e->data,
	              e->number, e->shift, e->scale, e->scale, e->scale, e->look);
	xt_buf_printf(out, "$%s%zu using ($1%+g):(%s($2)) with linespoints %s title ", e->data, e->number, e->shift,
	              e->scale, e->look);
}

static const char *arm_name(const struct scene *scene, size_t arm)
{
	return xt_view_text(json_array_get(json_object_get(scene->record, "arms"), arm), "name", "?");
}

static bool has_data(const struct scene *scene, const char *kind, size_t k)
{
	struct xt_view_point point;

	for (size_t i = 0; i < scene->points; i++) {
		const struct xt_view_comparison *c;

		xt_view_point(scene->record, i, &point);
		c = at(scene, &point, k);
		if (c && !isnan(*kind == 'g' ? c->ratio : *kind == 'p' ? c->predicted : c->tps))
			return true;
	}
	return false;
}

static void upper(const struct scene *scene, struct xt_buf *out)
{
	bool thousands = scene->top_tps >= 2000;
	char look[128], label[512];

	xt_plot_panel(out, 0, scene->arms + 1);
	xt_buf_printf(out, "tps(v) = v / %s\nset ylabel '%stransactions/s'\nset yrange [0:%.6g]\nset xlabel ''\n",
	              thousands ? "1000.0" : "1.0", thousands ? "k " : "",
	              scene->top_tps * 1.06 / (thousands ? 1000 : 1));
	xt_buf_puts(out, "plot ");
	for (size_t k = 0; k <= scene->arms; k++) {
		if (k && !has_data(scene, "tps", k - 1))
			continue;
		snprintf(look, sizeof(look), "lc '%s' lw 1.8 lt 1 pt %d ps 0.75", xt_plot_colour(k), k ? 7 : 5);
		snprintf(label, sizeof(label), "%s  %s", k ? scene->name[k - 1].letter : "A",
		         k ? scene->name[k - 1].arm : arm_name(scene, 0));
		xt_buf_puts(out, k ? ", " : "");
		put_element(out, &(struct element){"tps", k, dodge(scene, k, scene->arms + 1) / 2, "tps", look});
		xt_plot_quote(out, label, LABEL);
	}
	xt_buf_puts(out, "\nunset label\n");
}

static void lower_measured(const struct scene *scene, struct xt_buf *out, bool predicted)
{
	char look[128], label[512];

	for (size_t k = 0; k < scene->arms + scene->control; k++) {
		bool control = k == scene->arms;

		if (!has_data(scene, "gain", k))
			continue;
		snprintf(look, sizeof(look), "lc '%s' lw %s dt %d pt %d ps 0.75",
		         control ? "#999999" : xt_plot_colour(k + 1), control ? "1.2" : "1.8", control ? 2 : 1,
		         control ? 5 : 7);
		if (control)
			snprintf(label, sizeof(label), "A'/A, control");
		else
			snprintf(label, sizeof(label), "%s/A, measured", scene->name[k].letter);
		xt_buf_puts(out, ", ");
		put_element(out, &(struct element){"gain", k, dodge(scene, k, scene->arms + 1), "gain", look});
		xt_plot_quote(out, label, LABEL);
	}
	for (size_t k = 0; predicted && k < scene->arms; k++) {
		if (!has_data(scene, "predicted", k))
			continue;
		snprintf(label, sizeof(label), "%s/A, predicted", scene->name[k].letter);
		xt_buf_printf(out,
		              ", $predicted%zu using ($1%+g):(gain($2)) with points lc '%s' lw 1.8 pt 2 ps 1.1 title ",
		              k, dodge(scene, k, scene->arms + 1) - fmin(0.024 * (double)scene->points, 0.3),
		              xt_plot_colour(k + 1));
		xt_plot_quote(out, label, LABEL);
	}
}

static void lower(const struct scene *scene, struct xt_buf *out)
{
	static const char *const colour[] = {"#d55e00", "#cc79a7", "#e69f00", "#009e73"};
	bool predicted = scene->arms <= PREDICTED_TO;
	double margin = fmax(0.08 * (scene->high - scene->low), 0.2);
	char label[256];

	xt_plot_panel(out, 1, scene->arms * (1 + predicted) + 1 + scene->references.n);
	xt_buf_printf(out,
	              "gain(v) = (v - 1) * 100\nset ylabel 'gain in throughput, %%'\nset xlabel 'threads'\n"
	              "set yrange [%.6g:%.6g]\n",
	              scene->low - margin, scene->high + margin);
	if (scene->low == scene->high)
		xt_buf_puts(out, "set label 4 'nothing was compared' at graph 0.5,0.7 center\n");
	xt_buf_puts(out, "plot 0 with lines lc '#404040' lw 0.8 notitle");
	lower_measured(scene, out, predicted);
	for (size_t s = 0; s < scene->references.n; s++) {
		snprintf(label, sizeof(label), "%s, published", xt_references_label(scene->references.name[s]));
		xt_buf_printf(
			out,
			", $published%zu using 1:(gain($2)) with linespoints lc '%s' lw 1.1 dt 3 pt %zu ps 1.0 title ",
			s, colour[s % 4], 4 + 2 * (s % 4));
		xt_plot_quote(out, label, LABEL);
	}
	xt_buf_puts(out, "\n");
}

/* Emulated arms: in words for one or two, "A 565, B 565+100" for more. */
static void emulated_arms(const struct scene *scene, struct xt_buf *text)
{
	struct xt_buf words = {0}, figures = {0};
	unsigned n = 0;
	json_t *arm;
	size_t i;

	json_array_foreach(json_object_get(scene->record, "arms"), i, arm)
	{
		const json_t *emulated = json_object_get(arm, "emulated");
		double ns = xt_view_number(emulated, "ns"), added = xt_view_number(emulated, "added_ns");
		char said[128];

		xt_cells_emulated(arm, said, sizeof(said));
		if (!*said || !strcmp(xt_view_text(arm, "role", ""), "control"))
			continue;
		xt_buf_printf(&words, "%c is %s. ", xt_view_letter(i), said);
		xt_buf_printf(&figures, "%s%c ", n++ ? ", " : "", xt_view_letter(i));
		if (!isnan(ns))
			xt_buf_printf(&figures, "%.6g", ns);
		if (added > 0)
			xt_buf_printf(&figures, "+%.6g", added);
	}
	if (n > 2)
		xt_buf_printf(text, "Emulated reads, ns: %s. ", figures.data);
	else if (n)
		xt_buf_puts(text, words.data);
	xt_buf_free(&words);
	xt_buf_free(&figures);
}

/* The lines at the foot: emulated arms with their figures, and what the bars are. */
static void footer(const struct scene *scene, struct xt_buf *out)
{
	struct xt_buf text = {0};
	char part[FOOT_WIDTH + 1];
	unsigned line = 0;

	emulated_arms(scene, &text);
	xt_buf_puts(&text, "Bars: 95 % intervals, each for itself.");
	for (const char *p = text.data ? text.data : ""; *p && line < FOOT_LINES; line++) {
		size_t len = strlen(p);

		if (len > FOOT_WIDTH)
			for (len = FOOT_WIDTH; len > 1 && p[len] != ' '; len--)
				;
		snprintf(part, sizeof(part), "%.*s", (int)len, p);
		xt_buf_printf(out, "set label %u ", 10 + line);
		xt_plot_quote(out, part, FOOT_WIDTH);
		xt_buf_printf(out, " at screen 0.085,%g left font ',9' noenhanced\n", 0.03 - 0.017 * line);
		p += len + strspn(p + len, " ");
	}
	xt_buf_free(&text);
}

int xt_plot_ab(const json_t *record, struct xt_buf *out)
{
	struct scene scene;

	survey(record, &scene);
	if (!(scene.top_tps > 0))
		return -1;
	put_tps(&scene, out);
	put_ratios(&scene, out);
	put_references(&scene, out);
	xt_plot_axes(out, record);
	footer(&scene, out);
	xt_buf_puts(out, "set multiplot\n");
	upper(&scene, out);
	lower(&scene, out);
	xt_buf_puts(out, "unset multiplot\n");
	return 0;
}
