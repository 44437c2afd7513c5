/* op_hdf5.h, where cleave was built without HDF5. */
#error "this cleave was built without HDF5: install it (Debian: libhdf5-dev) and build cleave again"
