package io.torussm.mastership;

import java.util.List;

/** An event of the state machine {@link MastershipRules}. Events of untrusted SMs do not reach it. */
public sealed interface MastershipEvent {

    /** This SM starts, in NOT-ACTIVE if {@code isInactive}. */
    record Started(boolean isInactive) implements MastershipEvent {}

    /**
     * A sweep has read the fabric.
     *
     * @param others SMs that answered
     * @param silent SMs that do not answer although their ports report them
     */
    record Discovered(List<RemoteSm> others, List<SilentSm> silent) implements MastershipEvent {}

    /** A sweep found the own port down or without an answer. */
    record PortDown(String reason) implements MastershipEvent {}

    /** An SM answered outside of a sweep. */
    record SmFound(RemoteSm sm) implements MastershipEvent {}

    /** The polled SM has answered. */
    record PollAnswered(RemoteSm sm) implements MastershipEvent {}

    /**
     * The polled SM gave no usable answer.
     *
     * @param isWithoutSm whether the port responded that no SM runs there
     */
    record PollFailed(boolean isWithoutSm) implements MastershipEvent {
        /** Returns the max number of consecutive polls that may fail like this: none if the port responded. */
        int maxMisses(int pollRetries) {
            return isWithoutSm ? 0 : pollRetries;
        }

        String reason() {
            return isWithoutSm ? "its host responds that no SM runs there" : "it does not answer";
        }
    }

    /** SubnSet(SMInfo) was received, with an AttributeModifier such as {@link MastershipRules#HANDOVER}. */
    record SetReceived(int modifier, RemoteSm sender) implements MastershipEvent {}

    /** HANDOVER was accepted. */
    record HandoverAccepted() implements MastershipEvent {}

    /** HANDOVER was rejected or not answered. */
    record HandoverFailed(String reason) implements MastershipEvent {}

    /** A timer has expired. */
    record TimedOut(MastershipTimer timer) implements MastershipEvent {}

    /** The operator changed the priority of this SM. */
    record PriorityChanged(int priority) implements MastershipEvent {}

    /** The operator stops this SM. */
    record EndRequested() implements MastershipEvent {}
}
