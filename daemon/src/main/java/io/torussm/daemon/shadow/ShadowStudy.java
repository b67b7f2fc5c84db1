package io.torussm.daemon.shadow;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.SmInfo;
import io.torussm.names.Names;
import io.torussm.proof.FabricProof;
import io.torussm.routing.Plan;
import io.torussm.shadow.HeldRoutes;
import io.torussm.shadow.PathSampler;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Manager;
import io.torussm.snapshot.SnapshotDifference;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The analysis of a reading of a fabric: the proof of the programmed tables, and the simulation of a takeover. It
 * depends only on its parameters and on the files that the options name. It takes as long as the computations at the
 * start of an SM.
 *
 * @param proof proof of the programmed tables
 * @param takeover changes by a takeover of this SM
 * @param paths comparison of the SLs of this SM with those of the SA of the master; null if the SA was not queried
 */
public record ShadowStudy(
        ShadowReport.Proof proof, ShadowReport.Takeover takeover, ShadowReport.@Nullable Paths paths) {
    private static final int MAX_DIFFERING = 20;

    /**
     * The responses of the SA of the master.
     *
     * @param asked number of requested paths
     * @param answers responses; an SL is negative if the SA granted no path
     */
    public record PathGrants(int asked, List<PathSampler.Answer> answers) {
        /** No responses, because the SA was not queried. */
        public static final PathGrants NOT_QUERIED = new PathGrants(0, List.of());

        public PathGrants {
            answers = List.copyOf(answers);
        }

        private List<PathSampler.Answer> granted() {
            return answers.stream().filter(answer -> answer.sl() >= 0).toList();
        }
    }

    /**
     * Analyses a reading.
     *
     * @param seen fabric that was read
     * @param granted responses of the SA of the master
     * @param start options and stored state with which this SM takes over
     * @param names configured names of nodes
     */
    public static ShadowStudy of(FabricSnapshot seen, PathGrants granted, VirtualSm.Start start, Names names) {
        DifferenceTexts texts = DifferenceTexts.ofTables(seen, names);
        ShadowReport.Takeover takeover;
        Plan plan = null;
        try (TakeoverTrial trial = TakeoverTrial.of(seen, start)) {
            PublishedView view = trial.view();
            plan = view == null ? null : view.plan();
            takeover = takeover(trial, plan, texts);
        } catch (ConfigurationException | TopologyException e) {
            takeover = failed(String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            takeover = failed("it cannot be tried: " + e.getMessage());
        }
        return new ShadowStudy(proof(seen, granted, plan, names), takeover, paths(granted, plan, texts, seen));
    }

    private static ShadowReport.Takeover failed(String reason) {
        return new ShadowReport.Takeover(
                reason, "", 0, 0, Map.of(), Map.of(), Map.of(), List.of(), List.of(), List.of());
    }

    private static ShadowReport.Takeover takeover(TakeoverTrial trial, @Nullable Plan plan, DifferenceTexts texts) {
        TakeoverTrial.Outcome outcome = trial.outcome();
        SnapshotDifference difference = outcome.difference();
        return new ShadowReport.Takeover(
                outcome.outcome(),
                plan == null ? "" : plan.engine(),
                TimeUnit.NANOSECONDS.toMillis(outcome.nanoseconds()),
                trial.sets(),
                DifferenceTexts.tableCounts(difference.counts()),
                difference.settings(),
                DifferenceTexts.unavoidableCounts(difference.counts()),
                texts.devices(difference),
                texts.examples(difference),
                trial.findings());
    }

    private static ShadowReport.Proof proof(FabricSnapshot seen, PathGrants granted, @Nullable Plan plan, Names names) {
        Sls sls = Sls.of(granted, plan);
        HeldRoutes.ConvertedTables held = HeldRoutes.of(seen, names, sls.source);
        FabricProof proof = FabricProof.of(held.tables());
        List<ShadowReport.Verdict> verdicts =
                proof.verdicts().stream().map(ShadowStudy::verdict).toList();
        List<String> losses = proof.losses().stream()
                .map(loss ->
                        loss.source() + " to " + loss.destination() + " (LID " + loss.dlid() + "): " + loss.reason())
                .toList();
        return new ShadowReport.Proof(
                sls.text,
                verdicts,
                proof.paths(),
                proof.lost(),
                proof.lostWithSwitches(),
                losses,
                proof.groupFaults(),
                held.contradictions());
    }

    private static ShadowReport.Verdict verdict(FabricProof.NamedVerdict named) {
        FabricProof.Verdict verdict = named.verdict();
        return verdict == null
                ? new ShadowReport.Verdict(named.packets(), false, 0, 0, List.of())
                : new ShadowReport.Verdict(
                        named.packets(),
                        true,
                        verdict.channels(),
                        verdict.dependencies(),
                        verdict.circle().stream()
                                .map(wait -> wait.channel() + ", held by packets from " + wait.source() + " to "
                                        + wait.destination() + " with SL " + wait.sl())
                                .toList());
    }

    /**
     * The SLs with which hosts send, for the proof.
     *
     * @param source SL by source and destination LID
     * @param text description of the SLs for operators
     */
    private record Sls(HeldRoutes.Sls source, String text) {
        static Sls of(PathGrants granted, @Nullable Plan plan) {
            List<PathSampler.Answer> answers = granted.granted();
            long same = plan == null
                    ? 0
                    : answers.stream().filter(answer -> isSame(answer, plan)).count();
            Optional<Integer> only = onlySl(answers);
            if (plan != null && same == answers.size()) {
                String asked = answers.isEmpty()
                        ? "; the grants of the master's SA are unknown"
                        : ", which agrees with all " + same + " that the master's SA granted";
                return new Sls((slid, dlid) -> plan.pathSl(slid, dlid, 0), "SLs that this SM would grant" + asked);
            } else if (only.isPresent()) {
                return new Sls(
                        HeldRoutes.Sls.constant(only.get()),
                        "SL " + only.get() + ", as the master's SA granted to all " + answers.size()
                                + " that it was asked");
            } else if (plan != null) {
                return new Sls(
                        (slid, dlid) -> plan.pathSl(slid, dlid, 0),
                        "SLs that this SM would grant, though the master's SA grants others to "
                                + (answers.size() - same) + " of " + answers.size());
            }
            return new Sls(HeldRoutes.Sls.constant(0), "SL 0, since the SLs are unknown");
        }

        private static Optional<Integer> onlySl(List<PathSampler.Answer> answers) {
            List<Integer> sls =
                    answers.stream().map(PathSampler.Answer::sl).distinct().toList();
            return sls.size() == 1 ? Optional.of(sls.get(0)) : Optional.empty();
        }
    }

    private static boolean isSame(PathSampler.Answer answer, Plan plan) {
        return plan.pathSl(answer.slid(), answer.dlid(), 0) == answer.sl();
    }

    private static ShadowReport.@Nullable Paths paths(
            PathGrants granted, @Nullable Plan plan, DifferenceTexts texts, FabricSnapshot seen) {
        if (granted.asked == 0) {
            return null;
        }
        List<PathSampler.Answer> answers = granted.granted();
        List<PathSampler.Answer> others = answers.stream()
                .filter(answer -> plan == null || !isSame(answer, plan))
                .toList();
        Map<Integer, Long> owners = ShadowPairs.owners(seen);
        List<String> differing = others.stream()
                .limit(MAX_DIFFERING)
                .map(answer -> name(answer.slid(), owners, texts) + " to " + name(answer.dlid(), owners, texts)
                        + ": SL " + answer.sl()
                        + (plan == null ? "" : ", this SM: SL " + plan.pathSl(answer.slid(), answer.dlid(), 0)))
                .toList();
        return new ShadowReport.Paths(granted.asked, answers.size(), answers.size() - others.size(), differing);
    }

    private static String name(int lid, Map<Integer, Long> owners, DifferenceTexts texts) {
        Long guid = owners.get(lid);
        return guid == null ? "LID " + lid : texts.device(guid);
    }

    /** Simulates the response of this SM to a change of cables and devices. */
    static ShadowReport.Response response(FabricSnapshot previous, FabricSnapshot after, VirtualSm.Start start) {
        try {
            TakeoverTrial.Outcome own = TakeoverTrial.ofFault(previous, after, start);
            return new ShadowReport.Response(
                    own.outcome(),
                    TimeUnit.NANOSECONDS.toMillis(own.nanoseconds()),
                    DifferenceTexts.tableCounts(own.difference().counts()));
        } catch (ConfigurationException | TopologyException | IllegalStateException e) {
            return new ShadowReport.Response("it cannot be tried: " + e.getMessage(), 0, Map.of());
        }
    }

    /** Counts the devices, cables and registers of a snapshot. */
    public static ShadowReport.Read read(FabricSnapshot seen) {
        int switches = (int) seen.devices().values().stream()
                .filter(DeviceRegisters::isSwitch)
                .count();
        int unreadable = seen.devices().values().stream()
                .mapToInt(device -> device.failures().size())
                .sum();
        return new ShadowReport.Read(
                switches, seen.devices().size() - switches, seen.cables().size(), seen.registers(), unreadable);
    }

    /** Returns the subnet managers of a snapshot, the master first. */
    public static List<ShadowReport.Manager> managers(FabricSnapshot seen, Names names) {
        List<ShadowReport.Manager> managers = new ArrayList<>();
        for (int state = SmInfo.MASTER; state >= SmInfo.NOT_ACTIVE; state--) {
            for (Manager manager : seen.managers()) {
                if (manager.state() == state) {
                    managers.add(new ShadowReport.Manager(
                            Guid.format(manager.portGuid()),
                            host(seen, names, manager.portGuid()),
                            manager.lid(),
                            manager.priority(),
                            stateText(state)));
                }
            }
        }
        return managers;
    }

    private static String host(FabricSnapshot seen, Names names, long portGuid) {
        return seen.devices().values().stream()
                .filter(device -> device.endports().anyMatch(portNum -> device.portGuid(portNum) == portGuid))
                .map(device -> names.of(device.guid(), device.description()))
                .findFirst()
                .orElse("");
    }

    private static String stateText(int state) {
        return switch (state) {
            case SmInfo.MASTER -> "master";
            case SmInfo.STANDBY -> "standby";
            case SmInfo.DISCOVERING -> "discovering";
            default -> "not active";
        };
    }
}
