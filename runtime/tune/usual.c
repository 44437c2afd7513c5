/* usual.c: what is known of a variant before it was measured: how it did in other loops. */
#include "runtime/tune/turns.h"

/* By race, medians of 34 loops of examples/ on an H200, each in all its variants. Variants that
 * lose more than PROMISING were the best for none of these loops. */
static const double usual_loss[] = {
    [CLEAVE_RACE_NONE] = 0.2,    [CLEAVE_RACE_COLOUR] = 1.3,    [CLEAVE_RACE_ATOMIC] = 0.5,
    [CLEAVE_RACE_GATHER] = 0.2,  [CLEAVE_RACE_TRANSPOSE] = 0.1, [CLEAVE_RACE_GLOBAL] = 3.8,
    [CLEAVE_RACE_ORDERED] = 0.3, [CLEAVE_RACE_RANGE] = 0.1};
#define LOSS_OF_LOOPS 1.9
#define PROMISING 1.0

static double loss_of_race(const struct cleave_variant *variant)
{
    return variant->schedule == CLEAVE_LOOPS ? LOSS_OF_LOOPS : usual_loss[variant->race];
}

/* Heavy loops took 1.5 to 3.8 times as long one element at a time as several at once
 * (testsuite/bench/results/2026-11-23-cpu-schedules.txt), light ones up to 6 times. */
#define LOSS_OF_SCALAR 2.5

double cleave_usual_loss(const struct cleave_variant *variant, const struct cleave_variant *rule)
{
    return rule->lanes != 0 && variant->lanes == 0 ? LOSS_OF_SCALAR : loss_of_race(variant);
}

/* 1: only this one of the two reads copies of dats. Making them again is no part of a call's time
 * on the device, and a call in turn makes them again more often than a program that stays with the
 * variant, so that trials do not tell what it takes. */
static int adds_copies(const struct cleave_variant *variant, const struct cleave_variant *rule)
{
    return variant->copies > 0 && rule->copies == 0;
}

int cleave_is_promising(const struct cleave_variant *variant, const struct cleave_variant *rule)
{
    return (loss_of_race(variant) <= PROMISING || loss_of_race(rule) > PROMISING) &&
           !adds_copies(variant, rule);
}
