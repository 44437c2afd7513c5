#define WRAPPED(kernel, ...) op_par_loop(kernel, #kernel, __VA_ARGS__)
static inline void copy(const double *from, double *to)
{
    *to = *from;
}
static inline void add(double **to, const int *number, double *sum)
{
    *to[0] += *number;
    *sum += 1.0;
}
static inline void loops(op_set set, op_map map, op_dat a, op_dat b)
{
    double sum = 0.0;
    op_par_loop(copy, "copy", set,
                op_arg_dat(a, -1, OP_ID, 1, "double", OP_READ),   /* from, "here" */
                op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE)); // to
    if (sum > 0.0) {
        WRAPPED(add, set, op_arg_dat(b, -2, map, 1, "double", OP_INC), op_arg_idx(0, map),
                op_arg_gbl(&sum, 1, "double", OP_INC));
    } else {
        sum = 1.0;
    }
    op_decl_const(1, "double", &sum);
}
