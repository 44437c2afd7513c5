// {{what}}, in the shared memory that the stage before has left.
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
