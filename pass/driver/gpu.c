/* gpu.c: asks the driver's libraries for the GPUs of this machine. See gpu.h.
 *
 * The management library answers within milliseconds and is asked first. Without it the driver's
 * own library is asked, which takes longer to start. Neither is linked, because only machines with
 * a GPU have them. */
#include "pass/driver/gpu.h"

#include <dlfcn.h>
#include <string.h>

/* A function of a library by name. C has no cast from objects to functions: the bytes are copied.
 */
#define FIND(library, function, name)                                                              \
    do {                                                                                           \
        void *found_ = dlsym(library, name);                                                       \
        memcpy(&(function), &found_, sizeof(function));                                            \
    } while (0)

static int ask_management(void *library, int *capability, int capacity)
{
    int (*init)(void);
    int (*shutdown)(void);
    int (*get_count)(unsigned *count);
    int (*get_device)(unsigned index, void **device);
    int (*get_capability)(void *device, int *major, int *minor);
    unsigned count = 0;
    int found = 0;

    FIND(library, init, "nvmlInit_v2");
    FIND(library, shutdown, "nvmlShutdown");
    FIND(library, get_count, "nvmlDeviceGetCount_v2");
    FIND(library, get_device, "nvmlDeviceGetHandleByIndex_v2");
    FIND(library, get_capability, "nvmlDeviceGetCudaComputeCapability");
    if (!init || !shutdown || !get_count || !get_device || !get_capability || init() != 0) {
        return 0;
    }
    if (get_count(&count) == 0) {
        for (unsigned d = 0; d < count && found < capacity; d++) {
            void *device = NULL;
            int major = 0;
            int minor = 0;

            if (get_device(d, &device) == 0 && get_capability(device, &major, &minor) == 0) {
                capability[found++] = 10 * major + minor;
            }
        }
    }
    shutdown();
    return found;
}

static int ask_driver(void *library, int *capability, int capacity)
{
    enum { MAJOR = 75, MINOR = 76 }; /* of CUdevice_attribute */
    int (*init)(unsigned flags);
    int (*get_count)(int *count);
    int (*get_device)(int *device, int index);
    int (*get_attribute)(int *value, int attribute, int device);
    int count = 0;
    int found = 0;

    FIND(library, init, "cuInit");
    FIND(library, get_count, "cuDeviceGetCount");
    FIND(library, get_device, "cuDeviceGet");
    FIND(library, get_attribute, "cuDeviceGetAttribute");
    if (!init || !get_count || !get_device || !get_attribute || init(0) != 0 ||
        get_count(&count) != 0) {
        return 0;
    }
    for (int d = 0; d < count && found < capacity; d++) {
        int device = 0;
        int major = 0;
        int minor = 0;

        if (get_device(&device, d) == 0 && get_attribute(&major, MAJOR, device) == 0 &&
            get_attribute(&minor, MINOR, device) == 0) {
            capability[found++] = 10 * major + minor;
        }
    }
    return found;
}

int gpu_capabilities(int *capability, int capacity)
{
    static const struct {
        const char *library;
        int (*ask)(void *library, int *capability, int capacity);
    } ways[] = {{"libnvidia-ml.so.1", ask_management}, {"libcuda.so.1", ask_driver}};
    int found = 0;

    for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]) && found == 0; w++) {
        void *library = dlopen(ways[w].library, RTLD_NOW | RTLD_LOCAL);

        if (library != NULL) {
            found = ways[w].ask(library, capability, capacity);
            dlclose(library);
        }
    }
    return found;
}
