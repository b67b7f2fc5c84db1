/**
 * The discovered fabric: an immutable graph with dense indexes.
 *
 * <p>Nodes are numbered with the switches first, switches and other nodes in ascending order of NodeGUID
 * (unsigned). So an index does not depend on the order of discovery. Every node has a slot for each of its
 * ports, including port 0 (unused on channel adapters). {@code port = firstPort(node) + portNum} is the dense
 * <em>port index</em> of links, LIDs and tables. At the maximum of 16,384 switches of 64 ports and 49,151 end
 * ports this is about 1.2 million slots, five megabytes per {@code int} array.
 *
 * <p>In all packages, {@code sw} is the node index of a switch (0 to {@code switchCount() - 1}), and {@code
 * node} the index of any node. {@code port} is a port index, and {@code portNum} a port number (0 to 254).
 */
@NullMarked
package io.torussm.fabric;

import org.jspecify.annotations.NullMarked;
