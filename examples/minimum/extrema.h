/* Kernels of the minimum example: the least and the greatest value that is seen. */
static inline void least(const int *value, int *minimum)
{
    *minimum = *value < *minimum ? *value : *minimum;
}

static inline void greatest(const int *value, int *maximum)
{
    *maximum = *value > *maximum ? *value : *maximum;
}
