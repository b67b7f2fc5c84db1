/**
 * State that cannot be read back from the fabric, copied from the master to the SMs that may take over, over the management network.
 *
 * <p>The fabric alone decides who is master ({@code io.torussm.mastership}); the copy follows. Whatever the master writes
 * to its state directory goes to its peers as a whole file with a {@link io.torussm.daemon.replica.FileVersion}: the term of
 * the mastership in which it was written, and a number. Of each file the newest version wins. An SM that becomes master takes a
 * term above all that it has heard of. Whole files, because they are small (a few megabytes for the largest subnet), are
 * checked as files are, and never leave a copy between two states.
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
 * <p>SMs tell each other which versions they hold, when they meet and when a mastership begins or ends ({@code PeerKnowledge}). So an
 * SM that starts with older files, or is handed the subnet, knows what is still to come, and may wait for it, for a limited time, before
 * anything is programmed ({@code PeerWait}; the limit is the operator's).
 *
 * <p>Nobody waits for the replica loop or for JGroups: what cannot be sent is replaced by what is newer, and a peer that
 * joins gets everything anew. See {@code docs/operator/replication.md}.
 */
@NullMarked
package io.torussm.daemon.replica;

import org.jspecify.annotations.NullMarked;
