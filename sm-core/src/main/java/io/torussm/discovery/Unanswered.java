package io.torussm.discovery;

import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;

/**
 * What the device at the end of a route was asked for, and did not tell.
 *
 * @param modifier the attribute modifier: of several requests for one attribute that of the first
 */
public record Unanswered(DrPath path, AttributeType<?> type, int modifier) {
    /** What is the same from one discovery to the next, although another port may be the first. */
    public Object key() {
        return new Unanswered(path, type, 0);
    }
}
