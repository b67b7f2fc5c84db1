/**
 * Files of OpenSM, read when this SM takes a subnet over from it, and written when it gives one back.
 *
 * <p><b>Enters</b>: OpenSM's {@code opensm-sa.dump} ({@link io.torussm.daemon.opensm.SaDump}); and what this SM rules, when it is
 * to be handed back. <b>Leaves</b>: the registrations of hosts as {@link io.torussm.registration.SaContents}, with the MLIDs that
 * switches hold; and a directory of files from which OpenSM goes on with the same LIDs, M_Keys, groups, services and subscriptions
 * ({@link io.torussm.daemon.opensm.SaDumpText}, {@link io.torussm.daemon.opensm.OpenSmFiles}). Its configuration is read and
 * written in {@code daemon.config}, where the settings are.
 *
 * <p>Formats are those of OpenSM 3.3.23, which reads and writes the golden files of the tests. What comes from a file is hostile until
 * it is parsed: names of services are chosen by hosts. Everything here is a function of its arguments and one file; any thread.
 *
 * <p><b>Cost.</b> Linear in the lines; a dump of 256 MiB at most.
 */
@NullMarked
package io.torussm.daemon.opensm;

import org.jspecify.annotations.NullMarked;
