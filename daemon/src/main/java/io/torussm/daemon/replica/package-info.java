/**
 * The replication of state that cannot be read back from the fabric. The master copies it to its standbys
 * over the management network.
 *
 * <p>The fabric alone decides which SM is master ({@code io.torussm.mastership}); the copy follows. Each file
 * that the master writes to its state directory goes to its peers as a whole, with a
 * {@link io.torussm.daemon.replica.FileVersion}: the term of the mastership in which it was written, and a
 * number. Of each file the newest version wins. An SM that becomes master takes a term above all known ones.
 * Whole files are small (a few megabytes for the largest subnet), are checked like files on disk, and never
 * leave a copy between two states.
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
 * ({@code PeerKnowledge}). So an SM that starts with older files, or receives the subnet by a handover, knows
 * which files are missing. It may wait for them, up to a time-out of the operator's choice, before it
 * programs the subnet ({@code PeerWait}).
 *
 * <p>No thread waits for the replica loop or for JGroups. A newer file replaces an unsent one, and a peer
 * that joins gets all files again. See {@code docs/operator/replication.md}.
 */
@NullMarked
package io.torussm.daemon.replica;

import org.jspecify.annotations.NullMarked;
