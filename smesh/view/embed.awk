# SPDX-License-Identifier: GPL-2.0-or-later
# A text file as an array of C strings: awk -v name=script_machine -f embed.awk machine.js
BEGIN {
	print "/* Made by embed.awk. */"
	print "#include \"view/script.h\""
	print "const char *const " name "[] = {"
}
{
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	print "\t\"" $0 "\\n\","
}
END {
	print "\t(const char *)0,"
	print "};"
}
