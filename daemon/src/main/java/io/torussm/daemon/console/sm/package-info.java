/**
 * Commands on the SM and its services: state, routing, partitions, groups, keys, recordings and a shadowed master.
 */
@NullMarked
package io.torussm.daemon.console.sm;

import org.jspecify.annotations.NullMarked;
