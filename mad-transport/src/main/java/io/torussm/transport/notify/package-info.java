/**
 * Datagrams to systemd: to the service manager, as sd_notify(3) describes them, and to journald.
 *
 * <p>Both read from a datagram socket of the UNIX domain, which the JDK does not have; so it is
 * the C library's, through jnr-ffi. Nothing is linked against libsystemd: the protocol is a socket and a few words.
 */
@NullMarked
package io.torussm.transport.notify;

import org.jspecify.annotations.NullMarked;
