/**
 * The conditions of hosts with virtual ports that operators see, and the delays of hosts that change too often.
 *
 * <p>Input: the visits of {@code io.torussm.vport}. Output: events, each with its end, and the decision whether a vport
 * comes up now. A host may change its vports many times per second, and choose their GUIDs. Therefore events of a port
 * have a pause between them, and the memory is bounded. Owner thread: the loop. Cost: a look-up for each visit.
 */
@NullMarked
package io.torussm.vport.condition;

import org.jspecify.annotations.NullMarked;
