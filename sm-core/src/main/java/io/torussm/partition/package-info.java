/**
 * Partitions (IBA 10.9): the permitted communication between ports, from partitions.conf to the P_Key tables
 * of ports.
 *
 * <p>{@link io.torussm.partition.PartitionConf} is the parsed file: partitions with rules for their members,
 * and their multicast groups. {@link io.torussm.partition.PartitionPlan} applies it to one fabric: the table
 * of every end port and of every switch port that faces one. It is a pure function of the configuration, the
 * fabric, and the current tables. A key keeps its index as long as it is wanted, since applications remember
 * indexes. {@link io.torussm.partition.PKeySteps} leads from one table to another, and a key in both is never
 * missing in between.
 *
 * <p>{@link io.torussm.partition.RunTimePartitions} contains additions between two versions of the file. It
 * is an immutable value in a state file, kept by {@link io.torussm.partition.RunTimePartitionStore}.
 * {@link io.torussm.partition.RunTimeDecision} plans a change, or refuses it; its cost grows with the number
 * of partitions. A change concerns few ports, and {@link io.torussm.partition.PartitionPlan#changedFor} plans
 * only these.
 *
 * <p>A table is a {@code short[]} up to its last used index, with 0 for an empty entry. Ports with equal
 * tables share one array. At 49,151 end ports in a few partitions the tables are a few dozen arrays, and the
 * plan costs eight bytes for each port slot.
 */
@NullMarked
package io.torussm.partition;

import org.jspecify.annotations.NullMarked;
