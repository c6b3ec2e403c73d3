MODULE_big = sliding_prefix
OBJS = \
	src/aggregates.o \
	src/catalog_expr.o \
	src/certificate.o \
	src/column_proof.o \
	src/explain_function.o \
	src/explain_option.o \
	src/failure.o \
	src/function_text.o \
	src/fused_bounds.o \
	src/fused_exec.o \
	src/fused_explain.o \
	src/fused_plan.o \
	src/fused_range.o \
	src/fused_spool.o \
	src/fused_window.o \
	src/group.o \
	src/keys.o \
	src/nullability.o \
	src/numeric_format.o \
	src/numeric_scale.o \
	src/permission.o \
	src/plan_walk.o \
	src/range_rolling.o \
	src/read_ahead.o \
	src/ring.o \
	src/rolling_aggregate.o \
	src/rolling_key.o \
	src/run.o \
	src/settings.o \
	src/sliding_prefix.o \
	src/staying.o \
	src/strategy.o \
	src/windowagg_plan.o
PGFILEDESC = "sliding_prefix - rolling-window sums from shared prefix sums"

EXTENSION = sliding_prefix
DATA = sql/sliding_prefix--0.1.0.sql sql/sliding_prefix--0.1.0--0.2.0.sql

PG_CPPFLAGS = -I$(srcdir)/src
PG_CFLAGS = -fvisibility=hidden

REGRESS_OPTS = --inputdir=test
REGRESS = setup basic exact aggregates frames offsets certificate partial read_ahead places explain \
	explain_function explain_option windowagg settings spill_small spill \
	range_rolling range_rolling_random

# "make demo", "make test", "make differential" and "make bench" find or install a
# server themselves, unless PG_CONFIG is given; "make matrix" installs others in
# folders, "make core-check" and "make checked" build servers
OWN_TARGETS = demo test differential matrix core-check checked bench
ifneq ($(filter $(OWN_TARGETS),$(MAKECMDGOALS)),)
.PHONY: $(OWN_TARGETS)
demo:
	@PG_CONFIG='$(PG_CONFIG)' bash test/demo.sh
test:
	@PG_CONFIG='$(PG_CONFIG)' bash test/run.sh
differential:
	@PG_CONFIG='$(PG_CONFIG)' bash test/differential.sh
matrix:
	@PG_CONFIG='$(PG_CONFIG)' bash test/matrix.sh
core-check:
	@bash test/core_check.sh
checked:
	@bash test/checked.sh
bench:
	@PG_CONFIG='$(PG_CONFIG)' bash bench/run.sh
else

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# PGXS tracks no headers
$(OBJS): $(wildcard $(srcdir)/src/*.h)

endif
