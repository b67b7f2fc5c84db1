/**
 * The discovered fabric: an immutable graph with dense indexes.
 *
 * <p>Nodes are numbered with the switches first, switches and other nodes in ascending order of NodeGUID
 * (unsigned). An index thus does not depend on the order of discovery. Every node has a slot for each of its
 * ports, port 0 included (unused on channel adapters). {@code port = firstPort(node) + portNum} is the dense
 * <em>port index</em> of links, LIDs and tables. At the maximum of 16,384 switches of 64 ports and 49,151 end
 * ports this is about 1.2 million slots, five megabytes per {@code int} array.
 *
 * <p>{@code sw} is a switch's node index (0 to {@code switchCount() - 1}), {@code node} any node's,
 * {@code port} a port index and {@code portNum} the number on the wire.
 */
@NullMarked
package io.torussm.fabric;

import org.jspecify.annotations.NullMarked;
