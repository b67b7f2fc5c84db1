/**
 * What can be seen of the SM over HTTP: metrics, health and a picture of the fabric. Read only.
 *
 * <p>Nobody is asked for a password, so the server listens on loopback unless the operator says otherwise, takes no
 * requests but GET and HEAD, and answers only those that call it by a name that it knows ({@link
 * io.torussm.daemon.http.HostNames}): a page from elsewhere, open in the operator's browser, learns nothing by a name of
 * its own that it makes point here. Everything has a bound: connections, clients of the event stream, the size of a
 * request, the time that a connection may take for one, the output that waits for a slow reader.
 *
 * <p>Threads: {@code http} owns all connections; {@code http-worker}, one, computes what takes longer, once for each
 * published view. Neither makes the SM wait: it is asked for counters and for the view, which any thread may read.
 */
@NullMarked
package io.torussm.daemon.http;

import org.jspecify.annotations.NullMarked;
