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
 * The faults of the subnet management agent of one device, as real agents have them. Such an agent rejects attributes,
 * is busy, loses requests, accepts a Set without effect, or returns false values. The data plane of the device is not
 * affected. Immutable.
 *
 * @param rules rules in order: the first one that matches a request and takes effect decides
 * @param speeds visibility of speeds above QDR
 * @param falseValues false values, applied in this order
 */
public record AgentProfile(List<Rule> rules, ExtendedSpeeds speeds, List<FalseValue> falseValues) {
    /** Any attribute or method in a rule. */
    public static final int ANY = -1;

    /** An agent that executes every SMP. */
    public static final AgentProfile CONFORMING = new AgentProfile(List.of(), ExtendedSpeeds.SHOWN, List.of());

    /** The action of an agent for a request. */
    public enum Action {
        /** The response has an error status, and nothing changes. */
        REFUSE,
        /** The request has no response. */
        DROP,
        /** The response to a Set has status 0 and the old value, and nothing changes. */
        IGNORE_SET
    }

    /**
     * The visibility of speeds above QDR in PortInfo. Some agents show them only to requesters that set
     * AttributeModifier bit 31, SMSupportExtendedSpeeds (IBA 14.2.5.6). Some of these agents omit the bit in the
     * response.
     */
    public enum ExtendedSpeeds {
        /** Visible to all requesters. */
        SHOWN,
        /** Hidden from requesters without the bit. The response repeats the bit. */
        HIDDEN,
        /** Hidden from requesters without the bit. The response omits the bit. */
        HIDDEN_AND_BIT_NOT_ECHOED
    }

    /**
     * The action for one kind of request.
     *
     * @param attributeId attribute ID such as 0x0018, or {@link #ANY}
     * @param method {@link Method#GET}, {@link Method#SET} or {@link #ANY}
     * @param action action of the agent
     * @param status status of a rejection, such as {@link MadStatus#BUSY}; 0 for other actions
     * @param probability probability that the rule takes effect, 0 to 1
     * @param fromNs begin of the rule, since power-up of the fabric
     * @param untilNs end of the rule, since power-up of the fabric
     */
    public record Rule(
            int attributeId, int method, Action action, int status, double probability, long fromNs, long untilNs) {
        /** Rejects a probability out of range. */
        public Rule {
            FaultPlan.checkProbability("probability", probability);
        }

        /** Checks whether the rule applies to a request. */
        private boolean matches(byte[] mad, long sinceNs) {
            int requestMethod = MadHeader.method(mad);
            return sinceNs >= fromNs
                    && sinceNs < untilNs
                    && (attributeId == ANY || attributeId == MadHeader.attributeId(mad))
                    && (method == ANY || method == requestMethod)
                    && (action != Action.IGNORE_SET || requestMethod == Method.SET);
        }
    }

    /** Copies the lists. */
    public AgentProfile {
        rules = List.copyOf(rules);
        falseValues = List.copyOf(falseValues);
    }

    /** Returns a copy that also rejects requests of one kind with a status. */
    public AgentProfile refusing(int attributeId, int method, int status, double probability) {
        return with(attributeId, method, Action.REFUSE, status, probability);
    }

    /** Returns a copy that also responds Busy to any request. */
    public AgentProfile busy(double probability) {
        return refusing(ANY, ANY, MadStatus.BUSY, probability);
    }

    /** Returns a copy that also drops requests of one kind. */
    public AgentProfile dropping(int attributeId, int method, double probability) {
        return with(attributeId, method, Action.DROP, 0, probability);
    }

    /** Returns a copy that also drops all requests. */
    public AgentProfile droppingAll() {
        return dropping(ANY, ANY, 1);
    }

    /** Returns a copy that also accepts every Set of an attribute without effect. */
    public AgentProfile ignoringSets(int attributeId) {
        return with(attributeId, Method.SET, Action.IGNORE_SET, 0, 1);
    }

