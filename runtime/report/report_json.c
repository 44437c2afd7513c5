/* report_json.c: the report as JSON. report.schema.json describes it, and runtime/README.md lists
 * the members. */
#include "cleave_version.h"
#include "runtime/jit/jit.h"
#include "runtime/report/summary.h"
#include "runtime/tune/tune.h"

#include <errno.h>

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

/* Writes the load of a call by the compiler's count, and the model's seconds for it. */
static void write_load(struct cleave_json *json, const struct cleave_row *row)
{
    const struct cleave_load *load = &row->record->load;
    cleave_json_object(json, "load");
    cleave_json_number(json, "memory_bytes", load->memory);
    cleave_json_number(json, "l2_bytes", load->l2);
    cleave_json_number(json, "apart_bytes", load->apart);
    cleave_json_number(json, "strided_bytes", load->strided);
    cleave_json_number(json, "stored_bytes", load->stored);
    cleave_json_number(json, "shared_bytes", load->shared);
    cleave_json_number(json, "spilled_bytes", load->spilled);
    cleave_json_number(json, "additions", load->added);
    cleave_json_number(json, "addition_sectors", load->sectors);
    cleave_json_number(json, "double_operations", load->in_double);
    cleave_json_number(json, "float_operations", load->in_float);
    cleave_json_number(json, "waits", load->waits);
    cleave_json_number(json, "visits", load->visits);
    cleave_json_number(json, "barriers", load->barriers);
    cleave_json_number(json, "turns", load->turns);
    cleave_json_number(json, "turn_values", load->turn_values);
    cleave_json_number(json, "summed", load->summed);
    cleave_json_number(json, "shared_atomics", load->shared_atomics);
    cleave_json_number(json, "reduced", load->reduced);
    cleave_json_number(json, "blocks", load->blocks);
    cleave_json_number(json, "threads", load->threads);
    cleave_json_number(json, "launches", load->launches);
    cleave_json_number(json, "lane_bytes", load->lane_bytes);
    cleave_json_object_end(json);
}

/* The stages of the variant's schedule, if it stages records in shared memory. */
static void write_stages(struct cleave_json *json, const struct cleave_record *record)
{
    cleave_json_array(json, "stages");
    for (int s = 0; s < record->stages; s++) {
        const struct cleave_stage *stage = &record->stage[s];
        cleave_json_object(json, NULL);
        cleave_json_text(json, "name", stage->name);
        cleave_json_integer(json, "staged_bytes_per_point", stage->staged_bytes);
        cleave_json_text(json, "staged", stage->staged);
        cleave_json_object_end(json);
    }
    cleave_json_array_end(json);
}

