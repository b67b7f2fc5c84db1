/**
 * The real port: libibumad through jnr-ffi, unchanged on hardware and under ibsim's preload library.
 *
 * <p>{@code LibIbUmad} is the only binding. Nothing here opens a device by itself except through libibumad, or through
 * symbols of the default scope, because a preloaded libumad2sim can only stand in for those.
 *
 * <p>Every MAD is 256 bytes: RMPP runs in user space above this package. Where the kernel knows UMAD_USER_RMPP the SA
 * agent is registered with it; elsewhere (old kernels, umad2sim) with RMPP version 0, which lets segments pass untouched.
 */
@NullMarked
package io.torussm.transport.umad;

import org.jspecify.annotations.NullMarked;
