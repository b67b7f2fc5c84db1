/**
 * Partitions (IBA 10.9): who may talk with whom, from partitions.conf to the P_Key tables of ports.
 *
 * <p>{@link io.torussm.partition.PartitionConf} is the file, parsed: partitions with rules for their members, and the
 * multicast groups that belong to them. {@link io.torussm.partition.PartitionPlan} is what follows from it for one fabric:
 * the table of every end port and of every switch port that faces one. It is a pure function of the configuration, the
 * fabric, and what the ports hold now, because a key stays at its index as long as it is wanted: applications remember
 * indexes. {@link io.torussm.partition.PKeySteps} leads from one table to another so that no key that is in both is ever
 * missing in between.
 *
 * <p>{@link io.torussm.partition.RunTimePartitions} is what is added between two versions of the file: an immutable value, kept by
 * {@link io.torussm.partition.RunTimePartitionStore} in a state file, that is laid over the file's. {@link
 * io.torussm.partition.RunTimeDecision} says on paper what a change comes to, or why it is refused; it costs as much as the
 * partitions that there are. A change concerns few ports, and {@link io.torussm.partition.PartitionPlan#changed} plans these only.
 *
 * <p>A table is a {@code short[]} with an entry for each index, 0 for none, as long as its last entry demands. Ports with
 * equal tables share one array: at 49,151 end ports in a few partitions the tables are a few dozen arrays, and the plan
 * costs eight bytes for each port slot.
 */
@NullMarked
package io.torussm.partition;

import org.jspecify.annotations.NullMarked;
