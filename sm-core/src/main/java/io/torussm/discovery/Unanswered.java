package io.torussm.discovery;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that the device at the end of a route did not report, or reported without credibility.
 *
 * @param modifier the attribute modifier; of several requests for one attribute, that of the first
 * @param claim the forged or duplicate identity that it showed, which is no change if repeated; null if it
 *     reported nothing plausible
 */
public record Unanswered(
        DrPath path,
        AttributeType<?> type,
        int modifier,
        @Nullable NodeInfo claim) {
    /** Creates the entry of a device that reported nothing plausible. */
    public Unanswered(DrPath path, AttributeType<?> type, int modifier) {
        this(path, type, modifier, null);
    }

    /** Checks whether the device reported nothing plausible. */
    public boolean isSilence() {
        return claim == null;
    }

    /** Checks whether an answer differs from the claim. */
    public boolean isNews(Attribute<?> answer) {
        return claim == null || !answer.equals(claim);
    }

    /**
     * Returns an identity that is stable from one discovery to the next, although the modifier may differ.
     */
    public Object key() {
        return new Unanswered(path, type, 0);
    }
}
