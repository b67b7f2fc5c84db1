/** The command lines of {@code torus-sm} and {@code torus-smctl}. */
@NullMarked
package io.torussm.daemon.cli;

import org.jspecify.annotations.NullMarked;
