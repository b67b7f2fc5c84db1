/**
 * The congestion control agents of the embedded fabric (IBA annex A10): key, settings, log and clock of each switch and
 * each port of a channel adapter.
 *
 * <p>A wrong CC_Key is counted and kept as a notice. No trap is sent, because no attribute of the class names its
 * destination.
 */
@NullMarked
package io.torussm.sim.congestion;

import org.jspecify.annotations.NullMarked;
