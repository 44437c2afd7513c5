/* riemann.h: the exact solution of a shock tube, for the check of the miniaero example. */
#ifndef MINIAERO_RIEMANN_H
#define MINIAERO_RIEMANN_H

#include "problem.h"

/* The flow between two states that a membrane at x = 0 has parted until the time 0. */
class shock_tube
{
  public:
    shock_tube(const tube_state &left, const tube_state &right);
    /* The state at the place x and the time t, where x / t = speed. */
    tube_state at(double speed) const;
    /* The velocity of the gas between the two outer waves. */
    double velocity() const
    {
        return u_middle;
    }

  private:
    tube_state left, right;
    double p_middle; /* between the two outer waves */
    double u_middle;
};

#endif
