package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mastership.MasterAuthority;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.trap.Traps;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The state of a sweeper on which decisions on traps depend, and the actions that follow. Owner thread: the loop. */
final class TrapEffects implements Traps.Effects {
    /** Max age of a change of a cable that may be the reason of traps. */
    private static final Duration MAX_CHANGE_AGE = Duration.ofSeconds(30);

    private final Sweeper sweeper;
    private final SweepContext parts;
    private final Supplier<MasterAuthority> authority;

    /**
     * Creates the effects of one sweeper.
     *
     * @param authority source of the present authority, which may be replaced
     */
    TrapEffects(Sweeper sweeper, SweepContext parts, Supplier<MasterAuthority> authority) {
        this.sweeper = sweeper;
        this.parts = parts;
        this.authority = authority;
    }

    @Override
    public boolean isMaster() {
        return authority.get().isMaster();
    }

    @Override
    public @Nullable Subnet addressed() {
        return sweeper.addressedSubnet();
    }

    @Override
    public @Nullable PublishedView view() {
        return sweeper.view();
    }

    @Override
    public FabricState state() {
        return sweeper.state();
    }

    @Override
    public boolean mayDisablePorts() {
        return parts.settings().get().disablesBabblers();
    }

    @Override
    public List<CableHistory.Ends> changedCables() {
        Instant since = parts.loop().timeOfDay().minus(MAX_CHANGE_AGE);
        return parts.cables().entries().stream()
                .filter(entry -> entry.kind().isOfCable() && entry.at().isAfter(since))
                .map(CableHistory.Entry::ends)
                .distinct()
                .toList();
    }

    @Override
    public List<CableHistory.Entry> changesOf(CableHistory.Ends cable, Instant since) {
        return parts.cables().entries().stream()
                .filter(entry -> entry.kind().isOfCable()
                        && !entry.at().isBefore(since)
                        && entry.ends().equals(cable))
                .toList();
    }

    @Override
    public Instant timeOfDay() {
        return parts.loop().timeOfDay();
    }

    @Override
    public void onLinkChange(int lid) {
        sweeper.sweepNeighbourhood(lid);
    }

    @Override
    public void onDeviceChange(UnaryOperator<Fabric> change) {
        sweeper.applyReadAttributes(change);
    }

    @Override
    public void onSmChange(DrPath path) {
        authority.get().onSmChange(path);
    }
}
