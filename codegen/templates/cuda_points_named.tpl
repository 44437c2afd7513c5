{{named_records}}
while (cleave_next.word[0] >= 0) { // negative: behind the point's last item
    const auto cleave_now = cleave_next;
    cleave_next = cleave_named_next<{{named_words}}>(cleave_walk);
    {{named_item}}
    {{point_updates}}
}
