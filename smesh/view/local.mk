smesh_smesh_SOURCES += \
	smesh/view/chart.c smesh/view/chart.h \
	smesh/view/draw_html.c \
	smesh/view/draw_svg.c \
	smesh/view/draw_text.c \
	smesh/view/html.c smesh/view/html.h \
	smesh/view/layout.c smesh/view/layout.h \
	smesh/view/live.c smesh/view/live.h \
	smesh/view/machine.c smesh/view/machine.h \
	smesh/view/matrix.c smesh/view/matrix.h \
	smesh/view/picture.c smesh/view/picture.h \
	smesh/view/record.c smesh/view/record.h \
	smesh/view/record_finish.c \
	smesh/view/report_charts.c \
	smesh/view/report_figures.c \
	smesh/view/report_links.c \
	smesh/view/report_page.c smesh/view/report_page.h \
	smesh/view/script.h \
	smesh/view/snapshot.c smesh/view/snapshot.h \
	smesh/view/state.c smesh/view/state.h
nodist_smesh_smesh_SOURCES = smesh/view/machine_js.c smesh/view/page_js.c smesh/view/page_css.c
smesh/view/machine_js.c: smesh/view/machine.js smesh/view/embed.awk
	$(AM_V_GEN)$(MKDIR_P) smesh/view && $(AWK) -v name=script_machine \
		-f $(srcdir)/smesh/view/embed.awk $(srcdir)/smesh/view/machine.js >$@
smesh/view/page_js.c: smesh/view/page.js smesh/view/embed.awk
	$(AM_V_GEN)$(MKDIR_P) smesh/view && $(AWK) -v name=script_page \
		-f $(srcdir)/smesh/view/embed.awk $(srcdir)/smesh/view/page.js >$@
smesh/view/page_css.c: smesh/view/page.css smesh/view/embed.awk
	$(AM_V_GEN)$(MKDIR_P) smesh/view && $(AWK) -v name=style_page \
		-f $(srcdir)/smesh/view/embed.awk $(srcdir)/smesh/view/page.css >$@
CLEANFILES += smesh/view/machine_js.c smesh/view/page_js.c smesh/view/page_css.c
EXTRA_DIST += smesh/view/machine.js smesh/view/page.js smesh/view/page.css smesh/view/embed.awk
