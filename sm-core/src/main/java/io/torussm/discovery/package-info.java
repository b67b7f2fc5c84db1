/**
 * Reading the fabric: directed routes in, an immutable {@link io.torussm.fabric.Fabric} out.
 */
@NullMarked
package io.torussm.discovery;

import org.jspecify.annotations.NullMarked;
