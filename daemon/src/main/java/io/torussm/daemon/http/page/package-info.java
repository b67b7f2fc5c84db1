/**
 * The data of the web page: the fabric as a drawing, now or at an earlier time, and the card of one device.
 */
@NullMarked
package io.torussm.daemon.http.page;

import org.jspecify.annotations.NullMarked;
