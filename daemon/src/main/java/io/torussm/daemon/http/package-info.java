/**
 * What can be seen of the SM over HTTP: metrics, health, a picture of the fabric, lists for programs; and over HTTPS what can be asked
 * of it.
 *
 * <p>There are two servers, the same but for their doors ({@link io.torussm.daemon.http.Door}). Without TLS nobody is asked who he is,
 * so it listens on loopback unless the operator says otherwise, takes no requests but GET and HEAD, and answers only those that call
 * it by a name that it knows ({@link io.torussm.daemon.http.HostNames}): a page from elsewhere, open in the operator's browser, learns
 * nothing by a name of its own that it makes point here. With TLS whoever shows no valid token or certificate learns nothing, whatever
 * the address, since the door comes before all addresses; what changes something is in one table with the role that it takes ({@link
 * io.torussm.daemon.http.Operations}), is read strictly, and becomes an event with its outcome.
 *
 * <p>Everything has a bound: connections, clients of the event stream, the size of a request, the time that a connection may take for
 * one, the output that waits for a slow reader. No decision about the subnet is made here: {@link
 * io.torussm.daemon.control.SmControl} is asked.
 *
 * <p>Threads, for each server its own: {@code http} ({@code https}) owns all connections; {@code http-past} ({@code https-past}) draws what was;
 * {@code http-worker} ({@code https-worker}),
 * one, computes what takes longer, once for each published view; {@code https-change}, one, does what is asked for. None makes the SM
 * wait: it is asked for counters and for the view, which any thread may read.
 */
@NullMarked
package io.torussm.daemon.http;

import org.jspecify.annotations.NullMarked;
