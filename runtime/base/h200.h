/* h200.h: rates of the GPU that cleave was tuned on, an NVIDIA H200, at their best, for the
 * compiler's cost model (pass/ir/machine.c). The rates that the runtime's model uses are those that
 * its own kernels measure (runtime/base/machine.c). Bytes or operations per ns of the whole device.
 */
#ifndef CLEAVE_H200_H
#define CLEAVE_H200_H

#define H200_MULTIPROCESSORS 132
#define H200_COPY 4200                /* measured: a copy of 1 GiB, bytes read and written */
#define H200_L2 6600                  /* measured: 5.0 TB/s at 76 per cent of the peak of L2 */
#define H200_SHARED (132 * 128 * 1.7) /* data sheet: 128 bytes per clock and multiprocessor */
#define H200_IN_DOUBLE 16600          /* measured: instructions in double precision */

#endif
