/**
 * What devices report by themselves: traps (IBA 13.4.8, 14.2.5.1), judged, throttled and acted on.
 */
@NullMarked
package io.torussm.trap;

import org.jspecify.annotations.NullMarked;
