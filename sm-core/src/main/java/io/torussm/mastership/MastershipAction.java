package io.torussm.mastership;

/** An action that a step requests. {@link MastershipRules} lists actions in order of execution. */
public sealed interface MastershipAction {

    /** Answer the received SubnSet with this status. */
    record Answer(int status) implements MastershipAction {}

    /** Sweep. If {@code isAnew}, devices may be programmed with data of another master. */
    record Sweep(boolean isAnew) implements MastershipAction {}

    /** Let the sweep that asked continue and write. */
    record Govern() implements MastershipAction {}

    /** Let the sweep that asked end without writing, in favour of this SM. */
    record StandAside(RemoteSm master) implements MastershipAction {}

    /** Stop all writes to the fabric, and forget the subnet. */
    record Rest() implements MastershipAction {}

    /** Send SubnGet(SMInfo). The outstanding answer to a previous poll is discarded. */
    record Poll(RemoteSm sm) implements MastershipAction {}

    /** Stop polling. */
    record StopPolling() implements MastershipAction {}

    /** Send SubnSet(SMInfo) with modifier HANDOVER. */
    record HandOver(RemoteSm successor) implements MastershipAction {}

    /** Send SubnSet(SMInfo) with modifier ACKNOWLEDGE. */
    record Acknowledge(RemoteSm sm) implements MastershipAction {}

    /** Send trap 144 with the SM priority flag. */
    record TrapPriorityChange() implements MastershipAction {}

    /** Start or restart a timer. */
    record Start(MastershipTimer timer) implements MastershipAction {}

    /** Stop a timer if it is active. */
    record Stop(MastershipTimer timer) implements MastershipAction {}

    /** Notify the operator. */
    record Log(boolean isTrouble, String text) implements MastershipAction {}

    /** Let the SM end. */
    record EndSm() implements MastershipAction {}
}
