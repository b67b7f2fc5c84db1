package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.FabricFilter.DataVls;
import io.torussm.torus2qos.Torus2QosConf.Parsed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The torus-2QoS routing engine. Each run starts from nothing: the result depends on the configuration file, the cabling,
 * the LIDs and the options, not on earlier runs. Thread-safe.
 */
public final class Torus2QosEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "torus-2QoS";

    private final Parsed parsed;
    private final int threads;
    private final boolean acceptsUnplaced;

    /**
     * An engine on all processors.
     *
     * @param parsed its configuration; if it has errors, every run is refused with them
     */
    public Torus2QosEngine(Parsed parsed) {
        this(parsed, Runtime.getRuntime().availableProcessors(), false);
    }

    /**
     * An engine on some threads.
     *
     * @param threads at least 1; the result does not depend on it
     */
    public Torus2QosEngine(Parsed parsed, int threads) {
        this(parsed, threads, false);
    }

    /**
     * An engine that can be told to do without switches of the torus, as OpenSM does.
     *
     * @param threads at least 1; the result does not depend on it
     * @param acceptsUnplaced what to do where a switch may be the one that is missing at some position, but lacks the
     *     cables by which OpenSM would place it: true to route without it and its hosts, exactly as OpenSM does; false to
     *     place it if two cables say where, else to refuse
     */
    public Torus2QosEngine(Parsed parsed, int threads, boolean acceptsUnplaced) {
        if (threads < 1) {
            throw new IllegalArgumentException("cannot route on " + threads + " threads");
        }
        this.parsed = parsed;
        this.threads = threads;
        this.acceptsUnplaced = acceptsUnplaced;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RoutingResult route(Subnet subnet, RoutingOptions options) {
        List<Finding> findings = new ArrayList<>();
        if (!options.qos()) {
            findings.add(SmEvent.TORUS_QOS_MISSING.says(
                    "torus-2QoS needs QoS, since its SLs and SL2VL tables keep the fabric free of "
                            + "credit loops; start with -Q, or set qos = true"));
        }
        findings.addAll(parsed.findings());
        if (parsed.draft() != null) {
            findings.addAll(SeedAdvice.proposals(subnet.fabric(), parsed.draft()));
        }
        Torus2QosConf conf = parsed.conf();
        if (conf == null || refuses(findings)) {
            return new Refusal(NAME, findings);
        }
        return route(subnet, options, conf, findings);
    }

    private RoutingResult route(Subnet subnet, RoutingOptions options, Torus2QosConf conf, List<Finding> findings) {
        Fabric fabric = subnet.fabric();
        DataVls switchVls = FabricFilter.switchLinkVls(fabric, options.maxOpVls());
        DataVls endportVls = FabricFilter.endportVls(fabric, options.maxOpVls());
        checkVls(fabric, switchVls, endportVls, options, findings);
        checkPortOrder(fabric, conf, findings);
        Torus torus = place(fabric, conf, findings);
        if (torus == null) {
            return new Refusal(NAME, findings);
        }
        TorusCheck check = new TorusCheck(torus);
        findings.addAll(check.findings());
        if (refuses(findings)) {
            return new Refusal(NAME, findings);
        }
        TorusRoutes routes = new TorusRoutes(torus, subnet, conf);
        findings.addAll(routes.unroutable());
        if (refuses(findings)) {
            return new Refusal(NAME, findings);
        }
        findings.add(
                SmEvent.TORUS_BUILT.says("built " + conf.describe() + " with " + torus.slots() + " switches, data VLs: "
                        + switchVls.count() + " between switches, " + endportVls.count() + " at end ports"));
        return new TorusPlan(
                torus,
                subnet,
                routes.tables(threads),
                new TorusSl(torus, routes.destinations().slotOfLid),
                new TorusSl2Vl(switchVls.count(), endportVls.count()),
                conf.maxChanges(),
                check.doubts(switchVls.count()),
                findings);
    }

    private static void checkVls(
            Fabric fabric, DataVls switchVls, DataVls endportVls, RoutingOptions options, List<Finding> findings) {
        int count = switchVls.count();
        String which = fewVls(fabric, switchVls, options);
        if (count < 2) {
            findings.add(SmEvent.TORUS_FEW_VLS.says(
                    "torus-2QoS needs at least 2 data VLs on links between switches, 8 for all it can do; " + which));
        } else if (count < 4) {
            findings.add(SmEvent.TORUS_FEWER_VLS.says(
                    "with fewer than 4 data VLs on links between switches the failure of a switch "
                            + "can cause credit loops, and there is one QoS level only; " + which));
        } else if (count < 8) {
            findings.add(SmEvent.TORUS_FEWER_VLS.says(
                    "with fewer than 8 data VLs on links between switches there is one QoS level only; " + which));
        }
        if (endportVls.count() < 2) {
            findings.add(SmEvent.TORUS_FEWER_VLS.says(
                    "with fewer than 2 data VLs at end ports the two QoS levels share a VL there; "
                            + fewVls(fabric, endportVls, options)));
        }
    }

    private static String fewVls(Fabric fabric, DataVls vls, RoutingOptions options) {
        return vls.port() == Fabric.NONE
                ? ""
                : fabric.portName(vls.port()) + " has " + vls.count() + " (max_op_vls = " + options.maxOpVls() + ")";
    }

    /** Every port that port_order names must exist on every switch: in the first places there are no other numbers. */
    private static void checkPortOrder(Fabric fabric, Torus2QosConf conf, List<Finding> findings) {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int ports = fabric.numPorts(sw) + 1;
            for (int i = 0; i < Math.min(ports, Torus2QosConf.PORT_ORDER_LENGTH); i++) {
                if (conf.portOrder(i) >= ports) {
                    findings.add(SmEvent.TORUS_CONF_ERROR.says(conf.at(conf.portOrderLine()) + "port_order names port "
                            + conf.portOrder(i) + ", but " + fabric.name(sw) + " has ports 1 to " + (ports - 1)
                            + " only; name ports that every switch has"));
                    return;
                }
            }
        }
    }

    /**
     * Finds the place of every switch.
     *
     * @param findings takes what is to say, errors where null is returned or the torus must not be used
     * @return null if the fabric and the file cannot belong together
     */
    @Nullable
    Torus place(Fabric fabric, Torus2QosConf conf, List<Finding> findings) {
        return new Placement(fabric, conf, acceptsUnplaced).place(findings);
    }

    private static boolean refuses(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    }
}
