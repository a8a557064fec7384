/* SPDX-License-Identifier: GPL-2.0-or-later */
#define smpi_execute_flops(flops) ((void)(flops))
