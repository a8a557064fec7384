/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/html.h"

#include <limits.h>

void html_text(FILE *file, const char *text)
{
	static const char *const escaped[UCHAR_MAX + 1] = {['&'] = "&amp;", ['<'] = "&lt;",
		['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};

	for (const unsigned char *at = (const unsigned char *)text; *at; at++)
		if (escaped[*at])
			fputs(escaped[*at], file);
		else if (*at >= ' ')
			fputc(*at, file);
}

void html_put(FILE *file, const char *before, const char *text, const char *after)
{
	fputs(before, file);
	html_text(file, text);
	fputs(after, file);
}

static void put(FILE *file, const char *const *line)
{
	for (; *line; line++)
		fputs(*line, file);
}

void html_map_style(FILE *file)
{
	put(file, map_css);
}

void html_begin(FILE *file, const char *title)
{
	html_put(file, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>", title, "</title>\n<style>\n");
	put(file, map_css);
	put(file, page_css);
	fputs("</style>\n</head>\n<body>\n<main>\n", file);
}

/* A < in a string must not end the element that the data is in. */
static int write_safely(const char *text, size_t size, void *data)
{
	for (size_t i = 0; i < size; i++)
		if (text[i] == '<')
			fputs("\\u003c", data);
		else
			fputc(text[i], data);
	return ferror((FILE *)data) ? -1 : 0;
}

void html_end(FILE *file, json_t *data)
{
	if (!data) {
		fputs("</main>\n</body>\n</html>\n", file);
		return;
	}
	fputs("</main>\n<script type=\"application/json\" id=\"machine-data\">", file);
	json_dump_callback(data, write_safely, file, JSON_COMPACT | JSON_REAL_PRECISION(14));
	json_decref(data);
	fputs("</script>\n<script>\n(function () {\n\"use strict\";\n", file);
	put(file, machine_js);
	put(file, charts_js);
	put(file, page_js);
	fputs("})();\n</script>\n</body>\n</html>\n", file);
}
