package io.torussm.mastership;

/** An action that a step of {@link MastershipRules} requests of {@link MastershipDriver}. */
public sealed interface MastershipAction {

    /** Answer the received SubnSet(SMInfo) with a MAD status. */
    record Answer(int status) implements MastershipAction {}

    /**
     * Begin a heavy sweep.
     *
     * @param isAsNewMaster whether another master may have programmed the devices, so that their contents are unknown
     */
    record Sweep(boolean isAsNewMaster) implements MastershipAction {}

    /** Let the sweep that requested the decision continue and write. */
    record ContinueSweep() implements MastershipAction {}

    /**
     * Let the sweep that requested the decision end without writing.
     *
     * @param master the other SM that is or becomes master
     */
    record EndSweep(RemoteSm master) implements MastershipAction {}

    /** Stop all writes to the fabric, and discard the state of the subnet. */
    record WithdrawSubnet() implements MastershipAction {}

    /** Send SubnGet(SMInfo). A pending answer to a previous poll is discarded. */
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

    /** Report an event: of trouble, or of a normal change. */
    record Log(boolean isWarning, String text) implements MastershipAction {}

    /** End this SM. */
    record EndSm() implements MastershipAction {}
}
