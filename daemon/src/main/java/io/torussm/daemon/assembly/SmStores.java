package io.torussm.daemon.assembly;

import io.torussm.history.LastState;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.registration.RegistrationStore;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.stages.RememberedView;
import io.torussm.transport.Loop;
import io.torussm.view.CableHistory;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The data of an SM that are kept in the state directory, for the next start.
 *
 * @param memory addresses, M_Keys, cables and drained devices
 * @param cables history of cable failures
 * @param registrations registrations of hosts with the SA
 * @param lastState state of the subnet after the last sweep
 * @param rememberedView view from which the SA responds during the first sweep of a mastership
 * @param addedMembers members that were added to partitions at run time
 */
public record SmStores(
        SubnetMemory memory,
        CableHistory cables,
        RegistrationStore registrations,
        LastState lastState,
        RememberedView rememberedView,
        RunTimePartitionStore addedMembers) {

    /**
     * Creates the stores of a state directory.
     *
     * @param state state directory
     * @param sm loop of the owner thread
     * @param decoder executor that decodes the states from another SM
     * @param portGuid PortGUID of the port of this SM
     */
    public static SmStores open(StateDirectory state, Loop sm, Executor decoder, long portGuid, SmSettings settings) {
        LastState last = new LastState(state, decoder);
        return new SmStores(
                SubnetMemory.of(
                        state, portGuid, () -> settings.options().sweep().mKey(), () -> settings.options()
                                .files()
                                .mKeyLookup()),
                new CableHistory(state),
                new RegistrationStore(
                        state,
                        sm,
                        () -> TimeUnit.MILLISECONDS.toSeconds(sm.timeOfDay().toEpochMilli())),
                last,
                new RememberedView(last::view),
                new RunTimePartitionStore(state, sm));
    }
}
