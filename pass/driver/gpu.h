/* gpu.h: which GPUs this machine has. */
#ifndef CLEAVE_DRIVER_GPU_H
#define CLEAVE_DRIVER_GPU_H

/* Writes the compute capabilities of this machine's GPUs, as 90 for 9.0, to capability[0] ..
 * [capacity - 1], one for each GPU in the driver's order. Returns their number: 0 where there is no
 * GPU, no driver, or no answer. */
int gpu_capabilities(int *capability, int capacity);

#endif
