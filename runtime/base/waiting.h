/* waiting.h: controls how long OpenMP threads spin before they sleep. See waiting.c. */
#ifndef CLEAVE_WAITING_H
#define CLEAVE_WAITING_H

/* Call before a loop runs on several threads. Looks at the machine's load now and then; while other
 * processes want the processors, idle threads sleep after about a microsecond. Costs 30 ns between
 * two looks. Does nothing if the user has set OMP_WAIT_POLICY or GOMP_SPINCOUNT. */
void cleave_waiting_look(void);
/* Returns the number of runnable threads of all processes, including the caller; 0: unknown. */
int cleave_runnable(void);
/* on 1: waiting threads sleep soon; 0: as the OpenMP library decides. Returns 0 if that failed.
 * Called by cleave_waiting_look() and by tests. */
int cleave_waiting_short(int on);

#endif
