/**
 * Commands on the fabric: switches, ports, cables, paths, counters, hosts, drains and the shape.
 */
@NullMarked
package io.torussm.daemon.console.fabric;

import org.jspecify.annotations.NullMarked;
