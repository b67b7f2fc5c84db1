package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.planning.OfflineRouting;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.paths.PathPolicy;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.Plan;
import io.torussm.sa.PathsAlone;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.subnet.Subnet;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The SL and the limits of the paths between all hosts of a 4x3x5 torus under a policy file. */
class QosPolicyPathTest {
    private static final ComponentMask C = PathRecord.COMPONENTS;
    private static final int LEVEL = 8;
    private static final int STORAGE = 9;
    private static final Field[] SERVICE = {PathRecord.SERVICE_ID_8, PathRecord.SERVICE_ID_56};

    private static final String POLICY = """
        port-groups
          port-group
            name: Servers
            pkey: 0x10
          end-port-group
        end-port-groups
        qos-levels
          qos-level
            name: DEFAULT
            sl: 0
          end-qos-level
          qos-level
            name: Storage
            sl: 9
            mtu-limit: 3
            rate-limit: 3
            packet-life: 16
          end-qos-level
        end-qos-levels
        qos-match-rules
          qos-match-rule
            qos-class: 5-6
            destination: Servers
            qos-level-name: Storage
          end-qos-match-rule
        end-qos-match-rules
        qos-ulps
          any, service-id 0x1060cbc : 8
          any, pkey 0x10 : 8
        end-qos-ulps
        """;

    private byte[] answer = {};
    private PublishedView view = Views.twoSwitches();
    private SubnetAdministrator sa = administrator(PathPolicy.NONE);
    private int[] hosts = {};

