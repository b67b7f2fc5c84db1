/** Tests of faults at run time. */
@NullMarked
package io.torussm.sim.fault;

import org.jspecify.annotations.NullMarked;
