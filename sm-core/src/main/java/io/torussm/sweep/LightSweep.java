package io.torussm.sweep;

import io.torussm.discovery.Unanswered;
import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.TableProgrammer;
import io.torussm.stage.Plausibility;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/** Asks every switch whether a port changed or its tables are lost, and whether what was silent answers now. One use. */
final class LightSweep {
    private final MadScope scope;
    private final Fabric fabric;
    private final TableProgrammer programmer;
    private final List<DeviceText> described = new ArrayList<>();
    private final Set<Long> changed = new LinkedHashSet<>();
    private final Set<Long> steady = new LinkedHashSet<>();
    private boolean mustSweepAll;
    private boolean isOwnSilent;

    /** What was not told, and is now. */
    private final List<Unanswered> heard = new ArrayList<>();

    /**
     * What came of it.
     *
     * @param described names of what is not as it was; empty if all is well
     * @param changed NodeGUIDs of switches that have to be read again
     * @param steady NodeGUIDs of switches that report nothing
     * @param mustSweepAll whether reading the changed ones again would not do
     * @param heard what was not told before, and was now
     */
    record Result(
            List<DeviceText> described,
            Set<Long> changed,
            Set<Long> steady,
            boolean mustSweepAll,
            List<Unanswered> heard) {
        /** Whether nothing is to be done but for what was not told before. */
        boolean isRetry() {
            return described.size() == heard.size();
        }

        /** Whether all is well. */
        boolean isQuiet() {
            return described.isEmpty();
        }
    }

    private LightSweep(MadScope scope, Fabric fabric, TableProgrammer programmer) {
        this.scope = scope;
        this.fabric = fabric;
        this.programmer = programmer;
    }

    /**
     * Starts; calls back once, on the loop. The scope cancels it.
     *
     * @param silent what devices did not tell, and are to be asked for again
     * @param leased M_KeyProtectBits that hosts are to have; empty if their protection does not run out
     */
    static MadScope start(
            MadClient client,
            Fabric fabric,
            TableProgrammer programmer,
            List<Unanswered> silent,
            OptionalInt leased,
            Consumer<Result> then) {
        LightSweep sweep = new LightSweep(client.scope(), fabric, programmer);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            sweep.askSwitch(sw);
        }
        leased.ifPresent(sweep::askLeaseholders);
        silent.forEach(what -> sweep.askSilent(what.type(), what));
        sweep.scope.whenIdle(() -> then.accept(new Result(
                sweep.described,
                sweep.changed,
                sweep.steady,
                sweep.mustSweepAll || sweep.isOwnSilent && sweep.steady.isEmpty() && sweep.changed.isEmpty(),
                sweep.heard)));
        return sweep.scope;
    }

    private void askSwitch(int sw) {
        long guid = fabric.nodeGuid(sw);
        scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            if (!(outcome instanceof Outcome.Reply<SwitchInfo> reply)) {
                isSilent(sw);
            } else if (reply.value().portStateChange() || !programmer.isAsProgrammed(guid, reply.value())) {
                described.add(fabric.device(sw));
                changed.add(guid);
            } else {
                steady.add(guid);
            }
        });
    }

    /** Without the switch that the SM hangs on the fabric cannot be read: while others answer through it that is not tried. */
    private void isSilent(int sw) {
        described.add(fabric.device(sw));
        isOwnSilent |= sw == fabric.localSwitch();
        mustSweepAll |= sw != fabric.localSwitch();
    }

    /** A host sees no other SMP of this SM for days; without one its protection ends with the lease. */
    private void askLeaseholders(int protectBits) {
        for (int port = 0; port < fabric.portCount(); port++) {
            int asked = port;
            int node = fabric.nodeOf(port);
            if (!fabric.isSwitch(node) && fabric.isEndport(port)) {
                scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {
                    boolean isProtected = outcome instanceof Outcome.Reply<PortInfo> reply
                            && reply.value().get(PortInfo.M_KEY_PROTECT_BITS) == protectBits;
                    if (!isProtected) {
                        mustSweepAll(fabric.devicePort(asked));
                    }
                });
            }
        }
    }

    /** Asks for just what was not told: a sign of life would say nothing of that. */
    private <A extends Attribute<A>> void askSilent(AttributeType<A> type, Unanswered what) {
        scope.get(type, what.path(), what.modifier(), outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply
                    && Plausibility.tells(reply.value(), what.modifier())
                    && what.isNews(reply.value())) {
                heard.add(what);
                mustSweepAll(DeviceText.of("what was silent at the end of route ", what.path()));
            }
        });
    }

    private void mustSweepAll(DeviceText because) {
        described.add(because);
        mustSweepAll = true;
    }
}