    /** Returns a copy that also responds with a false value. */
    public AgentProfile withFalseValue(FalseValue lie) {
        List<FalseValue> more = new ArrayList<>(falseValues);
        more.add(lie);
        return new AgentProfile(rules, speeds, more);
    }

    /** Returns a copy with another visibility of speeds. */
    public AgentProfile showing(ExtendedSpeeds mode) {
        return new AgentProfile(rules, mode, falseValues);
    }

    /**
     * Returns a copy whose rules and false values apply for a time only.
     *
     * @param fromNs begin, since power-up of the fabric
     * @param untilNs end (exclusive), since power-up of the fabric
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
                falseValues.stream().map(lie -> lie.during(fromNs, untilNs)).toList());
    }

    /**
     * Returns a copy with rules and false values of another profile behind its own. If the other profile hides speeds,
     * its visibility of speeds applies.
     */
    public AgentProfile and(AgentProfile other) {
        List<Rule> more = new ArrayList<>(rules);
        more.addAll(other.rules);
        List<FalseValue> all = new ArrayList<>(falseValues);
        all.addAll(other.falseValues);
        return new AgentProfile(more, other.speeds == ExtendedSpeeds.SHOWN ? speeds : other.speeds, all);
    }

    private AgentProfile with(int attributeId, int method, Action action, int status, double probability) {
        List<Rule> more = new ArrayList<>(rules);
        more.add(new Rule(attributeId, method, action, status, probability, 0, Long.MAX_VALUE));
        return new AgentProfile(more, speeds, falseValues);
    }

    /**
     * Returns the rule that decides on a request; null if the agent executes it.
     *
     * @param sinceNs time since power-up of the fabric
     * @param chance source of random numbers from 0 to 1, only used by rules with a probability
     */
    public @Nullable Rule rule(byte[] mad, long sinceNs, DoubleSupplier chance) {
        for (Rule rule : rules) {
            if (rule.matches(mad, sinceNs) && (rule.probability() >= 1 || chance.getAsDouble() < rule.probability())) {
                return rule;
            }
        }
        return null;
    }

    /**
     * Writes the false values of this agent into a response.
     *
     * @param sinceNs time since power-up of the fabric
     * @param chance source of random numbers from 0 to 1, only used by false values with a probability
     */
    public void writeFalseValues(byte[] mad, long sinceNs, DoubleSupplier chance) {
        for (FalseValue lie : falseValues) {
            if (lie.matches(mad, sinceNs) && (lie.probability() >= 1 || chance.getAsDouble() < lie.probability())) {
                lie.writeTo(mad);
            }
        }
    }

    /** Removes speeds above QDR from a response with PortInfo if they are hidden from the requester. */
    public void hideSpeeds(byte[] mad) {
        if (speeds == ExtendedSpeeds.SHOWN || MadHeader.attributeId(mad) != PortInfo.TYPE.id()) {
            return;
        }
        int modifier = MadHeader.attributeModifier(mad);
        // Bit 31 is the sign.
        if (modifier >= 0) {
            PortInfo.LINK_SPEED_EXT_SUPPORTED.set(mad, Smp.DATA_OFFSET, 0);
            PortInfo.LINK_SPEED_EXT_ENABLED.set(mad, Smp.DATA_OFFSET, 0);
            PortInfo.LINK_SPEED_EXT_ACTIVE.set(mad, Smp.DATA_OFFSET, 0);
            PortInfo.LINK_SPEED_EXT_SUPPORTED2.set(mad, Smp.DATA_OFFSET, 0);
            PortInfo.LINK_SPEED_EXT_ENABLED2.set(mad, Smp.DATA_OFFSET, 0);
            PortInfo.LINK_SPEED_EXT_ACTIVE2.set(mad, Smp.DATA_OFFSET, 0);
        } else if (speeds == ExtendedSpeeds.HIDDEN_AND_BIT_NOT_ECHOED) {
            MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, modifier & Integer.MAX_VALUE);
        }
    }
}
