{{named_records}}
for (int cleave_row = cleave_first; cleave_row < cleave_last; cleave_row++) {
    const auto cleave_now = cleave_named_of<{{named_words}}>(cleave_list, cleave_row, cleave_p);
    if (cleave_now.word[0] < 0) {
        break; // behind the point's last item
    }
    {{named_item}}
    {{point_updates}}
}
