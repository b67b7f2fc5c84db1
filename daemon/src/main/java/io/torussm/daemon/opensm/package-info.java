/**
 * Files of OpenSM, read when this SM takes a subnet over from it, and written when OpenSM takes it back.
 *
 * <p><b>Input</b>: OpenSM's {@code opensm-sa.dump} ({@link io.torussm.daemon.opensm.SaDump}); for the way
 * back, the state of this SM. <b>Output</b>: the registrations of hosts as
 * {@link io.torussm.registration.SaContents}, with the MLIDs that are programmed in switches; and a directory
 * of files for OpenSM with the same LIDs, M_Keys, groups, services and subscriptions
 * ({@link io.torussm.daemon.opensm.SaDumpText}, {@link io.torussm.daemon.opensm.OpenSmFiles}). Its
 * configuration is read and written in {@code daemon.config}, next to the settings.
 *
 * <p>Formats are those in OpenSM 3.3.23, which reads and writes the golden files of the tests. File content
 * is untrusted until it is parsed: hosts choose the names of services. Everything here is a function of its
 * arguments and one file; any thread.
 *
 * <p><b>Cost.</b> Linear in the lines; a dump of 256 MiB at most.
 */
@NullMarked
package io.torussm.daemon.opensm;

import org.jspecify.annotations.NullMarked;
