package io.torussm.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import org.junit.jupiter.api.Test;

/** A port by NodeGUID and port number, found in fabrics in which its index differs. */
class NodePortTest {
    private static final long SWITCH = 0x20;

    @Test
    void isTheSamePortInAnotherFabric() {
        Fabric small = switches(SWITCH);
        Fabric large = switches(0x10, SWITCH);

        NodePort port = small.nodePort(small.port(0, 3));

        assertThat(port).isEqualTo(new NodePort(SWITCH, 3)).hasSameHashCodeAs(new NodePort(SWITCH, 3));
        assertThat(large.port(port)).isEqualTo(large.port(1, 3));
    }

    @Test
    void isNoneWhereTheNodeIsMissingOrHasFewerPorts() {
        Fabric fabric = switches(0x10, SWITCH);

        assertThat(fabric.port(new NodePort(0x30, 1))).isEqualTo(Fabric.NONE);
        assertThat(fabric.port(new NodePort(0x10, 5))).isEqualTo(Fabric.NONE);
    }

    private static Fabric switches(long... guids) {
        FabricBuilder builder = new FabricBuilder();
        for (long guid : guids) {
            builder.addNode(
                    NodeInfo.TYPE
                            .zero()
                            .with(NodeInfo.NODE_TYPE, NodeInfo.SWITCH)
                            .with(NodeInfo.NUM_PORTS, 4)
                            .with(NodeInfo.NODE_GUID, guid),
                    DrPath.LOCAL);
        }
        return builder.build();
    }
}
