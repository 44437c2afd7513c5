struct mesh {
    op_map edge;
    op_dat q;
    op_dat r;
};

static inline void zero(double *q)
{
    q[0] = 0;
}

static inline void in_header(op_set set, op_dat q)
{
    op_par_loop(zero, "zero", set, op_arg_dat(q, -1, OP_ID, 1, "double", OP_WRITE));
}
