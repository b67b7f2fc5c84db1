/**
 * The programming of the settings and states of ports: PortInfo, P_Key tables and M_Keys.
 *
 * <p>{@link io.torussm.program.port.LinkActivator} brings ports to ACTIVE after their tables are in place.
 * {@link io.torussm.program.port.PartitionProgrammer} writes P_Key tables,
 * {@link io.torussm.program.port.MKeyRollover} the M_Key and its protection. Owner thread: the loop.
 */
@NullMarked
package io.torussm.program.port;

import org.jspecify.annotations.NullMarked;
