/**
 * What hosts register with the SA: memberships of multicast groups, services, event subscriptions, alias GUIDs.
 *
 * <p><b>Enters</b>: changes that hosts request of the SA, the state files of the last run, and the files of another SM that was
 * master. <b>Leaves</b>: immutable views of each kind, from which the SA answers; and the state files, which replication
 * copies to the SMs that may take over.
 *
 * <p>{@link io.torussm.registration.SaDatabase} holds all four kinds and ties each to its file: it begins with what the
 * last run left, adds what another SM had recorded when a mastership begins, and forgets when one ends.
 * {@link io.torussm.registration.RegistrationFile} writes within a second of a change, for hosts come up in thousands and each write is
 * of everything; the {@code *Codec} classes are the format of each kind, a line for each registration, and reject a
 * bad line with its number. {@link io.torussm.registration.Services} is the registry of services with their leases; the other
 * registries are in {@code multicast}, {@code report} and {@code alias}, which know nothing of files.
 *
 * <p><b>Threads.</b> All state belongs to the {@code sm} loop. SA workers submit changes by
 * {@link io.torussm.transport.UpdateGate} and read published views. The lines of a file are made on the loop of the state directory.
 *
 * <p><b>Cost.</b> A change copies the view of its kind once for all changes of one turn of the loop. Not kept: requests that were
 * refused, and who asked for what.
 */
@NullMarked
package io.torussm.registration;

import org.jspecify.annotations.NullMarked;
