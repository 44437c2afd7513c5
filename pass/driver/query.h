/* query.h: questions to cleavecc that compile nothing. */
#ifndef CLEAVE_DRIVER_QUERY_H
#define CLEAVE_DRIVER_QUERY_H

#include "pass/driver/driver.h"

/* Answers driver->settings.query on stdout; the exit code. */
int query_answer(const struct driver *driver);

#endif
