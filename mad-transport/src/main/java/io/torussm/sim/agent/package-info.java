/**
 * Parts of simulated agents that need no other part of the fabric: the virtual ports of a port, and actions that
 * requests trigger. Owner thread: the loop of the fabric.
 */
@NullMarked
package io.torussm.sim.agent;

import org.jspecify.annotations.NullMarked;
