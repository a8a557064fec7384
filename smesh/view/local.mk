smesh_smesh_SOURCES += \
	smesh/view/allowed.c smesh/view/allowed.h \
	smesh/view/draw_svg.c \
	smesh/view/draw_text.c \
	smesh/view/html.c smesh/view/html.h \
	smesh/view/layout.c smesh/view/layout.h \
	smesh/view/live.c \
	smesh/view/machine.c smesh/view/machine.h \
	smesh/view/nodestate.c smesh/view/nodestate.h \
	smesh/view/picture.c smesh/view/picture.h \
	smesh/view/picture_json.c smesh/view/picture_json.h \
	smesh/view/reason.c smesh/view/reason.h \
	smesh/view/timeline.c smesh/view/timeline.h \
	smesh/view/report_page.c smesh/view/report_page.h \
	smesh/view/report_tables.c \
	smesh/view/state.c smesh/view/state.h
nodist_smesh_smesh_SOURCES = smesh/view/assets.c
page_assets = \
	$(srcdir)/smesh/view/map.css \
	$(srcdir)/smesh/view/page.css \
	$(srcdir)/smesh/view/machine.js \
	$(srcdir)/smesh/view/charts.js \
	$(srcdir)/smesh/view/page.js
smesh/view/assets.c: $(page_assets) smesh/view/embed.awk
	$(AM_V_GEN)$(MKDIR_P) smesh/view && \
		$(AWK) -f $(srcdir)/smesh/view/embed.awk $(page_assets) >$@
CLEANFILES += smesh/view/assets.c
EXTRA_DIST += smesh/view/map.css smesh/view/page.css smesh/view/machine.js smesh/view/charts.js \
	smesh/view/page.js smesh/view/embed.awk
