{{own_records}}
for (int cleave_i = cleave_first; cleave_i < cleave_last; cleave_i++) {
    {{point_item}}
    {{own_item}}
    {{point_updates}}
}
