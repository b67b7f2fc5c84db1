/**
 * The fabric with addresses, and the state of a subnet that outlives a sweep.
 *
 * <p>{@link io.torussm.subnet.LidAssigner} makes a {@link io.torussm.subnet.Subnet} from a fabric. It keeps LIDs from
 * the store or the fabric where possible, and assigns the rest. {@link io.torussm.subnet.SubnetMemory} groups the
 * stores, each with a file of the state directory: LIDs, cables, M_Keys, coordinates, fat trees, names and drains.
 * Owner thread: the loop of the SM.
 */
@NullMarked
package io.torussm.subnet;

import org.jspecify.annotations.NullMarked;