static void write_row(struct cleave_json *json, const struct cleave_summary *summary,
                      const struct cleave_row *row)
{
    const struct cleave_record *record = row->record;
    const double operations = record->load.in_double + record->load.in_float;
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
    write_known(json, "operations_per_byte",
                row->bytes > 0.0 ? operations * (double)row->count / row->bytes : 0.0);
    write_known(json, "operations_per_second",
                row->seconds > 0.0 ? operations * (double)row->count / row->seconds : 0.0);
    write_known(json, "predicted_seconds", row->predicted);
    cleave_json_text(json, "limit", row->predicted > 0.0 ? cleave_limit_word(row->limit) : NULL);
    cleave_json_number(json, "plan_seconds", row->plan_seconds);
    write_takes(json, row);
    write_load(json, row);
    write_stages(json, record);
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

static void write_groups(struct cleave_json *json)
{
    cleave_json_object(json, "groups");
    cleave_json_integer(json, "launches", cleave_group_use.launches);
    cleave_json_integer(json, "calls", cleave_group_use.loops);
    cleave_json_integer(json, "waited_in_vain", cleave_group_use.missed);
    cleave_json_integer(json, "refused", cleave_group_use.refused);
    cleave_json_integer(json, "apart", cleave_group_use.apart);
    cleave_json_integer(json, "ahead", cleave_group_use.ahead);
    cleave_json_integer(json, "adopted", cleave_group_use.adopted);
    cleave_json_integer(json, "dropped", cleave_group_use.dropped);
    cleave_json_integer(json, "speculative", cleave_group_use.speculative);
    cleave_json_integer(json, "confirmed", cleave_group_use.confirmed);
    cleave_json_object_end(json);
    cleave_json_object(json, "buffers");
    cleave_json_integer(json, "copies_shared", cleave_buffer_use.shared);
    cleave_json_number(json, "shared_bytes", cleave_buffer_use.shared_bytes);
    cleave_json_integer(json, "copies_made_later", cleave_buffer_use.unshared);
    cleave_json_integer(json, "zeros_not_stored", cleave_buffer_use.zeros_left);
    cleave_json_integer(json, "zeros_not_read", cleave_buffer_use.zeros_used);
    cleave_json_integer(json, "zeros_written_later", cleave_buffer_use.zeros_made);
    cleave_json_integer(json, "values_not_stored", cleave_buffer_use.unstored);
    cleave_json_number(json, "not_stored_bytes", cleave_buffer_use.unstored_bytes);
    cleave_json_integer(json, "values_computed_later", cleave_buffer_use.recomputed);
    cleave_json_integer(json, "second_buffer_bytes", (long)cleave_buffer_use.most_bytes);
    cleave_json_object_end(json);
}

static void write_candidate(struct cleave_json *json, const struct cleave_trials *trials, int n)
{
    const struct cleave_trial *trial = &trials->trial[n];
    cleave_json_object(json, NULL);
    cleave_json_text(json, "variant", trial->variant);
    cleave_json_integer(json, "block_size", trial->block_size);
    cleave_json_integer(json, "threads", trial->threads);
    cleave_json_integer(json, "samples", trial->samples);
    write_known(json, "seconds", trial->seconds);
    write_known(json, "spread_seconds", trial->spread);
    write_known(json, "predicted_seconds", trial->predicted);
    cleave_json_text(json, "state", cleave_trial_state_word(trial->state));
    cleave_json_text(json, "why", trial->why);
    cleave_json_bool(json, "by_rule", n == trials->by_rule);
    cleave_json_bool(json, "in_use", n == trials->runs);
    cleave_json_object_end(json);
}

static void write_trials(struct cleave_json *json, const struct cleave_trials *trials)
{
    cleave_json_object(json, NULL);
    cleave_json_text(json, "loop", trials->loop);
    cleave_json_text(json, "kernel", trials->kernel);
    cleave_json_text(json, "target", trials->target);
    cleave_json_integer(json, "elements", trials->elements);
    cleave_json_bool(json, "settled", trials->settled);
    cleave_json_bool(json, "from_store", trials->from_store);
    cleave_json_bool(json, "rests", trials->rests);
    cleave_json_integer(json, "calls", trials->calls);
    cleave_json_integer(json, "measured_calls", trials->measured_now);
    cleave_json_number(json, "lost_seconds", cleave_trials_lost(trials));
    cleave_json_number(json, "setup_seconds", trials->setup_seconds);
    cleave_json_array(json, "candidates");
    for (int n = 0; n < trials->count; n++) {
        write_candidate(json, trials, n);
    }
    cleave_json_array_end(json);
    cleave_json_object_end(json);
}

/* 1: another record of the same loop and kernel stands before. */
static int is_repeated(const struct cleave_record *record)
{
    return record->first != record;
}

static void write_tuning(struct cleave_json *json)
{
    cleave_json_array(json, "tuning");
    for (const struct cleave_record *r = cleave_records; r != NULL; r = r->next) {
        const struct cleave_trials *trials =
            is_repeated(r) ? NULL : cleave_trials_of(r->name, r->kernel, NULL);
        for (; trials != NULL; trials = cleave_trials_of(r->name, r->kernel, trials)) {
            write_trials(json, trials);
        }
    }
    cleave_json_array_end(json);
}

static void write_properties(struct cleave_json *json)
{
    struct target_properties properties;
    if (cleave_device == NULL || cleave_device->properties == NULL) {
        cleave_json_text(json, "device_properties", NULL);
        return;
    }
    cleave_device->properties(&properties);
    cleave_json_object(json, "device_properties");
    cleave_json_text(json, "compute_capability", properties.capability);
    cleave_json_integer(json, "multiprocessors", properties.multiprocessors);
    cleave_json_integer(json, "memory_bytes", (long long)properties.memory_bytes);
    cleave_json_integer(json, "l2_bytes", (long long)properties.l2_bytes);
    cleave_json_integer(json, "shared_bytes_per_multiprocessor",
                        (long long)properties.shared_bytes);
    cleave_json_integer(json, "registers_per_multiprocessor", properties.registers);
    cleave_json_integer(json, "threads_per_multiprocessor", properties.threads);
    cleave_json_integer(json, "lanes", cleave_device->lanes);
    cleave_json_object_end(json);
}

/* Writes the rates by which the model predicts. */
static void write_rates(struct cleave_json *json, const struct cleave_summary *summary)
{
    const struct cleave_rates *rates = cleave_rates();
    cleave_json_object(json, "rates");
    cleave_json_bool(json, "measured", cleave_rates_are_measured());
    cleave_json_number(json, "measuring_seconds", summary->rates_seconds);
    write_known(json, "copy_bytes_per_second", rates->copy);
    write_known(json, "l2_bytes_per_second", rates->l2);
    write_known(json, "shared_bytes_per_second", rates->shared);
    write_known(json, "fp64_operations_per_second", rates->in_double);
    write_known(json, "fp32_operations_per_second", rates->in_float);
    write_known(json, "coalesced_additions_per_second", rates->coalesced);
    write_known(json, "scattered_additions_per_second", rates->scattered);
    write_known(json, "latency_seconds", rates->latency);
    write_known(json, "launch_seconds", rates->launch);
    write_known(json, "wait_seconds", rates->wait);
    cleave_json_object_end(json);
}

/* Writes the seconds of the program's thread in each activity. */
static void write_host(struct cleave_json *json, const struct cleave_total *total)
{
    static const char *const name[CLEAVE_DOINGS] = {
        [CLEAVE_DOING_PROGRAM] = "program_seconds", [CLEAVE_DOING_CALLS] = "call_seconds",
        [CLEAVE_DOING_KERNELS] = "kernel_seconds",  [CLEAVE_DOING_PLANS] = "plan_seconds",
        [CLEAVE_DOING_UPLOADS] = "upload_seconds",  [CLEAVE_DOING_DOWNLOADS] = "download_seconds",
        [CLEAVE_DOING_WAITS] = "wait_seconds",      [CLEAVE_DOING_ADOPTION] = "adopt_seconds"};
    cleave_json_object(json, "host");
    for (int d = 0; d < CLEAVE_DOINGS; d++) {
        cleave_json_number(json, name[d], total[d].own);
    }
    cleave_json_object_end(json);
}

/* seconds: negative: not known. */
static void write_moved(struct cleave_json *json, const char *name, long count, double bytes,
                        double seconds)
{
    cleave_json_object(json, name);
    cleave_json_integer(json, "count", count);
    cleave_json_number(json, "bytes", bytes);
    if (seconds >= 0.0) {
        cleave_json_number(json, "seconds", seconds);
    }
    cleave_json_object_end(json);
}

static void write_transfer(struct cleave_json *json, const char *name,
                           const struct cleave_total *total)
{
    write_moved(json, name, total->count, total->bytes, total->seconds);
}

static void write_transfers(struct cleave_json *json, const struct cleave_total *total)
{
    size_t bytes;
    cleave_json_object(json, "transfers");
    write_transfer(json, "to_device", &total[CLEAVE_DOING_UPLOADS]);
    write_transfer(json, "from_device", &total[CLEAVE_DOING_DOWNLOADS]);
    cleave_json_object_end(json);
    cleave_json_object(json, "waits");
    cleave_json_integer(json, "count", total[CLEAVE_DOING_WAITS].count);
    cleave_json_number(json, "seconds", total[CLEAVE_DOING_WAITS].seconds);
    cleave_json_object_end(json);
    const long layouts = cleave_relayouts(&bytes);
    write_moved(json, "layouts", layouts, (double)bytes, -1.0);
    const long copies = cleave_copies_made(&bytes);
    write_moved(json, "copies", copies, (double)bytes, -1.0);
}

/* Writes what was launched as graphs, and what was compiled while the program ran. */
static void write_made(struct cleave_json *json)
{
    const struct cleave_jit_summary further = cleave_jit_summary();
    cleave_json_object(json, "graphs");
    cleave_json_integer(json, "count", cleave_graph_use.launches);
    cleave_json_integer(json, "loops", cleave_graph_use.loops);
    cleave_json_object_end(json);
    cleave_json_object(json, "further_variants");
    cleave_json_integer(json, "count", further.compiled);
    cleave_json_number(json, "seconds", further.seconds);
    cleave_json_integer(json, "wanted", further.wanted);
    cleave_json_integer(json, "found", further.found);
    cleave_json_integer(json, "failed", further.failed);
    cleave_json_object_end(json);
}

int cleave_report_json(const struct cleave_summary *summary, FILE *file)
{
    struct cleave_json json;
    cleave_json_begin(&json, file);
    cleave_json_object(&json, NULL);
    cleave_json_text(&json, "cleave", CLEAVE_VERSION);
    cleave_json_text(&json, "program", program_invocation_short_name);
    cleave_json_text(&json, "device", summary->device);
    write_properties(&json);
    cleave_json_integer(&json, "host_threads", summary->threads);
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
    write_rates(&json, summary);
    write_tuning(&json);
    cleave_start_to_json(&json);
    write_host(&json, summary->total);
    write_transfers(&json, summary->total);
    write_groups(&json);
    write_made(&json);
    write_reasons(&json);
    cleave_plans_to_json(&json);
    cleave_json_object_end(&json);
    return cleave_json_finish(&json);
}
