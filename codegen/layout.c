/* layout.c: chooses the dats that a loop's CUDA kernels access as structures of arrays.
 *
 * In: the loops' shapes and the users' options. Out: shape_dat.soa. A record of a structure of
 * arrays has no address: where a body only subscripts it, it gets an object that does
 * (runtime/device/soa.cuh); where a kernel, or a helper, takes a pointer, it gets a copy of the
 * record, which is written back if the kernel modifies it. A dat stays an array of structures in a
 * loop where neither is equivalent to working on memory; the runtime changes the layout between
 * loops.
 */
#include "codegen/emit.h"
#include "pass/ir/arena.h"

/* Largest copy per thread, in bytes. What does not fit registers spills to local memory. */
enum { MOST_COPIED = 512 };

/* Another argument modifies the same dat and the kernel sees it at once. */
static bool is_modified_elsewhere(const struct loop *loop, int a)
{
    for (int other = 0; other < loop->args; other++) {
        const struct arg *arg = &loop->arg[other];
        if (other != a && arg->kind == ARG_DAT && arg->dat == loop->arg[a].dat &&
            arg->access != ACCESS_READ && !shape_updates_arg(loop, other)) {
            return true;
        }
    }
    return false;
}

static bool has_others(const struct loop *loop, int a)
{
    for (int other = 0; other < loop->args; other++) {
        if (other != a && loop->arg[other].kind == ARG_DAT &&
            loop->arg[other].dat == loop->arg[a].dat) {
            return true;
        }
    }
    return false;
}

/* Bodies that were taken apart into stages load copies, but do not store them. */
static bool is_taken_apart(const struct loop *loop, const struct shape *shape)
{
    return shape->updates && !shape->in_place && loop->graph != NULL;
}

static bool may_copy(const struct loop *loop, const struct shape *shape, int a)
{
    const struct arg *arg = &loop->arg[a];
    size_t bytes = (size_t)place_columns(arg) * (size_t)arg->dim * arg->type->size;
    if (bytes > MOST_COPIED) {
        return false;
    }
    return arg->access == ACCESS_READ
               ? !is_modified_elsewhere(loop, a)
               : !arg->is_vector && !has_others(loop, a) && !is_taken_apart(loop, shape);
}

bool layout_suits(const struct emit *emit, const struct shape *shape, int a)
{
    const struct loop *loop = shape->loop;
    const struct arg *arg = &loop->arg[a];
    if (arg->is_optional || loop->epilogues > 0) {
        return false;
    }
    return shape_updates_arg(loop, a) || functions_may_template(emit, loop->kernel, a) ||
           may_copy(loop, shape, a);
}

/* The option or the compiler's choice for the file asks for it, or an argument that names the dat
 * does; and all such arguments can use it. */
static bool wants_soa(const struct emit *emit, const struct shape *shape,
                      const struct shape_dat *dat)
{
    const struct loop *loop = shape->loop;
    const struct dat_layout *layout = layouts_of(emit, &loop->arg[dat->arg]);
    bool wanted = emit->file->options->soa == CODEGEN_SOA_ALL || (layout != NULL && layout->soa);
    for (int a = 0; a < loop->args; a++) {
        if (loop->arg[a].kind == ARG_DAT && loop->arg[a].dat == loop->arg[dat->arg].dat) {
            wanted = wanted || loop->arg[a].is_soa;
            if (!layout_suits(emit, shape, a)) {
                return false;
            }
        }
    }
    return wanted && dat->dim > 1;
}

void layout_choose(struct emit *emit, struct shape *shape)
{
    for (int d = 0; d < shape->dats; d++) {
        struct shape_dat *dat = &shape->dat[d];
        dat->soa = wants_soa(emit, shape, dat);
        dat->stride = arena_format(emit->file->program->arena, "cleave_stride_%s", dat->label);
    }
}

const char *layout_print(struct emit *emit, const struct shape *shape)
{
    int items = 0;
    const char *text = "";
    for (int a = 0; a < shape->loop->args; a++) {
        bool soa = shape->dat_of[a] >= 0 && shape->dat[shape->dat_of[a]].soa;
        text = emit_format(emit, "%s%s%d", text, a > 0 ? ", " : "", soa);
        items += soa;
    }
    if (items == 0) {
        return "NULL";
    }
    const char *name = emit_format(emit, "%s_soa", shape->loop->id);
    out_line(emit->out, "static const unsigned char %s[] = {%s};\n", name, text);
    emit->file->relayouts = true;
    return name;
}
