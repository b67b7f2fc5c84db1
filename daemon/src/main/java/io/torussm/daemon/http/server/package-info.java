/**
 * The servers for HTTP and HTTPS: connections, their limits, the check of a caller, and the choice of a reply.
 *
 * <p>Both servers are the same except for their {@link io.torussm.daemon.http.server.HttpAccess}. HTTP has no login. It
 * listens on loopback unless a setting names another address, and accepts GET and HEAD only. It accepts only its own
 * host names ({@link io.torussm.daemon.http.server.HostNames}). So a page of another site cannot read anything, even if
 * its name resolves to this address. HTTPS requires a token or a certificate for each address. {@link
 * io.torussm.daemon.http.server.Operations} has all changes with their roles, and each change becomes an event with its
 * outcome.
 *
 * <p>Limits exist for connections, event streams, the size of a request, its duration, and unread output.
 *
 * <p>Threads of each server: {@code http} ({@code https}) owns all connections. {@code http-worker} computes replies
 * that take longer, once for each published view. {@code http-past} draws earlier states. {@code https-change} runs
 * changes, one after the other. No thread delays the SM, because all of them read the published view and counters.
 */
@NullMarked
package io.torussm.daemon.http.server;

import org.jspecify.annotations.NullMarked;
