/* cuda_transfer.c: copies between host and device, through two pinned buffers: while the device
 * copies one, the host fills or empties the other. An upload has left the user's memory when the
 * call returns, though it may not have arrived: the call only waits for a free buffer.
 */
#include "cuda_impl.h"

#include <pthread.h>
#include <stdlib.h>

enum { PIECES = 2 };
#define PIECE_BYTES ((size_t)4 << 20)

struct piece {
    void *memory;
    cudaEvent_t moved; /* its last copy has ended */
    bool in_flight;
};

static struct {
    struct piece piece[PIECES];
    size_t bytes; /* of each */
    bool pinned;  /* else ordinary memory: right, but copies wait */
    int next;
} pieces;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER; /* held while buffers are made */

/* ---- the buffers ------------------------------------------------------------------------------
 */

static void free_buffers(void)
{
    for (int i = 0; i < PIECES; i++) {
        struct piece *piece = &pieces.piece[i];
        if (pieces.pinned && piece->memory != NULL) {
            cleave_cuda_checked(cudaFreeHost(piece->memory), "cudaFreeHost");
        } else {
            free(piece->memory);
        }
        piece->memory = NULL;
    }
    pieces.bytes = 0;
}

static bool take_buffers(size_t bytes, bool pinned)
{
    bool taken = true;
    pieces.pinned = pinned;
    pieces.bytes = bytes;
    for (int i = 0; i < PIECES; i++) {
        void **memory = &pieces.piece[i].memory;
        if (!pinned) {
            *memory = malloc(bytes);
        } else if (cudaMallocHost(memory, bytes) != cudaSuccess) {
            cudaGetLastError();
            *memory = NULL;
        }
        taken = taken && *memory != NULL;
    }
    if (!taken) {
        free_buffers();
    }
    return taken;
}

static int wait_for(struct piece *piece)
{
    if (piece->in_flight) {
        CUDA_TRY(cudaEventSynchronize, piece->moved);
    }
    piece->in_flight = false;
    return 0;
}

void cleave_cuda_transfer_prepare(void)
{
    pthread_mutex_lock(&making);
    if (pieces.bytes == 0) {
        take_buffers(PIECE_BYTES, true);
    }
    pthread_mutex_unlock(&making);
}

int cleave_cuda_transfer_is_prepared(void)
{
    if (pthread_mutex_trylock(&making) != 0) {
        return 0;
    }
    const int are_there = pieces.bytes > 0;
    pthread_mutex_unlock(&making);
    return are_there;
}

/* Makes larger buffers if those that there are hold no record. */
static int make_buffers(size_t bytes)
{
    if (bytes <= pieces.bytes) {
        return 0;
    }
    for (int i = 0; i < PIECES; i++) {
        if (wait_for(&pieces.piece[i]) != 0) {
            return -1;
        }
    }
    free_buffers();
    bytes = bytes > PIECE_BYTES ? bytes : PIECE_BYTES;
    if (!take_buffers(bytes, true) && !take_buffers(bytes, false)) {
        return cleave_cuda_fail("out of memory: %zu bytes on the host to copy through",
                                PIECES * bytes);
    }
    return 0;
}

/* Each buffer holds at least one record. */
static int require_buffers(size_t bytes)
{
    pthread_mutex_lock(&making);
    const int failed = make_buffers(bytes);
    pthread_mutex_unlock(&making);
    return failed;
}

int cleave_cuda_transfer_start(void)
{
    for (int i = 0; i < PIECES; i++) {
        CUDA_TRY(cudaEventCreateWithFlags, &pieces.piece[i].moved, cudaEventDisableTiming);
    }
    return 0;
}

void cleave_cuda_transfer_stop(void)
{
    for (int i = 0; i < PIECES; i++) {
        struct piece *piece = &pieces.piece[i];
        wait_for(piece);
        if (piece->moved != NULL) {
            cleave_cuda_checked(cudaEventDestroy(piece->moved), "cudaEventDestroy");
        }
        piece->moved = NULL;
    }
    free_buffers();
}

/* ---- copies ------------------------------------------------------------------------------------
 */

static size_t fewer(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Starts the copy of one buffer. */
static int copy(struct piece *piece, void *to, const void *from, size_t bytes,
                enum cudaMemcpyKind kind)
{
    CUDA_TRY(cudaMemcpyAsync, to, from, bytes, kind, cleave_cuda_stream);
    CUDA_TRY(cudaEventRecord, piece->moved, cleave_cuda_stream);
    piece->in_flight = true;
    return 0;
}

/* Returns the buffer that was used longest ago, after its copy has ended. */
static struct piece *next_piece(void)
{
    struct piece *piece = &pieces.piece[pieces.next];
    pieces.next = (pieces.next + 1) % PIECES;
    return wait_for(piece) == 0 ? piece : NULL;
}

int cleave_cuda_upload(void *to, const struct target_records *from)
{
    if (require_buffers(from->bytes) != 0) {
        return -1;
    }
    size_t most = pieces.bytes / from->bytes;
    for (size_t first = 0; first < from->count; first += most) {
        size_t count = fewer(most, from->count - first);
        struct piece *piece = next_piece();
        if (piece == NULL) {
            return -1;
        }
        from->move(from, piece->memory, first, count);
        if (copy(piece, (char *)to + first * from->bytes, piece->memory, count * from->bytes,
                 cudaMemcpyHostToDevice) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Starts the copy of the records from number `first` on; *started becomes the number of its buffer.
 */
static int start_download(const struct target_records *to, const void *from, size_t first,
                          size_t most, struct piece **started)
{
    *started = NULL;
    if (first >= to->count) {
        return 0;
    }
    *started = next_piece();
    return *started == NULL
               ? -1
               : copy(*started, (*started)->memory, (const char *)from + first * to->bytes,
                      fewer(most, to->count - first) * to->bytes, cudaMemcpyDeviceToHost);
}

int cleave_cuda_download(const struct target_records *to, const void *from)
{
    struct piece *piece;
    struct piece *following;
    if (require_buffers(to->bytes) != 0) {
        return -1;
    }
    size_t most = pieces.bytes / to->bytes;
    if (start_download(to, from, 0, most, &piece) != 0) {
        return -1;
    }
    for (size_t first = 0; first < to->count; first += most, piece = following) {
        if (start_download(to, from, first + most, most, &following) != 0 || wait_for(piece) != 0) {
            return -1;
        }
        to->move(to, piece->memory, first, fewer(most, to->count - first));
    }
    return 0;
}
