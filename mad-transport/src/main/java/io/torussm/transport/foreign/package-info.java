/**
 * Functions of C, called through jffi, the layer below jnr-ffi. jnr-ffi makes a class of byte code for each interface of functions
 * when it is first used, which was a quarter of the time until the first SMP; what a start needs is bound here without that.
 * What enters is the name of a library and of a function; what leaves is its result and errno. No thread owns anything: a function may
 * be called by any, and errno is that of the calling thread. A call costs some 0.1 us beside the function itself;
 * to find out where a buffer begins is another one, which {@link io.torussm.transport.foreign.ForeignMemory} makes once.
 */
@NullMarked
package io.torussm.transport.foreign;

import org.jspecify.annotations.NullMarked;