    @BeforeEach
    void setUp() throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> overrides = new TreeMap<>();
        overrides.put(Settings.SIMULATE, new Configuration.CommandLineValue("--test", "torus:4x3x5"));
        overrides.put(Settings.QOS, new Configuration.CommandLineValue("--test", "true"));
        PublishedView open = Objects.requireNonNull(
                OfflineRouting.route(Configuration.read(null, overrides)).view());
        Fabric fabric = open.subnet().fabric();
        hosts = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .toArray();
        view = ViewDraft.of(open).partitions(partitions(fabric)).qos().sweep(1).build();
        sa = administrator(
                Objects.requireNonNull(QosPolicy.parse("qos.conf", POLICY).policy()));
    }

    @Test
    void anUnlabelledRequestGetsTheDefaultLevel() {
        assertPaths((from, to) -> 0, new Field[] {});
    }

    @Test
    void aServiceHasItsLevel() {
        assertPaths((from, to) -> LEVEL, SERVICE, 0, 0x106_0cbc);
        assertPaths((from, to) -> 0, SERVICE, 0, 0x106_0cbd);
    }

    @Test
    void aQosClassHasItsLevelTowardsTheServers() {
        assertPaths((from, to) -> isServer(to) ? STORAGE : 0, new Field[] {PathRecord.QOS_CLASS}, 6);
        assertPaths((from, to) -> 0, new Field[] {PathRecord.QOS_CLASS}, 7);
    }

    @Test
    void aPartitionHasItsLevel() {
        Field[] pKey = {PathRecord.P_KEY};
        assertThat(status(request(0, 3, pKey, 0x8010))).isZero();
        assertThat(PathRecord.SL.get(answer, SaMad.DATA_OFFSET) & LEVEL).isEqualTo(LEVEL);
        assertThat(status(request(0, 3, pKey, 0xffff))).isZero();
        assertThat(PathRecord.SL.get(answer, SaMad.DATA_OFFSET) & LEVEL).isZero();
        assertThat(status(request(0, 4, pKey, 0x8010))).as("not in it").isEqualTo(MadStatus.SA_NO_RECORDS);
    }

    @Test
    void noRequesterGetsTheOtherLevelByNamingItsSl() {
        Field[] sl = {PathRecord.SL};
        Field[] slOfService = {PathRecord.SERVICE_ID_8, PathRecord.SERVICE_ID_56, PathRecord.SL};
        for (int to = 1; to < hosts.length; to++) {
            int granted = view.plan()
                    .pathSl(view.subnet().lid(hosts[0]), view.subnet().lid(hosts[to]), 0);
            assertThat(status(request(0, to, sl, granted))).isZero();
            assertThat(status(request(0, to, sl, granted | LEVEL))).isEqualTo(MadStatus.SA_NO_RECORDS);
            assertThat(status(request(0, to, slOfService, 0, 0x106_0cbc, granted | LEVEL)))
                    .isZero();
            assertThat(status(request(0, to, slOfService, 0, 0x106_0cbc, granted)))
                    .isEqualTo(MadStatus.SA_NO_RECORDS);
        }
    }

    @Test
    void aPathThatALevelForbidsIsNone() {
        Field[] fields = {PathRecord.QOS_CLASS, PathRecord.MTU_SELECTOR, PathRecord.MTU};
        assertThat(status(request(1, 0, fields, 5, PathRecord.EXACTLY, 4))).isEqualTo(MadStatus.SA_NO_RECORDS);
        assertThat(status(request(0, 1, fields, 5, PathRecord.EXACTLY, 4)))
                .as("no server")
                .isZero();
    }

    private SubnetAdministrator administrator(PathPolicy policy) {
        return PathsAlone.administrator(() -> view, policy, frame -> answer = frame.mad(), Runnable::run);
    }

    /** Returns partitions: each host is in the default partition, and every third host in 0x10 as well. */
    private PartitionPlan partitions(Fabric fabric) {
        StringBuilder text = new StringBuilder("Default=0x7fff : ALL=full ; Storage=0x10 :");
        for (int i = 0; i < hosts.length; i += 3) {
            text.append(i == 0 ? "" : ",").append("0x%016x=full".formatted(fabric.portGuid(hosts[i])));
        }
        PartitionConf conf = Objects.requireNonNull(
                PartitionConf.parse("p.conf", text.append(" ;").toString(), true)
                        .conf());
        return PartitionPlan.of(
                new PartitionSettings(conf, PartitionSettings.Enforcement.BOTH, true, false),
                fabric,
                port -> PortKeys.NONE);
    }

    private boolean isServer(int host) {
        return host % 3 == 0;
    }

    /** Returns a request for the path between two hosts, with additional components. */
    private byte[] request(int from, int to, Field[] fields, long... values) {
        Subnet subnet = view.subnet();
        byte[] mad = SaMad.request(Method.GET, 1, PathRecord.TYPE.id(), 0, 0);
        long mask = C.bit(PathRecord.SLID) | C.bit(PathRecord.DLID);
        PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, subnet.lid(hosts[from]));
        PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, subnet.lid(hosts[to]));
        for (int i = 0; i < fields.length; i++) {
            fields[i].set(mad, SaMad.DATA_OFFSET, values[i]);
            mask |= C.bit(fields[i]);
        }
        SaMad.COMPONENT_MASK.set(mad, 0, mask);
        return mad;
    }

    private int status(byte[] request) {
        sa.onMad(new MadFrame(new MadAddress(view.subnet().smLid(), 1, 0, 0), request));
        return MadHeader.status(answer);
    }

    /** Asks for all pairs; a path has to have the plan's SL for a level, and be limited as the level says. */
    private void assertPaths(IntBinaryOperator levelOf, Field[] fields, long... values) {
        Subnet subnet = view.subnet();
        Plan plan = view.plan();
        for (int from = 0; from < hosts.length; from++) {
            for (int to = 0; to < hosts.length; to++) {
                assertThat(status(request(from, to, fields, values))).isZero();
                PathRecord path = PathRecord.TYPE.read(answer, SaMad.DATA_OFFSET);
                int level = levelOf.applyAsInt(from, to);
                int proved = plan.slMask(subnet.fabric().switchOf(hosts[from]), subnet.lid(hosts[to]));
                assertThat(path.sl())
                        .isEqualTo(plan.pathSl(subnet.lid(hosts[from]), subnet.lid(hosts[to]), level & LEVEL));
                assertThat(proved >> path.sl() & 1).as("proved").isEqualTo(1);
                assertThat(path.sl() & LEVEL).isEqualTo(level & LEVEL);
                boolean isLimited = level == STORAGE;
                assertThat(path.mtu() <= 3).isEqualTo(isLimited);
                assertThat(path.rate() == 3).isEqualTo(isLimited);
                assertThat(path.get(PathRecord.PACKET_LIFE_TIME))
                        .isEqualTo(from == to ? 0 : isLimited ? 16 : view.subnetTimeout());
                assertThat(path.get(PathRecord.REVERSIBLE)).isEqualTo(1);
            }
        }
    }
}
