// {{what}}; each point adds up its elements in their order.
{
    const struct cleave_plan_list *const cleave_list = &cleave_plan->list[{{list}}];
    const struct cleave_range cleave_points =
        cleave_part_of(0, cleave_list->points, cleave_thread);
    {{wait}}
    for (int cleave_p = cleave_points.first; cleave_p < cleave_points.last; cleave_p++) {
        const int cleave_last = cleave_list->item_start[cleave_p + 1];
        {{targets}}
        for (int cleave_k = cleave_list->item_start[cleave_p]; cleave_k < cleave_last;
             cleave_k++) {
            {{element}}
            {{body}}
            {{cases}}
        }
    }
}
