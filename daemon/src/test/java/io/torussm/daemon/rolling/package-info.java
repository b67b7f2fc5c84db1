/**
 * OpenSM and torus-sm in turn on the same fabric, under traffic, and the effects of each change of the
 * master. The fabric is the embedded one, served in the process of the test; the SMs are the real programs,
 * each a process.
 */
@NullMarked
package io.torussm.daemon.rolling;

import org.jspecify.annotations.NullMarked;
