/**
 * Requests and replies over HTTP as values, which the packages below this package share.
 *
 * <p>{@link io.torussm.daemon.http.Reply} is a response, {@link io.torussm.daemon.http.Operation} a change with the
 * role that it requires, {@link io.torussm.daemon.http.GetHandler} a set of addresses. {@code http.api}, {@code
 * http.page}, {@code http.metrics} and {@code http.ufm} compute replies. {@code http.server} has the connections and
 * uses all of these packages. They make no decision about the subnet: all data come from {@link
 * io.torussm.daemon.control.SmControl}.
 *
 * <p>The files of the web page are resources of this package, in {@code web}.
 */
@NullMarked
package io.torussm.daemon.http;

import org.jspecify.annotations.NullMarked;
