package io.torussm.qos.policy;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.paths.PathPolicy;
import java.util.Objects;

/**
 * A switch, called "core 0/1", with hosts, called "host n", and a router at the last of its ports. The SM is on host
 * 0.
 */
final class SmallSubnet {
    static final int HOSTS = 6;
    static final long SWITCH = 0x100;
    static final long ROUTER = 0x9000;
    static final String PARTITIONS = """
            Default=0x7fff : ALL=full ;
            Storage=0x10 : 0x1001=full, 0x1002=full ;
            Lonely=0x20 : 0x1001=full, 0x1002=limited ;
            """;

    final Fabric fabric;
    final PartitionPlan partitions;

    SmallSubnet() {
        this(PARTITIONS);
    }

    SmallSubnet(String conf) {
        FabricBuilder builder = new FabricBuilder();
        for (int host = 0; host < HOSTS; host++) {
            add(builder, NodeInfo.CHANNEL_ADAPTER, guid(host), "host " + host, 1);
        }
        add(builder, NodeInfo.ROUTER, ROUTER, "router", 1);
        add(builder, NodeInfo.SWITCH, SWITCH, "core 0/1", HOSTS + 1);
        builder.setSwitchInfo(SWITCH, SwitchInfo.TYPE.zero());
        for (int host = 0; host < HOSTS; host++) {
            builder.link(SWITCH, host + 1, guid(host), 1);
        }
        builder.link(SWITCH, HOSTS + 1, ROUTER, 1);
        fabric = builder.build();
        PartitionConf parsed =
                Objects.requireNonNull(PartitionConf.parse("p.conf", conf, true).conf());
        partitions = PartitionPlan.of(
                new PartitionSettings(parsed, PartitionSettings.Enforcement.BOTH, true, false),
                fabric,
                port -> PortKeys.NONE);
    }

    private static void add(FabricBuilder builder, int type, long guid, String name, int portCount) {
        NodeInfo info = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.NODE_TYPE, type)
                .with(NodeInfo.NUM_PORTS, portCount)
                .with(NodeInfo.NODE_GUID, guid)
                .with(NodeInfo.PORT_GUID, guid)
                .with(NodeInfo.PARTITION_CAP, 8)
                .with(NodeInfo.LOCAL_PORT_NUM, 1);
        builder.addNode(info, DrPath.LOCAL);
        builder.setDescription(guid, name);
        for (int portNum = type == NodeInfo.SWITCH ? 0 : 1; portNum <= portCount; portNum++) {
            builder.setPortInfo(guid, portNum, PortInfo.TYPE.zero());
        }
    }

    static long guid(int host) {
        return 0x1000L + host;
    }

    int host(int host) {
        return fabric.port(fabric.nodeByGuid(guid(host)), 1);
    }

    /** Returns the policy of a text without errors. */
    static QosPolicy policy(String text) {
        QosPolicy.Parsed parsed = QosPolicy.parse("qos.conf", text);
        QosPolicy policy = parsed.policy();
        if (policy == null) {
            throw new AssertionError(parsed.findings());
        }
        return policy;
    }

    /** Returns the level that the policy of a text gives to a path. */
    PathPolicy.Level level(String text, PathPolicy.Criteria wish, int from, int to) {
        return resolve(text).choice(wish).level(from, to);
    }

    PolicyOnSubnet resolve(String text) {
        return Objects.requireNonNull(policy(text).on(fabric, partitions));
    }

    /** Returns a request with its ends only. */
    static PathPolicy.Criteria requestWithoutValues() {
        return new PathPolicy.Criteria(false, 0, PathPolicy.Criteria.UNSPECIFIED, PathPolicy.Criteria.UNSPECIFIED);
    }

    static PathPolicy.Criteria requestOfService(long id) {
        return new PathPolicy.Criteria(true, id, PathPolicy.Criteria.UNSPECIFIED, PathPolicy.Criteria.UNSPECIFIED);
    }

    static PathPolicy.Criteria qosClass(int qosClass) {
        return new PathPolicy.Criteria(false, 0, qosClass, PathPolicy.Criteria.UNSPECIFIED);
    }

    static PathPolicy.Criteria pKey(int pKey) {
        return new PathPolicy.Criteria(false, 0, PathPolicy.Criteria.UNSPECIFIED, pKey);
    }
}
