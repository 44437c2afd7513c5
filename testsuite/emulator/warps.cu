/* warps.cu: what the lanes of a warp do together, and register caps.
 *
 * Runs under the emulator in each order of threads, and under nvcc on a GPU: the same source.
 */
#include "device/cleave_device.cuh"
#include "emulator/mirror.h"

/* ---- shuffles -------------------------------------------------------------------------------- */

template <class T> CLEAVE_KERNEL void shift(T *out, int distance)
{
    T mine = T(cleave_thread() * 3);
    T *mine_out = out + 3 * cleave_thread();
    mine_out[0] = cleave_shuffle_down(mine, distance);
    mine_out[1] = cleave_shuffle_up(mine, distance);
    mine_out[2] = cleave_shuffle(mine, (cleave_lane() * 5 + distance) % 8);
}

/* Lanes beyond the warp's ends give the asking one its own value. */
template <class T> static void test_shuffles(int threads, int distance)
{
    mirror<T> out(std::vector<T>((size_t)(3 * threads)));
    CLEAVE_LAUNCH(shift<T>, 1, threads, 0, nullptr, out.device, distance);
    const std::vector<T> &got = out.fetch();
    for (int i = 0; i < threads; i++) {
        int lane = i % 32;
        const T *mine = &got[(size_t)(3 * i)];
        int below = lane + distance < 32 ? i + distance : i;
        CHECK(mine[0] == T(3 * below));
        CHECK(mine[1] == T(3 * (lane < distance ? i : i - distance)));
        int chosen = i - lane + (lane * 5 + distance) % 8;
        CHECK(mine[2] == T(3 * chosen));
    }
}

/* ---- ballots --------------------------------------------------------------------------------- */

CLEAVE_KERNEL void vote(unsigned *out)
{
    unsigned thirds = cleave_ballot(cleave_thread() % 3 == 0);
    out[cleave_thread()] = thirds;
    out[cleave_threads() + cleave_thread()] = (unsigned)cleave_bits(cleave_ballot(true));
}

static void test_ballot(int threads)
{
    mirror<unsigned> out(std::vector<unsigned>((size_t)(2 * threads)));
    CLEAVE_LAUNCH(vote, 1, threads, 0, nullptr, out.device);
    const std::vector<unsigned> &got = out.fetch();
    for (int i = 0; i < threads; i++) {
        int warp = i / 32 * 32;
        unsigned thirds = 0;
        for (int lane = 0; lane < 32; lane++) {
            thirds |= (warp + lane) % 3 == 0 ? 1u << lane : 0;
        }
        CHECK(got[(size_t)i] == thirds);
        CHECK(got[(size_t)(threads + i)] == 32);
    }
}

/* ---- barriers of warps ----------------------------------------------------------------------- */

/* Each lane reads what its neighbours on both sides wrote, over and over, warps at their own pace:
 * warp w makes w + 1 rounds. */
CLEAVE_KERNEL void relax_warp(int *out)
{
    CLEAVE_SHARED(int) s = cleave_shared<int>(0);
    int first = cleave_thread() - cleave_lane();
    int next = first + (cleave_lane() + 1) % 32;
    int last = first + (cleave_lane() + 31) % 32;
    s[cleave_thread()] = cleave_thread();
    for (int i = 0; i <= first / 32; i++) {
        cleave_warp_barrier();
        int sum = s[next] + s[last];
        cleave_warp_barrier();
        s[cleave_thread()] = sum % 1000;
    }
    out[cleave_thread()] = s[cleave_thread()];
}

static void test_warp_barrier(int threads)
{
    mirror<int> out(std::vector<int>((size_t)threads));
    CLEAVE_LAUNCH(relax_warp, 1, threads, threads * sizeof(int), nullptr, out.device);
    const std::vector<int> &got = out.fetch();
    for (int first = 0; first < threads; first += 32) {
        std::vector<int> now;
        for (int i = 0; i < 32; i++) {
            now.push_back(first + i);
        }
        for (int r = 0; r <= first / 32; r++) {
            std::vector<int> then = now;
            for (int i = 0; i < 32; i++) {
                int sum = then[(size_t)((i + 1) % 32)] + then[(size_t)((i + 31) % 32)];
                now[(size_t)i] = sum % 1000;
            }
        }
        for (int i = 0; i < 32; i++) {
            CHECK(got[(size_t)(first + i)] == now[(size_t)i]);
        }
    }
}

/* ---- register caps --------------------------------------------------------------------------- */

/* Keeps 64 numbers at once, which takes more than 64 registers if it may. */
template <int REGISTERS>
CLEAVE_KERNEL void CLEAVE_REGISTERS(REGISTERS) keep_many(const double *in, double *out)
{
    double v[64];
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        v[i] = in[(cleave_thread() + 7 * i) % 64];
        sum += v[i];
    }
    double last = 0;
    for (int i = 0; i < 64; i++) {
        last += v[i] * (sum + i);
    }
    out[cleave_thread()] = last;
}

#ifdef CLEAVE_EMULATOR
template <int REGISTERS> static void test_cap()
{
}
#else
template <int REGISTERS> static void test_cap()
{
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, keep_many<REGISTERS>) == cudaSuccess);
    CHECK(attributes.numRegs <= REGISTERS);
    CHECK(REGISTERS < 255 || attributes.numRegs > 64);
}
#endif

template <int REGISTERS> static void test_registers()
{
    std::vector<double> values(64);
    double sum = 0;
    for (int i = 0; i < 64; i++) {
        values[(size_t)i] = i - 20;
        sum += i - 20;
    }
    mirror<double> in(values);
    mirror<double> out(std::vector<double>(32));
    CLEAVE_LAUNCH(keep_many<REGISTERS>, 1, 32, 0, nullptr, in.device, out.device);
    for (int t = 0; t < 32; t++) {
        double last = 0;
        for (int i = 0; i < 64; i++) {
            last += values[(size_t)((t + 7 * i) % 64)] * (sum + i);
        }
        CHECK(out.fetch()[(size_t)t] == last);
    }
    test_cap<REGISTERS>();
}

int main()
{
    for (int threads : {32, 64, 256}) {
        for (int distance : {0, 1, 3, 31}) {
            test_shuffles<double>(threads, distance);
            test_shuffles<int>(threads, distance);
        }
        test_ballot(threads);
        test_warp_barrier(threads);
    }
    test_registers<32>();
    test_registers<64>();
    test_registers<255>();
    return CHECK_RESULT();
}
