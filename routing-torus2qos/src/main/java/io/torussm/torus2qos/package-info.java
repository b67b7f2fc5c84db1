/** The torus-2QoS routing engine. */
@NullMarked
package io.torussm.torus2qos;

import org.jspecify.annotations.NullMarked;
