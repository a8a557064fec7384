#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# boxes.t over select/linear.
BASE=linear
. "$srcdir/tests/slurm/boxes.t"
