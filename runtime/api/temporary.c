/* temporary.c: frees temporary dats. */
#include "runtime/exec/exec.h"

int op_free_dat_temp(op_dat dat)
{
    CLEAVE_ENTER("op_free_dat_temp");
    cleave_flush_groups();
    struct cleave_dat *own = cleave_dat_checked(dat, "op_free_dat_temp");
    if (!own->temporary) {
        cleave_fatal(
            "op_free_dat_temp: dat '%s' was declared by op_decl_dat; only op_decl_dat_temp's "
            "can be freed",
            dat->name);
    }
    cleave_recipes_settle(); /* by calls that name the dat, while there is one */
    cleave_sites_forget(dat);
    cleave_ahead_forget(dat);
    cleave_dat_free_temp(own);
    return 0;
}

int op_free_dat_temp_char(op_dat dat)
{
    return op_free_dat_temp(dat);
}
