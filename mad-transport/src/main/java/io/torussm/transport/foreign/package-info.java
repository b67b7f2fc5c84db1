/**
 * Functions of C, called through jffi, the layer below jnr-ffi. At first use, jnr-ffi generates a class for each
 * interface of functions, which took a quarter of the time until the first SMP. This package binds the functions of a
 * start without generated classes (ADR 10).
 *
 * <p>Input is the name of a library and of a function; output is the result and errno. Any thread may call a function;
 * errno belongs to the calling thread. A call costs some 0.1 us in addition to the function. Finding the address of a
 * buffer is another call, which {@link io.torussm.transport.foreign.ForeignMemory} makes once.
 */
@NullMarked
package io.torussm.transport.foreign;

import org.jspecify.annotations.NullMarked;
