/**
 * The embedded fabric: simulated switches and channel adapters that obey SMPs as hardware does, for demos, tests and
 * planning.
 */
@NullMarked
package io.torussm.sim;

import org.jspecify.annotations.NullMarked;
