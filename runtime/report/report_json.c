/* report_json.c: the report as JSON. runtime/README.md lists the members. */
#include "cleave_version.h"
#include "runtime/report/summary.h"

/* 0: null. */
static void write_known(struct cleave_json *json, const char *name, double value)
{
    cleave_json_number(json, name, value > 0.0 ? value : (double)NAN);
}

static void write_takes(struct cleave_json *json, const struct cleave_row *row)
{
    struct target_kernel takes;
    if (!cleave_row_takes(row, &takes)) {
        cleave_json_text(json, "kernel_resources", NULL);
        return;
    }
    cleave_json_object(json, "kernel_resources");
    cleave_json_integer(json, "block_size", row->record->block_size);
    cleave_json_integer(json, "registers", takes.registers);
    cleave_json_integer(json, "local_bytes", takes.local_bytes);
    cleave_json_integer(json, "static_shared_bytes", takes.shared_bytes);
    cleave_json_integer(json, "dynamic_shared_bytes", (long long)row->record->shared_bytes);
    cleave_json_integer(json, "threads_per_multiprocessor", takes.resident_threads);
    cleave_json_object_end(json);
}

/* What a call takes by the compiler's count, and what the model makes of it. */
static void write_load(struct cleave_json *json, const struct cleave_row *row)
{
    const struct cleave_load *load = &row->record->load;
    cleave_json_object(json, "load");
    cleave_json_number(json, "memory_bytes", load->memory);
    cleave_json_number(json, "l2_bytes", load->l2);
    cleave_json_number(json, "apart_bytes", load->apart);
    cleave_json_number(json, "shared_bytes", load->shared);
    cleave_json_number(json, "spilled_bytes", load->spilled);
    cleave_json_number(json, "scattered_additions", load->scattered);
    cleave_json_number(json, "coalesced_additions", load->coalesced);
    cleave_json_number(json, "double_operations", load->in_double);
    cleave_json_number(json, "float_operations", load->in_float);
    cleave_json_number(json, "waits", load->waits);
    cleave_json_number(json, "visits", load->visits);
    cleave_json_number(json, "barriers", load->barriers);
    cleave_json_number(json, "turns", load->turns);
    cleave_json_number(json, "turn_values", load->turn_values);
    cleave_json_number(json, "summed", load->summed);
    cleave_json_number(json, "shared_atomics", load->shared_atomics);
    cleave_json_number(json, "threads", load->threads);
    cleave_json_number(json, "launches", load->launches);
    cleave_json_object_end(json);
}

static void write_row(struct cleave_json *json, const struct cleave_summary *summary,
                      const struct cleave_row *row)
{
    const struct cleave_record *record = row->record;
    cleave_json_object(json, NULL);
    cleave_json_text(json, "loop", record->name);
    cleave_json_text(json, "kernel", record->kernel);
    cleave_json_text(json, "variant", record->variant);
    cleave_json_text(json, "target", record->target);
    cleave_json_integer(json, "calls", row->count);
    cleave_json_number(json, "seconds", row->seconds);
    cleave_json_number(json, "share", cleave_share(summary, row));
    cleave_json_number(json, "seconds_per_call", row->seconds / (double)row->count);
    write_known(json, "median_seconds", row->median_seconds);
    cleave_json_number(json, "bytes_per_call", row->bytes / (double)row->count);
    cleave_json_number(json, "gb_per_second",
                       cleave_gigabytes_per_second(row->bytes, row->seconds));
    write_known(json, "of_copy", cleave_of_copy(summary, row));
    write_known(json, "predicted_seconds", row->predicted);
    cleave_json_text(json, "limit", row->predicted > 0.0 ? cleave_limit_word(row->limit) : NULL);
    cleave_json_number(json, "plan_seconds", row->plan_seconds);
    write_takes(json, row);
    write_load(json, row);
    cleave_json_object_end(json);
}

static void write_reasons(struct cleave_json *json)
{
    cleave_json_array(json, "sequential");
    for (const struct cleave_reason *r = cleave_reasons; r != NULL; r = r->next) {
        cleave_json_object(json, NULL);
        cleave_json_text(json, "loop", r->loop);
        cleave_json_text(json, "file", r->file);
        cleave_json_integer(json, "line", r->line);
        cleave_json_text(json, "reason", r->text);
        cleave_json_object_end(json);
    }
    cleave_json_array_end(json);
}

int cleave_report_json(const struct cleave_summary *summary, FILE *file)
{
    struct cleave_json json;
    cleave_json_begin(&json, file);
    cleave_json_object(&json, NULL);
    cleave_json_text(&json, "cleave", CLEAVE_VERSION);
    cleave_json_text(&json, "device", summary->device);
    write_known(&json, "copy_gb_per_second", 1e-9 * summary->copy_rate);
    cleave_json_number(&json, "seconds", summary->seconds);
    cleave_json_number(&json, "loop_seconds", summary->loop_seconds);
    cleave_json_number(&json, "plan_seconds", summary->plan_seconds);
    cleave_json_bool(&json, "deterministic", cleave_settings.deterministic);
    cleave_json_array(&json, "loops");
    for (int r = 0; r < summary->rows; r++) {
        write_row(&json, summary, &summary->row[r]);
    }
    cleave_json_array_end(&json);
    write_reasons(&json);
    cleave_plans_to_json(&json);
    cleave_json_object_end(&json);
    return cleave_json_finish(&json);
}
