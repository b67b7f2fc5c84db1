/**
 * The addresses under {@code /ufmRest/}: partitions and their members in the JSON of UFM, for programs written for it.
 */
@NullMarked
package io.torussm.daemon.http.ufm;

import org.jspecify.annotations.NullMarked;
