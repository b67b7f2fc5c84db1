/**
 * The replication of state that cannot be read back from the fabric. The master copies it to its standbys
 * over the management network.
 *
 * <p>The fabric alone decides which SM is master ({@code io.torussm.mastership}). Each file
 * that the master writes to its state directory goes to its peers as a whole, with a
 * {@link io.torussm.daemon.replica.FileVersion}: the term of the mastership in which it was written, and a
 * number. An SM stores a copy if its version is newer than that of its own file. An SM that becomes
 * master begins a term that is higher than all known terms. Whole files are small (a few megabytes for the largest
 * subnet), are checked like files on disk, and never leave a copy between two states.
 *
 * <pre>
 * state loop  StateDirectory ----changed----+                          +--> examine, on the state loop
 *                                           v                          |
 * sm loop                              Replication &lt;--- adopt ---------+
 *                                           |                          |
 * replica loop                     JGroupsChannel.send          inbox (the newest of each file and peer)
 *                                           |                          |
 * JGroups                            mutual TLS over TCP ------> its threads
 * </pre>
 *
 * <p>SMs exchange their versions when they connect and when a mastership begins or ends
 * ({@code PeerStates}). So an SM that starts with older files, or receives the subnet by a handover, has
 * the names of the missing files. It may wait for them, up to a configured time-out, before it programs the subnet
 * ({@code PeerWait}).
 *
 * <p>No thread waits for the replica loop or for JGroups. A newer file replaces an unsent one, and a new
 * peer gets all files again. See {@code docs/operator/replication.md}.
 */
@NullMarked
package io.torussm.daemon.replica;

import org.jspecify.annotations.NullMarked;
