package io.torussm.mastership;

/** What is to be done; in the order in which {@link MastershipRules} lists it. */
public sealed interface MastershipAction {

    /** Answer the SubnSet that has come with this status. */
    record Answer(int status) implements MastershipAction {}

    /** Sweep: {@code isAnew} if devices may hold what another master wrote. */
    record Sweep(boolean isAnew) implements MastershipAction {}

    /** The sweep that asked may go on and write. */
    record Govern() implements MastershipAction {}

    /** The sweep that asked must end without writing, for this SM. */
    record StandAside(RemoteSm master) implements MastershipAction {}

    /** Stop whatever writes to the fabric, and forget what is known of it. */
    record Rest() implements MastershipAction {}

    /** Send SubnGet(SMInfo); an answer that is still awaited from the one before is not wanted any more. */
    record Poll(RemoteSm sm) implements MastershipAction {}

    /** Poll no more. */
    record StopPolling() implements MastershipAction {}

    /** Send SubnSet(SMInfo) with modifier HANDOVER. */
    record HandOver(RemoteSm successor) implements MastershipAction {}

    /** Send SubnSet(SMInfo) with modifier ACKNOWLEDGE. */
    record Acknowledge(RemoteSm sm) implements MastershipAction {}

    /** Send trap 144 with the SM priority flag. */
    record TrapPriorityChange() implements MastershipAction {}

    /** Start a timer anew. */
    record Start(MastershipTimer timer) implements MastershipAction {}

    /** Stop a timer if it runs. */
    record Stop(MastershipTimer timer) implements MastershipAction {}

    /** The operator should know. */
    record Log(boolean isTrouble, String text) implements MastershipAction {}

    /** The SM may end now. */
    record End() implements MastershipAction {}
}
