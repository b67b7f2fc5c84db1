package io.torussm.discovery;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that the device at the end of a route did not report, or reported without credibility.
 *
 * @param path directed route to the device
 * @param type type of the attribute
 * @param modifier AttributeModifier; for several requests of one attribute, that of the first request
 * @param claim the duplicate or implausible NodeInfo that the device reported; the same NodeInfo later is no change;
 *     null if the device reported nothing plausible
 */
public record UnansweredRequest(
        DrPath path,
        AttributeType<?> type,
        int modifier,
        @Nullable NodeInfo claim) {
    /** Creates the entry of a device that reported nothing plausible. */
    public UnansweredRequest(DrPath path, AttributeType<?> type, int modifier) {
        this(path, type, modifier, null);
    }

    /** Checks whether the device reported nothing plausible. */
    public boolean isSilence() {
        return claim == null;
    }

    /** Checks whether a response differs from the claim; true without a claim. */
    public boolean differsFromClaim(Attribute<?> answer) {
        return claim == null || !answer.equals(claim);
    }

    /**
     * Returns a key of route and type, which is stable from one discovery to the next, although the modifier may
     * differ.
     */
    public Object key() {
        return new UnansweredRequest(path, type, 0);
    }
}
