package io.torussm.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.mastership.SilentSm;
import io.torussm.names.Names;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that reads the fabric by directed routes: the whole fabric, or the neighbourhood of some switches. An
 * instance is used once. Owner thread: the loop.
 */
public final class Discovery implements Stage<Discovery.Input, Discovery.DiscoveryResult> {
    /** The remedy for a GUID that two devices share. */
    static final String REMEDY = "unplug it, or give it unique GUIDs";

    private @Nullable Exploration exploration;

    /**
     * The extent of a discovery.
     *
     * @param previousFabric the last fabric, with which responses are compared; null before the first discovery
     * @param isWhole whether to read the whole fabric, and not only some switches of the last fabric
     * @param changedSwitches NodeGUIDs of switches of the last fabric to read again, with their neighbourhoods
     * @param unansweredRequests attributes that devices did not report in the last discovery; requests for them are not
     *     repeated
     * @param names the operator's names of nodes
     */
    public record Input(
            @Nullable Fabric previousFabric,
            boolean isWhole,
            Collection<Long> changedSwitches,
            Collection<UnansweredRequest> unansweredRequests,
            Names names) {
        /** Returns the extent of a discovery of the whole fabric. */
        public static Input ofWholeFabric(@Nullable Fabric last, Collection<UnansweredRequest> silent, Names names) {
            return new Input(last, true, List.of(), silent, names);
        }

        /** Returns the fabric of which only a part is read; null if all of it is read. */
        @Nullable
        Fabric knownFabric() {
            return isWhole ? null : previousFabric;
        }

        /** Returns the extent of a discovery of some switches of a fabric, which keeps its names. */
        public static Input ofSwitches(Fabric known, Collection<Long> changed, Collection<UnansweredRequest> silent) {
            return new Input(known, false, changed, silent, known.names());
        }
    }

    /**
     * The result of a discovery.
     *
     * @param fabric the fabric; null if the local port does not respond or its link is down, or if a switch to be read
     *     again is no longer at its route
     * @param remoteSms other SMs that responded
     * @param silentSms SMs that do not respond although their ports report them
     * @param unansweredRequests missing responses, one for each attribute of a device; if one arrives later, the fabric
     *     has changed
     * @param portStateChanges NodeGUIDs of switches that responded with their SwitchInfo, each with its PortStateChange
     * @param problem reason why there is no fabric; empty if there is one
     */
    public record DiscoveryResult(
            @Nullable Fabric fabric,
            List<DiscoveredSm> remoteSms,
            List<SilentSm> silentSms,
            List<UnansweredRequest> unansweredRequests,
            Map<Long, Boolean> portStateChanges,
            String problem) {}

    @Override
    public Phase phase() {
        return Phase.DISCOVER;
    }

    @Override
    public void start(StageContext context, Input input, Consumer<DiscoveryResult> then) {
        Fabric known = input.knownFabric();
        RequestRepetitions secondLook = new RequestRepetitions(context, input);
        exploration = known == null
                ? Exploration.exploreAll(context, secondLook, input.previousFabric(), input.names(), then)
                : Exploration.exploreSwitches(context, secondLook, known, input.changedSwitches(), then);
    }

    /**
     * Handles the report of a switch that one of its ports changed.
     *
     * @return whether this discovery will include the change, because it has not yet read the switch
     */
    public boolean onPortChange(long switchGuid) {
        return exploration != null && exploration.onPortChange(switchGuid);
    }
}
