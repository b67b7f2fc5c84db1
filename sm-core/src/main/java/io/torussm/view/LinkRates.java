package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Neighbors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The active widths and speeds of links of a fabric in words, such as "4x EDR". */
public final class LinkRates {
    private final Fabric fabric;

    /** Creates the rates of the links of a fabric. */
    public LinkRates(Fabric fabric) {
        this.fabric = fabric;
    }

    /** Returns ", at" and the rate of the link at a port (by index); empty if it is not known. */
    public String at(int port) {
        String rate = rate(port);
        return rate.isEmpty() ? "" : ", at " + rate;
    }

    private String rate(int port) {
        PortInfo info = fabric.portInfo(port);
        String width = info == null ? "" : info.widthText("");
        String speed =
                info == null ? "" : LinkSpeed.of(info).map(LinkSpeed::name).orElse("");
        return width.isEmpty() || speed.isEmpty() ? "" : width + " " + speed;
    }

    /** Returns ", at" and the rates of the cables of a loss that has returned; empty if none is known. */
    String at(Loss returned) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (LostCable cable : returned.cables()) {
            int port = port(cable.near().port());
            String rate = port == Fabric.NONE ? "" : rate(port);
            if (!rate.isEmpty()) {
                counts.merge(rate, 1, Integer::sum);
            }
        }
        if (counts.isEmpty()) {
            return "";
        }
        return ", at "
                + (counts.size() == 1
                        ? counts.keySet().iterator().next()
                        : counts.entrySet().stream()
                                .map(rate -> rate.getKey() + " (" + rate.getValue() + ")")
                                .collect(Collectors.joining(", ")));
    }

    private int port(Neighbors.CableEnd end) {
        int endport = fabric.endport(end.portGuid());
        int node = endport == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(endport);
        return node == Fabric.NONE || end.portNum() > fabric.numPorts(node)
                ? Fabric.NONE
                : fabric.port(node, end.portNum());
    }
}
