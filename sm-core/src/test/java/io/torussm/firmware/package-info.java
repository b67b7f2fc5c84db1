/** Tests of {@link io.torussm.firmware}. */
@NullMarked
package io.torussm.firmware;

import org.jspecify.annotations.NullMarked;
