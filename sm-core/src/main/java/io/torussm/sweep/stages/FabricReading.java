package io.torussm.sweep.stages;

import io.torussm.discovery.Discovery;
import io.torussm.discovery.UnansweredRequest;
import io.torussm.fabric.Fabric;
import io.torussm.names.Names;
import io.torussm.program.Programmers;
import io.torussm.sweep.state.SweepState;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The discovery of a sweep: the whole fabric, or the neighbourhood of some switches. It records the switches that it
 * reads, the switches that may have restarted, and whether unanswered requests leave the fabric in doubt. An instance
 * is used once. Owner thread: the loop.
 */
public final class FabricReading {
    private final StageRunner stages;
    private final Programmers programmers;
    private final SweepState sweepState;
    private final Consumer<List<RestartedSwitch>> onRestart;

    /** NodeGUIDs of switches that this discovery read or has to read. */
    private final Set<Long> switches = new LinkedHashSet<>();

    /** NodeGUIDs of switches that report a port change since the last read, as they do after a restart. */
    private final Set<Long> mayHaveRestarted = new HashSet<>();

    /** The discovery in progress; null before and after it. */
    private @Nullable Discovery discovery;

    private boolean isInDoubt;

    /**
     * Creates the reading.
     *
     * @param known the state before the sweep
     * @param restarted receives the switches that restarted since the last read, after each read
     */
    public FabricReading(
            StageRunner stages, Programmers programmers, SweepState known, Consumer<List<RestartedSwitch>> restarted) {
        this.stages = stages;
        this.programmers = programmers;
        this.sweepState = known;
        this.onRestart = restarted;
    }

    /**
     * Reads the whole fabric.
     *
     * @param completion callback, called once; its fabric shares unchanged parts with the previous fabric
     */
    public void readAll(Names names, Consumer<Discovery.DiscoveryResult> completion) {
        Fabric previousFabric = sweepState.fabric();
        PublishedView published = sweepState.view();
        Fabric previousOrPublished =
                previousFabric == null && published != null ? published.subnet().fabric() : previousFabric;
        discover(Discovery.Input.ofWholeFabric(previousOrPublished, sweepState.unansweredRequests(), names), found -> {
            Fabric read = found.fabric();
            completion.accept(
                    read == null || previousFabric == null
                            ? found
                            : with(found, read.sharing(previousFabric), found.unansweredRequests()));
        });
    }

    /**
     * Reads some switches of a fabric again.
     *
     * @param changed NodeGUIDs of the switches
     * @param completion callback, called once; its unanswered requests include earlier ones to devices not read
     */
    public void readSwitches(Fabric fabric, Collection<Long> changed, Consumer<Discovery.DiscoveryResult> completion) {
        switches.addAll(changed);
        discover(Discovery.Input.ofSwitches(fabric, changed, sweepState.unansweredRequests()), found -> {
            Fabric read = found.fabric();
            completion.accept(read == null ? found : with(found, read, allUnanswered(found.unansweredRequests())));
        });
    }

    private void discover(Discovery.Input input, Consumer<Discovery.DiscoveryResult> completion) {
        Discovery stage = new Discovery();
        discovery = stage;
        stages.run(stage, input, found -> {
            discovery = null;
            Fabric read = found.fabric();
            if (read != null) {
                onSwitchesRead(found.portStateChanges());
                onRestart.accept(RestartedSwitches.of(sweepState, read));
            }
            completion.accept(found);
        });
    }

    /**
     * Handles the switches that were read.
     *
     * @param read whether the switch reports a port change, by NodeGUID
     */
    private void onSwitchesRead(Map<Long, Boolean> read) {
        switches.addAll(read.keySet());
        read.forEach((guid, hasChanged) -> {
            if (hasChanged) {
                mayHaveRestarted.add(guid);
                programmers.onPortChange(guid);
            }
            programmers.onSwitchRead(guid);
        });
    }

    private List<UnansweredRequest> allUnanswered(List<UnansweredRequest> newlySilent) {
        List<UnansweredRequest> all = new ArrayList<>(sweepState.unansweredRequests());
        List<UnansweredRequest> others =
                newlySilent.stream().filter(request -> !all.contains(request)).toList();
        all.addAll(others);
        isInDoubt = sweepState.openWork().isInDoubt() || others.stream().anyMatch(UnansweredRequest::isSilence);
        return all;
    }

    private static Discovery.DiscoveryResult with(
            Discovery.DiscoveryResult found, Fabric fabric, List<UnansweredRequest> silent) {
        return new Discovery.DiscoveryResult(
                fabric, found.remoteSms(), found.silentSms(), silent, found.portStateChanges(), found.problem());
    }

    /**
     * Handles a change that a switch reports.
     *
     * @return whether this sweep covers the change, because the switch is not read yet
     */
    public boolean onPortChange(long switchGuid) {
        boolean isSeen = discovery != null && discovery.onPortChange(switchGuid);
        if (isSeen) {
            switches.add(switchGuid);
        }
        return isSeen;
    }

    /** Checks whether the reading is in progress. */
    public boolean isRunning() {
        return discovery != null;
    }

    /** Returns the NodeGUIDs of the switches that this discovery read or has to read. */
    public Set<Long> switches() {
        return switches;
    }

    /** Returns the NodeGUIDs of switches that reported a port change in SwitchInfo. */
    public Set<Long> switchesWithChanges() {
        return new LinkedHashSet<>(mayHaveRestarted);
    }

    /** Checks whether a switch may have restarted since the last read. */
    public boolean mayHaveRestarted(long switchGuid) {
        return mayHaveRestarted.contains(switchGuid);
    }

    /**
     * Checks whether local sweeps since the last whole one, this sweep included, have new unanswered requests.
     */
    public boolean isInDoubt() {
        return isInDoubt;
    }
}
