/* direct.cu [COLUMNS ROWS]: airfoil's loops over its cells, written by hand, in double precision:
 * what generated kernels may be expected to reach. Without sizes for 720,000 and for 5.76 million
 * cells. Each kernel twice where that makes a difference: a thread for each record, which it reads
 * and writes 16 bytes at a time, and ("flat") a thread for each 16 bytes, so that a warp's accesses
 * lie side by side; what reduces, with several numbers of blocks. Medians of 11 calls after 2 that
 * are not counted; exit code 1 when a result is wrong.
 */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

enum { THREADS = 128, MOST_BLOCKS = 2048, CALLS = 11 };

static const double GAM = 1.4, GM1 = 0.4, CFL = 0.9;

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "direct: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

/* ---- kernels -----------------------------------------------------------------------------------
 */

/* Four components: q of a cell is {density, momentum x, momentum y, energy}. */
struct record {
    double2 a;
    double2 b;
};

struct totals {
    double sum;
    double most;
};

struct joining {
    totals *partial; /* [blocks] */
    totals *result;
    unsigned *arrived; /* 0 before and after */
};

__global__ void save(int cells, const record *__restrict__ q, record *__restrict__ qold)
{
    const int c = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (c < cells) {
        qold[c] = q[c];
    }
}

__global__ void save_flat(int parts, const double2 *__restrict__ q, double2 *__restrict__ qold)
{
    const int p = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (p < parts) {
        qold[p] = q[p];
    }
}

__host__ __device__ inline double face_speed(double2 from, double2 to, double u, double v, double c)
{
    const double dx = to.x - from.x, dy = to.y - from.y;
    return fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
}

__host__ __device__ inline double time_step(const double2 x[4], const record &q)
{
    const double r = 1.0 / q.a.x, u = r * q.a.y, v = r * q.b.x;
    const double c = sqrt(GAM * GM1 * (r * q.b.y - 0.5 * (u * u + v * v)));
    double speed = 0.0;
    for (int k = 0; k < 4; k++) {
        speed += face_speed(x[k], x[(k + 1) % 4], u, v, c);
    }
    return speed / CFL;
}

__global__ void adt_calc(int cells, const int4 *__restrict__ corners, const double2 *__restrict__ x,
                         const record *__restrict__ q, double *__restrict__ adt)
{
    const int c = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (c < cells) {
        const int4 n = corners[c];
        const double2 at[4] = {x[n.x], x[n.y], x[n.z], x[n.w]};
        adt[c] = time_step(at, q[c]);
    }
}

__host__ __device__ inline double2 step(double2 qold, double2 res, double inverse, totals *all)
{
    const double2 delta = {inverse * res.x, inverse * res.y};
    all->sum += delta.x * delta.x + delta.y * delta.y;
    all->most = fmax(all->most, fmax(delta.x * delta.x, delta.y * delta.y));
    return {qold.x - delta.x, qold.y - delta.y};
}

/* Returns the block's totals in thread 0. */
__device__ totals block_total(totals all)
{
    __shared__ totals of_warp[THREADS / 32];
    for (int distance = 16; distance > 0; distance /= 2) {
        all.sum += __shfl_down_sync(~0u, all.sum, distance);
        all.most = fmax(all.most, __shfl_down_sync(~0u, all.most, distance));
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        of_warp[threadIdx.x / 32] = all;
    }
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < THREADS / 32; w++) {
        all.sum += of_warp[w].sum;
        all.most = fmax(all.most, of_warp[w].most);
    }
    return all;
}

/* The block that ends last joins what all have left. */
__device__ void join(totals all, joining to)
{
    __shared__ bool is_last;
    all = block_total(all);
    if (threadIdx.x == 0) {
        to.partial[blockIdx.x] = all;
        __threadfence();
        is_last = atomicInc(to.arrived, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last) {
        all = {0.0, 0.0};
        for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
            all.sum += to.partial[b].sum;
            all.most = fmax(all.most, to.partial[b].most);
        }
        all = block_total(all);
        if (threadIdx.x == 0) {
            *to.result = all;
        }
    }
}

__global__ void update(int cells, const record *__restrict__ qold, record *__restrict__ q,
                       record *__restrict__ res, const double *__restrict__ adt, joining to)
{
    totals all = {0.0, 0.0};
    for (int c = (int)(blockIdx.x * blockDim.x + threadIdx.x); c < cells;
         c += (int)(gridDim.x * blockDim.x)) {
        const record old = qold[c], change = res[c];
        const double inverse = 1.0 / adt[c];
        q[c] = {step(old.a, change.a, inverse, &all), step(old.b, change.b, inverse, &all)};
        res[c] = {};
    }
    join(all, to);
}

