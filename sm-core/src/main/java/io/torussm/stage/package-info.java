/**
 * The common parts of all stages of a sweep.
 *
 * <p>Input and output of a {@link io.torussm.stage.Stage} are immutable values. The
 * {@link io.torussm.stage.StageContext} supplies everything else: scopes for SMPs, the loop, memory that
 * survives the process, and the record of errors. A stage belongs to a {@link io.torussm.stage.Phase}, under
 * which its time is counted and reported. The sweep supplies the context and runs the stages one after the
 * other; it alone decides on the next.
 *
 * <p>Owner thread: the loop. A stage that computes elsewhere returns by
 * {@link io.torussm.stage.StageContext#resume}.
 */
@NullMarked
package io.torussm.stage;

import org.jspecify.annotations.NullMarked;
