package io.torussm.sweep;

import io.torussm.discovery.Discovery;
import io.torussm.discovery.Unanswered;
import io.torussm.fabric.Fabric;
import io.torussm.names.Names;
import io.torussm.program.Programmers;
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
 * What a sweep reads before it plans: the whole fabric, or what is around some of its switches. It knows which switches those are, which
 * of them may have restarted, and whether silence leaves the fabric in doubt. One use. Owner thread: the loop.
 */
final class FabricReading {
    private final StageRunner stages;
    private final Programmers programmers;
    private final Known known;

    /** NodeGUIDs of switches that it was to read, or did. */
    private final Set<Long> switches = new LinkedHashSet<>();

    /** NodeGUIDs of switches that say that a port changed since they were asked last, as they do after a restart. */
    private final Set<Long> mayHaveRestarted = new HashSet<>();

    /** While it reads. */
    private @Nullable Discovery discovery;

    private boolean isInDoubt;

    /** @param known before the sweep */
    FabricReading(StageRunner stages, Programmers programmers, Known known) {
        this.stages = stages;
        this.programmers = programmers;
        this.known = known;
    }

    /** Reads all; calls back once, with a fabric that shares what did not change with the one before. */
    void readAll(Names names, Consumer<Discovery.Result> then) {
        Fabric before = known.fabric();
        PublishedView published = known.view();
        Fabric last = before == null && published != null ? published.subnet().fabric() : before;
        discover(Discovery.Input.all(last, known.silent(), names), found -> {
            Fabric read = found.fabric();
            then.accept(read == null || before == null ? found : with(found, read.sharing(before), found.silent()));
        });
    }

    /**
     * Reads some switches of a fabric again; calls back once, with the silence of all devices, not only of those that were asked.
     *
     * @param changed NodeGUIDs
     */
    void readAround(Fabric fabric, Collection<Long> changed, Consumer<Discovery.Result> then) {
        switches.addAll(changed);
        discover(Discovery.Input.around(fabric, changed, known.silent()), found -> {
            Fabric read = found.fabric();
            then.accept(read == null ? found : with(found, read, allSilent(found.silent())));
        });
    }

    private void discover(Discovery.Input input, Consumer<Discovery.Result> then) {
        Discovery stage = new Discovery();
        discovery = stage;
        stages.run(stage, input, found -> {
            discovery = null;
            if (found.fabric() != null) {
                heard(found.read());
            }
            then.accept(found);
        });
    }

    private void heard(Map<Long, Boolean> read) {
        switches.addAll(read.keySet());
        read.forEach((guid, hasChanged) -> {
            if (hasChanged) {
                mayHaveRestarted.add(guid);
                programmers.changed(guid);
            }
            programmers.steady(guid);
        });
    }

    private List<Unanswered> allSilent(List<Unanswered> here) {
        List<Unanswered> all = new ArrayList<>(known.silent());
        List<Unanswered> others =
                here.stream().filter(what -> !all.contains(what)).toList();
        all.addAll(others);
        isInDoubt = known.left().isInDoubt() || others.stream().anyMatch(Unanswered::isSilence);
        return all;
    }

    private static Discovery.Result with(Discovery.Result found, Fabric fabric, List<Unanswered> silent) {
        return new Discovery.Result(
                fabric, found.remoteSms(), found.silentSms(), silent, found.read(), found.problem());
    }

    /**
     * A switch reports a change.
     *
     * @return whether it will be seen, because the switch is not read yet
     */
    boolean notice(long switchGuid) {
        boolean isSeen = discovery != null && discovery.notice(switchGuid);
        if (isSeen) {
            switches.add(switchGuid);
        }
        return isSeen;
    }

    /** Whether something is still being read. */
    boolean isRunning() {
        return discovery != null;
    }

    /** NodeGUIDs of the switches that it was to read, or did. */
    Set<Long> switches() {
        return switches;
    }

    /** NodeGUIDs of switches that reported with their SwitchInfo that a port changed. */
    Set<Long> switchesWithChanges() {
        return new LinkedHashSet<>(mayHaveRestarted);
    }

    /** Whether a switch may have restarted since it was read before. */
    boolean mayHaveRestarted(long switchGuid) {
        return mayHaveRestarted.contains(switchGuid);
    }

    /** Whether something was silent that nobody knew to be, while only a part was read: in this sweep or since the last whole one. */
    boolean isInDoubt() {
        return isInDoubt;
    }
}
