package io.torussm.sim.model;

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
 * The faults of the subnet management agent of one device, as real agents have them. It rejects attributes, is busy,
 * loses requests, acknowledges a Set without effect, or returns false values. It spares the data plane. Immutable.
 *
 * @param rules rules in order: the first that matches a request and takes effect decides
 * @param speeds visibility of speeds above QDR
 * @param lies false values, applied in this order
 */
public record AgentProfile(List<Rule> rules, ExtendedSpeeds speeds, List<FalseValue> lies) {
    /** Any attribute or method, in a rule. */
    public static final int ANY = -1;

    /** An agent that executes every SMP. */
    public static final AgentProfile CONFORMING = new AgentProfile(List.of(), ExtendedSpeeds.SHOWN, List.of());

    /** The action of an agent for a request. */
    public enum Action {
        /** It is answered with a status, and nothing changes. */
        REFUSE,
        /** It is not answered. */
        DROP,
        /** A Set is answered with status 0 and the old value, and nothing changes. */
        DISOBEY
    }

    /**
     * The visibility of speeds above QDR in PortInfo. Some agents show them only to requesters that set
     * AttributeModifier bit 31, SMSupportExtendedSpeeds (IBA 14.2.5.6). Some of those omit the bit in the response.
     */
    public enum ExtendedSpeeds {
        /** Shown to all requesters. */
        SHOWN,
        /** Hidden without the bit; it is repeated in the answer. */
        HIDDEN,
        /** Hidden without the bit; the answer does not have it. */
        HIDDEN_AND_BIT_NOT_ECHOED
    }

    /**
     * The action for one kind of request.
     *
     * @param attributeId {@link #ANY}, or an attribute such as 0x0018
     * @param method {@link #ANY}, {@link Method#GET} or {@link Method#SET}
     * @param status status of a rejection, such as {@link MadStatus#BUSY}; 0 for the other actions
     * @param probability probability that the rule takes effect, 0 to 1
     * @param fromNs begin of the rule, since power-up of the fabric
     * @param untilNs end of the rule, since power-up of the fabric
     */
    public record Rule(
            int attributeId, int method, Action action, int status, double probability, long fromNs, long untilNs) {
        /** Rejects a probability out of its range. */
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

    /** Returns a profile that also refuses requests of one type with a status. */
    public AgentProfile refusing(int attributeId, int method, int status, double probability) {
        return with(attributeId, method, Action.REFUSE, status, probability);
    }

    /** Adds the response Busy to any request. */
    public AgentProfile busy(double probability) {
        return refusing(ANY, ANY, MadStatus.BUSY, probability);
    }

    /** Returns a profile that also leaves requests of one type without an answer. */
    public AgentProfile dropping(int attributeId, int method, double probability) {
        return with(attributeId, method, Action.DROP, 0, probability);
    }

    /** Returns a profile that responds to nothing, while the data plane works. */
    public AgentProfile deaf() {
        return dropping(ANY, ANY, 1);
    }

    /** Returns a profile that also accepts every Set of an attribute without effect. */
    public AgentProfile ignoringSets(int attributeId) {
        return with(attributeId, Method.SET, Action.DISOBEY, 0, 1);
    }

    /** Returns a profile that also answers with a false value. */
    public AgentProfile withFalseValue(FalseValue lie) {
        List<FalseValue> more = new ArrayList<>(lies);
        more.add(lie);
        return new AgentProfile(rules, speeds, more);
    }

    /** Returns these rules with another visibility of speeds. */
    public AgentProfile showing(ExtendedSpeeds mode) {
        return new AgentProfile(rules, mode, lies);
    }

    /**
     * Returns the same, but only for a time.
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

    /** Returns these rules followed by those of another profile, whose visibility of speeds applies if it hides any. */
    public AgentProfile and(AgentProfile other) {
        List<Rule> more = new ArrayList<>(rules);
        more.addAll(other.rules);
        List<FalseValue> all = new ArrayList<>(lies);
        all.addAll(other.lies);
        return new AgentProfile(more, other.speeds == ExtendedSpeeds.SHOWN ? speeds : other.speeds, all);
    }

    private AgentProfile with(int attributeId, int method, Action action, int status, double probability) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(attributeId, method, action, status, probability, 0, Long.MAX_VALUE));
        return new AgentProfile(more, speeds, lies);
    }

    /**
     * Returns the rule for a request; null if the agent executes it.
     *
     * @param sinceNs time since power-up of the fabric
     * @param chance source of numbers from 0 to 1, only used by rules with a probability
     */
    public @Nullable Rule rule(byte[] mad, long sinceNs, DoubleSupplier chance) {
        for (Rule rule : rules) {
            if (rule.fits(mad, sinceNs) && (rule.probability() >= 1 || chance.getAsDouble() < rule.probability())) {
                return rule;
            }
        }
        return null;
    }

    /**
     * Puts the false values of this agent into a response.
     *
     * @param sinceNs time since power-up of the fabric
     * @param chance source of numbers from 0 to 1, only used by lies with a probability
     */
    public void lie(byte[] mad, long sinceNs, DoubleSupplier chance) {
        for (FalseValue lie : lies) {
            if (lie.fits(mad, sinceNs) && (lie.probability() >= 1 || chance.getAsDouble() < lie.probability())) {
                lie.tell(mad);
            }
        }
    }

    /** Removes the speeds that are hidden from the requester from a response with PortInfo. */
    public void hideSpeeds(byte[] mad) {
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
