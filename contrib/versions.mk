# SPDX-License-Identifier: GPL-2.0-or-later
# For contrib/versions: compiles the plugins against the Slurm of $(tree), configured in $(built), and
# links them. The files of each are those of local.mk (lists.mk has them, without conditions).
include lists.mk

objects = $(patsubst %.c,%.o,$(filter %.c,$1))
libraries = $(filter libmesh%.a,$1)
flags = -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -D_GNU_SOURCE \
	-I$(top)/common/core -I$(top)/common/papers -I$(top)/common
slurm_flags = -std=gnu11 -Wall -Wextra -Wshadow -Wundef -Wcast-qual -Wstrict-prototypes \
	-Wmissing-prototypes -Wno-missing-field-initializers -Werror \
	-DMESH_PLUGIN_TYPE='"select/mesh"' -DMESH_SELECT_TYPE='"select/mesh"' -DMESH_SELECT_ID=150 \
	-DMESH_VERSION='"0"' -Islurm-ops -I$(top)/plugin -isystem $(built) -isystem $(tree)

# config.h has the version of us; Slurm's will do.
common/%.o: $(top)/common/%.c
	@mkdir -p $(@D)
	$(CC) -c -std=c11 $(flags) -I$(built) -o $@ $<
slurm = @mkdir -p $(@D); $(CC) -c $(flags) $(slurm_flags) -o $@ $< 2>$@.errors
plugin/%.o: $(top)/plugin/%.c
	$(slurm)
tests/%.o: $(top)/tests/%.c
	$(slurm)

.SECONDARY:
.SECONDEXPANSION:
libmesh%.a: $$(call objects,$$(libmesh$$*_a_SOURCES))
	ar rc $@ $^
plugins/%.so: $$(call objects,$$(plugins_$$*_so_SOURCES)) $$(call libraries,$$(plugins_$$*_so_LDADD))
	@mkdir -p $(@D)
	$(CC) -shared -Wl,--gc-sections -o $@ $^ -lm
