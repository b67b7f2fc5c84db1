package io.torussm.discovery;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the device at the end of a route was asked for, and did not tell, or told so that it is not believed.
 *
 * @param modifier the attribute modifier: of several requests for one attribute that of the first
 * @param claim the name of another device that it showed: the same again is no news; null if it told nothing that can be true
 */
public record Unanswered(
        DrPath path,
        AttributeType<?> type,
        int modifier,
        @Nullable NodeInfo claim) {
    /** It told nothing that can be true. */
    public Unanswered(DrPath path, AttributeType<?> type, int modifier) {
        this(path, type, modifier, null);
    }

    /** Whether it told nothing that can be true. */
    public boolean isSilence() {
        return claim == null;
    }

    /** Whether an answer is another than what it claimed. */
    public boolean isNews(Attribute<?> answer) {
        return claim == null || !answer.equals(claim);
    }

    /** What is the same from one discovery to the next, although another port may be the first. */
    public Object key() {
        return new Unanswered(path, type, 0);
    }
}
