package io.torussm.mastership;

import java.util.List;

/** An event of the state machine of mastership. Events of untrusted SMs are filtered out before. */
public sealed interface MastershipEvent {

    /** The SM starts. */
    record Started(boolean isInactive) implements MastershipEvent {}

    /**
     * A sweep has read the fabric.
     *
     * @param others SMs that answered
     * @param silent ports that report an SM which does not answer
     */
    record Discovered(List<RemoteSm> others, List<SilentSm> silent) implements MastershipEvent {}

    /** A sweep found the own port down or without an answer. */
    record PortDown(String why) implements MastershipEvent {}

    /** An SM answered outside of a sweep. */
    record Seen(RemoteSm sm) implements MastershipEvent {}

    /** The polled SM has answered. */
    record PollAnswered(RemoteSm sm) implements MastershipEvent {}

    /**
     * The polled SM gave no usable answer.
     *
     * @param isWithoutSm whether its port responded that no SM runs there
     */
    record PollFailed(boolean isWithoutSm) implements MastershipEvent {
        /** Returns how many consecutive polls may fail like this. A response is as sure as all silent polls. */
        int forgiven(int pollRetries) {
            return isWithoutSm ? 0 : pollRetries;
        }

        String why() {
            return isWithoutSm ? "its host responds that no SM runs there" : "it does not answer";
        }
    }

    /** SubnSet(SMInfo) was received with this AttributeModifier. */
    record Asked(int modifier, RemoteSm sender) implements MastershipEvent {}

    /** HANDOVER was accepted. */
    record HandoverAccepted() implements MastershipEvent {}

    /** HANDOVER was rejected or not answered. */
    record HandoverFailed(String why) implements MastershipEvent {}

    /** A timer has expired. */
    record TimedOut(MastershipTimer timer) implements MastershipEvent {}

    /** The operator changed the priority of this SM. */
    record PriorityChanged(int priority) implements MastershipEvent {}

    /** The operator stops this SM. */
    record EndAsked() implements MastershipEvent {}
}
