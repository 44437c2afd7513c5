// The records of {{batch}} items are loaded together, before the first of them is used.
for (int cleave_from = cleave_first; cleave_from < cleave_last; cleave_from += {{batch}}) {
    {{batch_records}}
    CLEAVE_UNROLL
    for (int cleave_k = 0; cleave_k < {{batch}}; cleave_k++) {
        const int cleave_i = cleave_from + cleave_k < cleave_last ? cleave_from + cleave_k : cleave_last - 1;
        {{batch_load}}
    }
    CLEAVE_UNROLL
    for (int cleave_k = 0; cleave_k < {{batch}}; cleave_k++) {
        if (cleave_k == 0 || cleave_from + cleave_k < cleave_last) {
            {{batch_item}}
            {{point_updates}}
        }
    }
}
