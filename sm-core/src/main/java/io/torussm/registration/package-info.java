/**
 * The registrations of hosts with the SA: memberships of multicast groups, services, event subscriptions, alias GUIDs.
 *
 * <p><b>Input</b>: changes that hosts request of the SA, the state files of the last run, and the files of a previous
 * master SM. <b>Output</b>: immutable views of each of the four kinds, from which the SA responds; and the state files,
 * which replication copies to the SMs that may take over.
 *
 * <p>{@link io.torussm.registration.SaDatabase} contains all four kinds and connects each to its file. It starts with
 * the records of the last run, adds those of another SM when a mastership begins, and drops all when a mastership ends.
 * {@link io.torussm.registration.RegistrationFile} writes within a second of a change, not immediately, because hosts
 * register in thousands and each write contains all registrations. The {@code *Codec} classes are the formats, with a
 * line for each registration; they reject a bad line. {@link io.torussm.registration.Services} is the registry of
 * services with their leases. The other registries are in {@code multicast}, {@code report} and {@code alias}, which do
 * not use files.
 *
 * <p><b>Threads.</b> All state belongs to the {@code sm} loop. SA workers submit changes by {@link
 * io.torussm.sa.change.UpdateGate} and read published views. The lines of a file are made on the loop of the state
 * directory.
 *
 * <p><b>Cost.</b> All changes of one turn of the loop copy the view of their kind once. Rejected requests, and
 * requesters, are not recorded.
 */
@NullMarked
package io.torussm.registration;

import org.jspecify.annotations.NullMarked;
