/**
 * The file {@code torus-2QoS.conf}: sizes, seeds, datelines and options of a torus.
 *
 * <p>{@link io.torussm.torus2qos.conf.Torus2QosConf} is the parsed file. {@code ConfParser} reads all lines
 * and reports all errors. {@link io.torussm.torus2qos.conf.Dim} has the numbers of dimensions and of groups
 * of links. The package knows no fabric.
 */
@NullMarked
package io.torussm.torus2qos.conf;

import org.jspecify.annotations.NullMarked;
