/**
 * Access over the network: a certificate and a key for TLS, users with roles, and the treatment of requests
 * without a valid token or certificate. Independent of HTTP.
 *
 * <p>Input: four files that the operator names: certificate, key, authority of client certificates, users.
 * They are read at the start and at SIGHUP, all of them or none. If one cannot be used, all previous contents
 * stay effective ({@link io.torussm.daemon.access.AccessFiles}). Output: for the headers and the certificate
 * of a request, a {@link io.torussm.daemon.access.User} or the reason of a failure.
 *
 * <p>The file of users has SHA-256 digests of tokens, so a reader of the file cannot use them. A token is compared with
 * all digests in constant time. Tokens are 256 bits of a random generator
 * ({@code torus-sm new-token}) and cannot be guessed. The rate limit of failures for each address
 * ({@link io.torussm.daemon.access.FailedLogins}) only protects the log and the processor.
 *
 * <p>Threads: files are read on the daemon's own thread; their content is immutable and may be used by any.
 * {@code FailedLogins} belongs to the thread of the server.
 */
@NullMarked
package io.torussm.daemon.access;

import org.jspecify.annotations.NullMarked;
