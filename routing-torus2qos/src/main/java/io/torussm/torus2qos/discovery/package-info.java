/**
 * The position of every switch in a torus, from the seed outwards, and missing switches and cables.
 *
 * <p>{@link io.torussm.torus2qos.discovery.Placement} tries seeds and sizes. {@code TorusDiscovery} places
 * switches on a {@code Grid}; {@link io.torussm.torus2qos.discovery.KnownPlaces} has places of earlier plans.
 * The result is a {@link io.torussm.torus2qos.discovery.Torus}, which is immutable.
 * {@link io.torussm.torus2qos.discovery.TorusCheck} compares it with the file.
 * {@link io.torussm.torus2qos.discovery.ShortWay} has the direction of each step. The package knows no
 * routes.
 */
@NullMarked
package io.torussm.torus2qos.discovery;

import org.jspecify.annotations.NullMarked;
