/* spare.h: buffers on the device that hold no dat's values now, buffers that several dats share
 * (spare.c), and dats whose zeros no buffer holds. Included by mesh.h. Callers hold the state of
 * dats. */
#ifndef CLEAVE_SPARE_H
#define CLEAVE_SPARE_H

#include "runtime/mesh/unstored.h"

struct cleave_dat;

/* The part of a dat that spare.c and memory.c keep for this. */
struct cleave_buffers {
    void *ahead; /* one for values that a loop is computed for ahead of its call; or NULL */
    unsigned long ahead_stamp; /* which values it holds (exec/ahead.c); 0: none */
    void *next_ahead;          /* the one that takes its place when it is adopted; or NULL */
    void *spare;               /* a second buffer on the device, for cleave_dat_bytes(); or NULL */
    struct cleave_dat *sharer; /* the next dat whose copy on the device is the same buffer, in a
                                  ring; NULL: the dat has its buffer for itself */
    int unshared;   /* times in a row that a copy which sharing was to spare had to be made */
    int not_shared; /* copies that were made at once, because of these */
    int zeros_made; /* times in a row that zeros which no copy held had to be written */
    int zeros_kept; /* times since then that a loop began with zeros that were stored in vain */
    struct cleave_recipe *recipe; /* the open one by which it can be recomputed (unstored.c) */
    int needed;                   /* open recipes that it must not be modified for */
    void *kept;                   /* a copy for such a recipe, of what it was; or NULL */
};

/* ---- spare buffers -------------------------------------------------------------------------- */

/* Returns a buffer on the device for all records of the dat, as an array of structures: one that
 * was given back, or a new one. Its content is undefined. The caller owns it until it gives it back
 * or has the dat adopt it. NULL: there is no memory for it, or CLEAVE_FUSE_MEMORY allows no more.
 */
void *cleave_buffer_take(op_dat dat);
/* Gives back a buffer that was taken for the dat, or for one whose records take as many bytes.
 * Launches that wait in the queue may name it only if they start before those that get it next. */
void cleave_buffer_give(op_dat dat, void *buffer);
/* Makes a buffer that was taken for the dat its buffer on the device: call it when a launch that
 * fills the buffer has been queued, before cleave_dat_written(). The dat's buffer up to now is
 * given back, unless other dats share it. */
void cleave_dat_adopt(op_dat dat, void *buffer);

/* Returns the dat's second buffer, which is taken if there is none, and kept until
 * cleave_dat_exchange(); NULL: as for cleave_buffer_take(). */
void *cleave_dat_spare(op_dat dat);
/* Has the dat adopt its second buffer. */
void cleave_dat_exchange(op_dat dat);
/* Likewise, a buffer for values that are computed ahead of a loop's call; what it held is lost. */
void *cleave_dat_ahead(op_dat dat);
/* The call has come: has the dat adopt it. */
void cleave_dat_adopt_ahead(op_dat dat);
/* Returns the buffer that cleave_dat_ahead() will return when the call has come for which the
 * present one holds values, if it holds any: what it holds stays. NULL: as for
 * cleave_buffer_take(). */
void *cleave_dat_next_ahead(op_dat dat);
/* Sets buffer[0] to the dat's buffer on the device and buffer[1] to that with values which a call
 * may take over; NULL: there is none. Nobody may use what they hold: it tells launches apart. */
void cleave_dat_buffers(op_dat dat, void *buffer[2]);
/* Gives back the second buffer of a dat, if there is one. */
void cleave_spare_release(struct cleave_dat *dat);
/* Releases the memory of all second buffers and of those that were given back. 0: there are none.
 */
int cleave_spares_make_room(void);
/* Without the device, as in a child of fork(): forgets them, and who shares what. */
void cleave_spares_lose_device(void);

/* ---- shared buffers ------------------------------------------------------------------------- */

/* Makes `to` a second name of from's buffer on the device, where from's copy must be current; call
 * cleave_dat_written(to) behind it. Both are on the same set and have equal records. 0: the buffer
 * that `to` has would be one more than CLEAVE_FUSE_MEMORY allows; nothing has changed. */
int cleave_dat_share_buffer(struct cleave_dat *to, struct cleave_dat *from);
/* 1: another dat reads the same buffer: nobody may write to it. */
int cleave_dat_is_shared(const struct cleave_dat *dat);
/* Takes the dat's buffer away from it: a shared one stays with the others, any other is released.
 */
void cleave_dat_leave_buffer(struct cleave_dat *dat);
/* Gives a dat that shares its buffer a copy of its own; starts the launches that wait. */
void cleave_dat_unshare(struct cleave_dat *dat);
/* Gives it a buffer to which its records have been moved in this layout. */
void cleave_dat_relaid(struct cleave_dat *dat, void *memory, int soa);

/* ---- zeros (memory.c) ----------------------------------------------------------------------- */

/* Call after a launch that leaves +0 in all components of the dat. stored: 1 as after
 * cleave_dat_written(COPY_DEVICE), 0: no copy holds these zeros. */
void cleave_dat_zeroed(op_dat dat, int stored);
/* 1: the dat may be left without a copy that holds its zeros: no other dat has its values, and
 * somebody used such zeros lately without asking for them. */
int cleave_dat_may_stay_zero(op_dat dat);
/* A loop begins with the dat's zeros, and does not read them. blank: no copy held them. */
void cleave_dat_began_zero(op_dat dat, int blank);
/* 1: the dat is zero, and its copy on the device is not current. */
int cleave_dat_is_blank(op_dat dat);
/* Returns memory for the copy on the device of a dat that is blank, for itself alone: its content
 * is undefined until a launch has filled it or cleave_dat_cleared() says so. */
void *cleave_dat_blank(op_dat dat, int soa);
/* The memory of a blank dat is filled with zeros, or will be by a launch that is queued. */
void cleave_dat_cleared(op_dat dat);
/* ---- counts --------------------------------------------------------------------------------- */

/* Since the start or the last op_exit, for reports. */
struct cleave_buffer_use {
    size_t spare_bytes;    /* of buffers that hold no dat's values, now */
    size_t most_bytes;     /* of them, so far */
    long shared;           /* copies of dats that were made without copying */
    double shared_bytes;   /* that those spared, read and written */
    long unshared;         /* of them, copies that had to be made later after all */
    long zeros_left;       /* times that zeros were not stored */
    long zeros_used;       /* times that a loop began with zeros that it did not read */
    long zeros_made;       /* times that zeros which were not stored had to be written after all */
    long unstored;         /* times that the values of a dat were not stored (unstored.c) */
    double unstored_bytes; /* of them */
    long recomputed;       /* times that these were needed after all */
};
extern struct cleave_buffer_use cleave_buffer_use;
void cleave_buffer_use_forget(void);

#endif
