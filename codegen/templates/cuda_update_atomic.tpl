// {{what}}; reuses the shared memory.
cleave_barrier();
{
    {{view}}
    {{zero}}
    cleave_barrier();
    if (cleave_active) {
        {{adds}}
    }
    cleave_barrier();
    {{out}}
}
