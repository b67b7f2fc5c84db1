/**
 * Who may do what over the network: a certificate and a key for TLS, users with roles, and what becomes of those who show no valid
 * token or certificate. Knows no HTTP.
 *
 * <p>In go four files that the operator names: certificate, key, authority of client certificates, users. They are read at the start
 * and at SIGHUP, all of them or none: with one that cannot be used, all that was read before stays in force ({@link
 * io.torussm.daemon.access.AccessFiles}). Out comes, for the headers and the certificate of a request, a {@link
 * io.torussm.daemon.access.User} or a reason why there is none.
 *
 * <p>The file of users has SHA-256 digests of tokens, so that who reads it cannot use them; digests are compared in constant time,
 * each with all. Tokens are 256 bits of a random generator ({@code torus-sm new-token}), so nobody guesses one; that failures are
 * paced for each address ({@link io.torussm.daemon.access.FailedLogins}) is for the log and the processor.
 *
 * <p>Threads: files are read on the daemon's own thread; what they said is immutable and may be asked by any. {@code FailedLogins}
 * belongs to the thread of the server.
 */
@NullMarked
package io.torussm.daemon.access;

import org.jspecify.annotations.NullMarked;
