/* init_impl.h: the start of the runtime, as calls that come first ask for it. */
#ifndef CLEAVE_INIT_IMPL_H
#define CLEAVE_INIT_IMPL_H

/* Before a call that is new: takes in the units of libraries that were opened since. */
void cleave_require_targets(void);
/* Goes on without the device, in a child of fork(): its memory is forgotten, not released. */
void cleave_device_lost(void);

#endif
