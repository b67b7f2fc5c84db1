package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How the subnet management agent of one device departs from an agent that obeys every SMP at once, as agents of real
 * devices do: it refuses attributes, is busy, loses requests, accepts a Set and does not obey it, or answers with false values.
 * The data plane of the device goes on, and so does the forwarding of SMPs to others. Immutable.
 *
 * @param rules asked in this order; the first that fits a request and takes effect decides
 * @param speeds how the agent shows speeds above QDR
 * @param lies false values, told in this order
 */
public record AgentProfile(List<Rule> rules, ExtendedSpeeds speeds, List<Lie> lies) {
    /** For a rule: whatever the attribute or the method. */
    public static final int ANY = -1;

    /** Obeys every SMP. */
    public static final AgentProfile OBEDIENT = new AgentProfile(List.of(), ExtendedSpeeds.SHOWN, List.of());

    /** What happens to a request. */
    public enum Action {
        /** It is answered with a status, and nothing changes. */
        REFUSE,
        /** It is not answered. */
        DROP,
        /** A Set is answered with status 0 and the old value, and nothing changes. */
        DISOBEY
    }

    /**
     * PortInfo of ports above QDR: some agents show extended speeds only to a requester that sets AttributeModifier bit 31,
     * SMSupportExtendedSpeeds (IBA 14.2.5.6), and not all of those repeat the bit in the answer.
     */
    public enum ExtendedSpeeds {
        /** Shown to everybody. */
        SHOWN,
        /** Hidden without the bit; it is repeated in the answer. */
        HIDDEN,
        /** Hidden without the bit; the answer does not have it. */
        HIDDEN_AND_BIT_NOT_ECHOED
    }

    /**
     * What one kind of request meets.
     *
     * @param attributeId {@link #ANY}, or an attribute such as 0x0018
     * @param method {@link #ANY}, {@link Method#GET} or {@link Method#SET}
     * @param status of a refusal, such as {@link MadStatus#BUSY}; 0 for the other actions
     * @param probability with which the rule takes effect, 0 to 1
     * @param fromNs the rule holds from this time on, since the fabric was switched on
     * @param untilNs the rule holds until then
     */
    public record Rule(
            int attributeId, int method, Action action, int status, double probability, long fromNs, long untilNs) {
        /** Checks the range of the probability. */
        public Rule {
            FaultPlan.checkProbability("probability", probability);
        }

        private boolean fits(byte[] mad, long sinceNs) {
            int asked = MadHeader.method(mad);
            return sinceNs >= fromNs
                    && sinceNs < untilNs
                    && (attributeId == ANY || attributeId == MadHeader.attributeId(mad))
                    && (method == ANY || method == asked)
                    && (action != Action.DISOBEY || asked == Method.SET);
        }
    }

    /** Copies the lists. */
    public AgentProfile {
        rules = List.copyOf(rules);
        lies = List.copyOf(lies);
    }

    /** Also refuses requests of one kind with a status. */
    public AgentProfile refusing(int attributeId, int method, int status, double probability) {
        return with(attributeId, method, Action.REFUSE, status, probability);
    }

    /** Also answers Busy, whatever is asked. */
    public AgentProfile busy(double probability) {
        return refusing(ANY, ANY, MadStatus.BUSY, probability);
    }

    /** Also leaves requests of one kind without an answer. */
    public AgentProfile dropping(int attributeId, int method, double probability) {
        return with(attributeId, method, Action.DROP, 0, probability);
    }

    /** Answers nothing, while the data plane goes on. */
    public AgentProfile deaf() {
        return dropping(ANY, ANY, 1);
    }

    /** Also accepts every Set of an attribute without obeying it. */
    public AgentProfile disobeying(int attributeId) {
        return with(attributeId, Method.SET, Action.DISOBEY, 0, 1);
    }

    /** Also answers with a false value. */
    public AgentProfile lying(Lie lie) {
        List<Lie> more = new ArrayList<>(lies);
        more.add(lie);
        return new AgentProfile(rules, speeds, more);
    }

    /** The same rules, other speeds. */
    public AgentProfile showing(ExtendedSpeeds how) {
        return new AgentProfile(rules, how, lies);
    }

    /**
     * The same, but only for a time.
     *
     * @param fromNs since the fabric was switched on
     * @param untilNs the first moment after it
     */
    public AgentProfile during(long fromNs, long untilNs) {
        return new AgentProfile(
                rules.stream()
                        .map(rule -> new Rule(
                                rule.attributeId(),
                                rule.method(),
                                rule.action(),
                                rule.status(),
                                rule.probability(),
                                fromNs,
                                untilNs))
                        .toList(),
                speeds,
                lies.stream().map(lie -> lie.during(fromNs, untilNs)).toList());
    }

    /** These rules, and then those of another profile, whose speeds count if it hides them. */
    public AgentProfile and(AgentProfile other) {
        List<Rule> more = new ArrayList<>(rules);
        more.addAll(other.rules);
        List<Lie> all = new ArrayList<>(lies);
        all.addAll(other.lies);
        return new AgentProfile(more, other.speeds == ExtendedSpeeds.SHOWN ? speeds : other.speeds, all);
    }

    private AgentProfile with(int attributeId, int method, Action action, int status, double probability) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(attributeId, method, action, status, probability, 0, Long.MAX_VALUE));
        return new AgentProfile(more, speeds, lies);
    }

    /**
     * What becomes of a request; null if it is obeyed.
     *
     * @param sinceNs time since the fabric was switched on
     * @param chance gives a number from 0 to 1; asked only by rules that leave something to it
     */
    @Nullable
    Rule rule(byte[] mad, long sinceNs, DoubleSupplier chance) {
        for (Rule rule : rules) {
            if (rule.fits(mad, sinceNs) && (rule.probability() >= 1 || chance.getAsDouble() < rule.probability())) {
                return rule;
            }
        }
        return null;
    }

    /**
     * Makes an answer false where the agent lies.
     *
     * @param sinceNs time since the fabric was switched on
     * @param chance gives a number from 0 to 1; asked only by lies that leave something to it
     */
    void lie(byte[] mad, long sinceNs, DoubleSupplier chance) {
        for (Lie lie : lies) {
            if (lie.fits(mad, sinceNs) && (lie.probability() >= 1 || chance.getAsDouble() < lie.probability())) {
                lie.tell(mad);
            }
        }
    }

    /** Takes from an answer with PortInfo what the requester is not shown. */
    void hideSpeeds(byte[] mad) {
        if (speeds == ExtendedSpeeds.SHOWN || MadHeader.attributeId(mad) != PortInfo.TYPE.id()) {
            return;
        }
        int modifier = MadHeader.attributeModifier(mad);
        if (modifier >= 0) {
            PortInfo.LINK_SPEED_EXT_SUPPORTED.set(mad, Smp.DATA, 0);
            PortInfo.LINK_SPEED_EXT_ENABLED.set(mad, Smp.DATA, 0);
            PortInfo.LINK_SPEED_EXT_ACTIVE.set(mad, Smp.DATA, 0);
            PortInfo.LINK_SPEED_EXT_SUPPORTED2.set(mad, Smp.DATA, 0);
            PortInfo.LINK_SPEED_EXT_ENABLED2.set(mad, Smp.DATA, 0);
            PortInfo.LINK_SPEED_EXT_ACTIVE2.set(mad, Smp.DATA, 0);
        } else if (speeds == ExtendedSpeeds.HIDDEN_AND_BIT_NOT_ECHOED) {
            MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, modifier & Integer.MAX_VALUE);
        }
    }
}
