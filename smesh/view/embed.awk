# SPDX-License-Identifier: GPL-2.0-or-later
# Text files as arrays of C strings, each called like its file: awk -f embed.awk page.css page.js
BEGIN {
	print "/* Made by embed.awk. */"
	print "#include \"view/html.h\""
}
FNR == 1 {
	if (NR > 1)
		print "\t(const char *)0,\n};"
	name = FILENAME
	sub(/.*\//, "", name)
	sub(/\./, "_", name)
	print "const char *const " name "[] = {"
}
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	print "\t\"" $0 "\\n\","
}
END {
	print "\t(const char *)0,\n};"
}
