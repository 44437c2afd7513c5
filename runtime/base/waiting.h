/* waiting.h: how long the threads of OpenMP spin before they sleep. See waiting.c. */
#ifndef CLEAVE_WAITING_H
#define CLEAVE_WAITING_H

/* Before a loop runs on several threads: looks at the machine's load now and then, and has idle threads sleep
 * after about a microsecond while other processes want their processors. Costs 30 ns between two looks. Does
 * nothing where the user has set OMP_WAIT_POLICY or GOMP_SPINCOUNT. */
void cleave_waiting_look(void);
/* How many threads of all processes want to run at this moment, the caller among them; 0: not known. */
int cleave_runnable(void);
/* From now on threads sleep soon (1) or when the OpenMP library says so (0). 0 is returned when that could
 * not be done. Called by cleave_waiting_look() and by tests. */
int cleave_waiting_short(int on);

#endif
