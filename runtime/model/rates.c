/* rates.c: how fast the machine is. */
#include "runtime/model/model.h"

const struct cleave_rates *cleave_rates(void)
{
    return cleave_device != NULL ? &cleave_machine.device_rates : &cleave_machine.host_rates;
}
