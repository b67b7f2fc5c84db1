package io.torussm.mastership;

import java.util.List;

/** What happens to an SM, as far as mastership goes. SMs that are not trusted never get this far. */
public sealed interface MastershipEvent {

    /** The SM starts. */
    record Started(boolean isInactive) implements MastershipEvent {}

    /**
     * A sweep has read the fabric.
     *
     * @param others SMs that answered
     * @param silent ways to ports that say that they have an SM, which does not answer
     */
    record Discovered(List<RemoteSm> others, List<SilentSm> silent) implements MastershipEvent {}

    /** A sweep found that the own port is down or does not answer. */
    record PortDown(String why) implements MastershipEvent {}

    /** This SM answered outside of a sweep. */
    record Seen(RemoteSm sm) implements MastershipEvent {}

    /** The SM that is polled has answered. */
    record PollAnswered(RemoteSm sm) implements MastershipEvent {}

    /** The SM that is polled cannot be reached. */
    record PollFailed() implements MastershipEvent {}

    /** SubnSet(SMInfo) has come, with this AttributeModifier. */
    record Asked(int modifier, RemoteSm sender) implements MastershipEvent {}

    /** The HANDOVER that was sent is answered. */
    record HandoverAccepted() implements MastershipEvent {}

    /** The HANDOVER that was sent was refused, or is not answered. */
    record HandoverFailed(String why) implements MastershipEvent {}

    /** A timer has run down. */
    record TimedOut(MastershipTimer timer) implements MastershipEvent {}

    /** The operator gave this SM another priority. */
    record PriorityChanged(int priority) implements MastershipEvent {}

    /** The operator wants this SM to end. */
    record EndAsked() implements MastershipEvent {}
}
