/**
 * Functions of C, called through jffi, the layer below jnr-ffi. At first use, jnr-ffi generates a class for
 * each interface of functions, which took a quarter of the time until the first SMP. The functions that a
 * start needs are bound here without that.
 *
 * <p>Input is the name of a library and of a function; output is its result and errno. Any thread may call a
 * function, and errno is that of the calling thread. A call costs some 0.1 us in addition to the function. To
 * find the address of a buffer is another call, which {@link io.torussm.transport.foreign.ForeignMemory}
 * makes once.
 */
@NullMarked
package io.torussm.transport.foreign;

import org.jspecify.annotations.NullMarked;
