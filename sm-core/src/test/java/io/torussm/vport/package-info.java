/** Tests of {@link io.torussm.vport}. */
@NullMarked
package io.torussm.vport;

import org.jspecify.annotations.NullMarked;
