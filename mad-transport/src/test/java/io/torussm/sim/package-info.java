/** Tests of the embedded fabric. */
@NullMarked
package io.torussm.sim;

import org.jspecify.annotations.NullMarked;