__global__ void update_flat(int parts, const double2 *__restrict__ qold, double2 *__restrict__ q,
                            double2 *__restrict__ res, const double *__restrict__ adt, joining to)
{
    totals all = {0.0, 0.0};
    for (int p = (int)(blockIdx.x * blockDim.x + threadIdx.x); p < parts;
         p += (int)(gridDim.x * blockDim.x)) {
        q[p] = step(qold[p], res[p], 1.0 / adt[p / 2], &all);
        res[p] = {};
    }
    join(all, to);
}

/* ---- the problem -------------------------------------------------------------------------------
 */

template <class T> struct array {
    std::vector<T> host;
    T *device = nullptr;
    explicit array(size_t count) : host(count)
    {
        must(cudaMalloc(&device, count * sizeof(T)));
    }
    ~array()
    {
        cudaFree(device);
    }
    array(const array &) = delete;
    void put()
    {
        must(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> get() const
    {
        std::vector<T> copy(host.size());
        must(cudaMemcpy(copy.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
};

struct problem {
    int cells;
    array<int4> corners;
    array<double2> x;
    array<record> q, qold, res;
    array<double> adt;
    array<totals> partial, result;
    array<unsigned> arrived;
    problem(int columns, int rows)
        : cells(columns * rows), corners(cells), x((size_t)(columns + 1) * (rows + 1)), q(cells),
          qold(cells), res(cells), adt(cells), partial(MOST_BLOCKS), result(1), arrived(1)
    {
        for (int c = 0; c < cells; c++) {
            const int n = c / columns * (columns + 1) + c % columns;
            corners.host[c] = {n, n + 1, n + columns + 2, n + columns + 1};
            q.host[c] = {{1.0 + 0.1 * sin(0.7 * c), 0.5}, {0.1 * cos(0.3 * c), 2.5}};
            res.host[c] = {{0.01 * sin(c), 0.02}, {0.01 * cos(c), -0.03}};
        }
        for (size_t n = 0; n < x.host.size(); n++) {
            x.host[n] = {(double)(n % (columns + 1)) + 0.2 * sin(n), (double)(n / (columns + 1))};
        }
        corners.put();
        x.put();
        arrived.put();
        for (int c = 0; c < cells; c++) {
            const int4 n = corners.host[c];
            const double2 at[4] = {x.host[n.x], x.host[n.y], x.host[n.z], x.host[n.w]};
            adt.host[c] = time_step(at, q.host[c]);
        }
    }
    joining to() const
    {
        return {partial.device, result.device, arrived.device};
    }
    void restore()
    {
        q.put();
        res.put();
        adt.put();
        must(cudaMemcpy(qold.device, q.device, cells * sizeof(record), cudaMemcpyDeviceToDevice));
    }
};

/* Values are of the order of 1; the device fuses additions with products. */
static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-13 + 1e-12 * fabs(b);
}

static bool same(const record &a, const record &b)
{
    return near(a.a.x, b.a.x) && near(a.a.y, b.a.y) && near(a.b.x, b.b.x) && near(a.b.y, b.b.y);
}

static bool saved(const problem &p)
{
    const std::vector<record> qold = p.qold.get();
    return std::equal(qold.begin(), qold.end(), p.q.host.begin(), same);
}

static bool stepped(const problem &p)
{
    const std::vector<double> adt = p.adt.get();
    return std::equal(adt.begin(), adt.end(), p.adt.host.begin(), near);
}

/* After one call. */
static bool updated(const problem &p)
{
    const std::vector<record> q = p.q.get(), res = p.res.get();
    totals all = {0.0, 0.0};
    bool right = true;
    for (int c = 0; c < p.cells; c++) {
        const record old = p.q.host[c], change = p.res.host[c];
        const double inverse = 1.0 / p.adt.host[c];
        const record next = {step(old.a, change.a, inverse, &all),
                             step(old.b, change.b, inverse, &all)};
        right = right && same(q[c], next) && same(res[c], record{});
    }
    const totals got = p.result.get()[0];
    return right && fabs(got.sum / all.sum - 1.0) < 1e-10 && near(got.most, all.most);
}

/* ---- measuring ---------------------------------------------------------------------------------
 */

static bool failed;

template <class RUN> static double seconds_of(RUN run)
{
    cudaEvent_t start, stop;
    float milliseconds[CALLS];
    must(cudaEventCreate(&start));
    must(cudaEventCreate(&stop));
    for (int r = -2; r < CALLS; r++) {
        must(cudaEventRecord(start));
        run();
        must(cudaGetLastError());
        must(cudaEventRecord(stop));
        must(cudaEventSynchronize(stop));
        must(cudaEventElapsedTime(&milliseconds[r < 0 ? 0 : r], start, stop));
    }
    std::sort(milliseconds, milliseconds + CALLS);
    return 1e-3 * milliseconds[CALLS / 2];
}

static double copy_bandwidth()
{
    const size_t bytes = (size_t)1 << 30;
    char *from, *to;
    must(cudaMalloc(&from, bytes));
    must(cudaMalloc(&to, bytes));
    must(cudaMemset(from, 1, bytes));
    const double seconds =
        seconds_of([&] { must(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice)); });
    must(cudaFree(from));
    must(cudaFree(to));
    return 2.0 * (double)bytes / seconds;
}

/* Nanoseconds that one launch costs the host; fewer in a row than the device's queue takes. */
static double launch_cost()
{
    enum { LAUNCHES = 500 };
    double cost[CALLS];
    for (int r = -2; r < CALLS; r++) {
        must(cudaDeviceSynchronize());
        const auto begin = std::chrono::steady_clock::now();
        for (int l = 0; l < LAUNCHES; l++) {
            save<<<5, THREADS>>>(0, nullptr, nullptr);
        }
        const std::chrono::duration<double, std::nano> time =
            std::chrono::steady_clock::now() - begin;
        must(cudaGetLastError());
        cost[r < 0 ? 0 : r] = time.count() / LAUNCHES;
    }
    must(cudaDeviceSynchronize());
    std::sort(cost, cost + CALLS);
    return cost[CALLS / 2];
}

/* Before the call that is checked, `output` is filled with what is no number. */
template <class T, class RUN>
static void measure(problem &p, const char *name, double bytes, double copy,
                    bool (*is_right)(const problem &p), array<T> &output, RUN run)
{
    p.restore();
    must(cudaMemset(output.device, 0xff, output.host.size() * sizeof(T)));
    must(cudaMemset(p.result.device, 0xff, sizeof(totals)));
    run();
    must(cudaDeviceSynchronize());
    const bool right = is_right(p);
    const double seconds = seconds_of(run);
    failed = failed || !right;
    printf("%-16s %8d cells %9.1f us %8.1f GB/s %5.1f %% of copy  %s\n", name, p.cells,
           1e6 * seconds, 1e-9 * bytes / seconds, 100.0 * bytes / seconds / copy,
           right ? "ok" : "WRONG");
}

static int blocks_of(int items, int most)
{
    return std::min((items - 1) / THREADS + 1, most);
}

static void measure_all(int columns, int rows, double copy)
{
    problem p(columns, rows);
    const int n = p.cells, all = blocks_of(n, n);
    const double nodes = (double)p.x.host.size();
    measure(p, "save", 64.0 * n, copy, saved, p.qold,
            [&] { save<<<all, THREADS>>>(n, p.q.device, p.qold.device); });
    measure(p, "save_flat", 64.0 * n, copy, saved, p.qold, [&] {
        save_flat<<<2 * all, THREADS>>>(2 * n, (double2 *)p.q.device, (double2 *)p.qold.device);
    });
    measure(p, "adt_calc", 16.0 * nodes + 56.0 * n, copy, stepped, p.adt, [&] {
        adt_calc<<<all, THREADS>>>(n, p.corners.device, p.x.device, p.q.device, p.adt.device);
    });
    for (const int most : {528, 924, (int)MOST_BLOCKS}) {
        const int some = blocks_of(n, most);
        const std::string blocks = "_" + std::to_string(most);
        measure(p, ("update" + blocks).c_str(), 136.0 * n, copy, updated, p.q, [&] {
            update<<<some, THREADS>>>(n, p.qold.device, p.q.device, p.res.device, p.adt.device,
                                      p.to());
        });
        measure(p, ("update_flat" + blocks).c_str(), 136.0 * n, copy, updated, p.q, [&] {
            update_flat<<<some, THREADS>>>(2 * n, (double2 *)p.qold.device, (double2 *)p.q.device,
                                           (double2 *)p.res.device, p.adt.device, p.to());
        });
    }
}

int main(int argc, char **argv)
{
    const double copy = copy_bandwidth();
    printf("copy of 1 GiB on the device: %.0f GB/s read and written\n", 1e-9 * copy);
    printf("launch of a kernel: %.0f ns of the host's time\n", launch_cost());
    if (argc == 3 && atoi(argv[1]) > 0 && atoi(argv[2]) > 0) {
        measure_all(atoi(argv[1]), atoi(argv[2]), copy);
    } else if (argc == 1) {
        measure_all(1200, 600, copy);
        measure_all(2400, 2400, copy);
    } else {
        fprintf(stderr, "usage: direct [COLUMNS ROWS]\n");
        return 2;
    }
    return failed ? 1 : 0;
}
