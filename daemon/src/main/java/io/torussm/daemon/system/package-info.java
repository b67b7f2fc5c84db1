/**
 * The program and its surroundings: version, exit codes, signals, systemd, file descriptors, and the loops of threads.
 */
@NullMarked
package io.torussm.daemon.system;

import org.jspecify.annotations.NullMarked;
