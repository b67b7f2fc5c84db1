/**
 * What all stages of a sweep have in common, wherever they live.
 *
 * <p>What enters a {@link io.torussm.stage.Stage} is one immutable value, what leaves it another; everything else that it
 * needs (scopes for its SMPs, the loop, what outlives the process, where errors are noted) comes from the
 * {@link io.torussm.stage.StageContext}. A stage belongs to a {@link io.torussm.stage.Phase}, under which its time is
 * counted and reported. The sweep supplies the context and runs the stages one after the other; it alone decides what
 * follows.
 *
 * <p>Owner thread: the loop. A stage that computes elsewhere comes back by {@link io.torussm.stage.StageContext#resume}.
 */
@NullMarked
package io.torussm.stage;

import org.jspecify.annotations.NullMarked;
