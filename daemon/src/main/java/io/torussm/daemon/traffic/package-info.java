/**
 * Traffic over a fabric that is only written down: what its routes carry, how long packets take, and whether they ever stop for
 * good. In: a plan, with the tree for multicast that was proved with it, and what is to be sent. Out: a {@link
 * io.torussm.daemon.traffic.TrafficReport}, as text, JSON or a page for browsers. Runs of several loads share the processors; none
 * touches anything of the daemon.
 */
@NullMarked
package io.torussm.daemon.traffic;

import org.jspecify.annotations.NullMarked;
