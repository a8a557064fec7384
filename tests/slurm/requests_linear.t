#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# requests.t over select/linear.
BASE=linear
. "$srcdir/tests/slurm/requests.t"
