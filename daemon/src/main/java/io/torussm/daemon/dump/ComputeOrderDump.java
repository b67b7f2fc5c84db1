package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.io.IOException;

/**
 * The writer of {@code opensm-ftree-ca-order.dump}: LIDs and descriptions of compute nodes in the order of {@code
 * ftree}, with leaves padded to the same length. The file is empty if the engine has no such order.
 */
final class ComputeOrderDump {
    private ComputeOrderDump() {}

    static void hosts(PublishedView view, AsciiWriter text) throws IOException {
        Subnet subnet = view.subnet();
        for (int[] leaf : view.plan().explainer().computeOrder()) {
            for (int lid : leaf) {
                int port = lid == 0 ? Fabric.NONE : subnet.portOfLid(lid);
                if (port == Fabric.NONE) {
                    text.put("0xFFFF\tDUMMY\n");
                } else {
                    Fabric fabric = subnet.fabric();
                    text.put("0x").hex(lid, 4).put('\t');
                    text.putName(fabric.nodeName(fabric.nodeOf(port))).put('\n');
                }
            }
        }
    }
}
