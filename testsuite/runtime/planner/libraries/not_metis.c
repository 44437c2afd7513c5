/* not_metis.c: a library without METIS's or Scotch's functions. */
int not_metis(void);

int not_metis(void)
{
    return 0;
}
