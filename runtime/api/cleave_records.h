/* cleave_records.h: what a loop does to all records of a dat: the part of cleave_gen.h by which the
 * runtime leaves out copies and zeros that no loop needs in memory. */
#ifndef CLEAVE_RECORDS_H
#define CLEAVE_RECORDS_H

/* Values of cleave_records.record. */
enum {
    CLEAVE_RECORD_WHOLE = 1,  /* a direct argument: stores every component, whatever the data are */
    CLEAVE_RECORD_ZEROS = 2,  /* leaves +0 in every component */
    CLEAVE_RECORD_STARTS = 4, /* all variants go by CLEAVE_ZEROS_KNOWN; cleave_variant.starts says
                                 which others do */
    CLEAVE_RECORD_LEAVES = 8, /* goes by CLEAVE_ZEROS_LEAVE, where it can */
    /* A joined loop's: leaves what one of its members stores, and would store again if it ran once
     * more behind the group: dats alone are its arguments, it replaces whole records, and nothing
     * that it reads is modified by it or by later members. */
    CLEAVE_RECORD_RECOMPUTABLE = 16,
    /* Increments the dat through a map, and the loop that changes it before leaves +0 in it, as far
     * as the source tells. A hint for the choice of a variant. */
    CLEAVE_RECORD_EXPECTS = 32
};

/* How a loop modifies all records of its dats. */
struct cleave_records {
    const unsigned char *record; /* [args] CLEAVE_RECORD_ bits of the dats; NULL: all 0 */
    /* If they differ: the loop does nothing but copy the dat of direct argument copy_from,
     * component by component, to that of direct argument copy_to. */
    int copy_from;
    int copy_to;
};

/* Values of cleave_launch.zeros. The first two are for arguments that go by them (cleave_records,
 * cleave_variant.starts); the runtime keeps notes of its own in the others. */
enum {
    CLEAVE_ZEROS_KNOWN = 1, /* the dat is all +0, whatever its memory holds */
    CLEAVE_ZEROS_LEAVE = 2  /* what the loop leaves in the dat need not be stored: it is all +0, or
                               can be recomputed */
};

#endif
