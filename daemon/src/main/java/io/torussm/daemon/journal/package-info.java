/** What happened lately, bounded and in memory: the last events, the last sweeps, what became of the last routing. */
@NullMarked
package io.torussm.daemon.journal;

import org.jspecify.annotations.NullMarked;
