/**
 * Freedom from credit loops: the proof of a plan, and the order in which tables may change.
 */
@NullMarked
package io.torussm.deadlock;

import org.jspecify.annotations.NullMarked;
