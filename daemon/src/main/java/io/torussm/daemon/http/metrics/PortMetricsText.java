package io.torussm.daemon.http.metrics;

import io.torussm.daemon.control.SmStatistics;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.perf.CounterStore;
import io.torussm.perf.LinkCapacity;
import io.torussm.perf.PollStatistics;
import io.torussm.perf.PortStatistics;
import io.torussm.view.PlacedSubnet;
import java.nio.charset.StandardCharsets;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Ports and their counters in the text format of Prometheus, with the names and labels of {@code infiniband_exporter},
 * so that its rules and dashboards work unchanged. It adds the label {@code subnet_prefix}, the series {@code
 * port_state}, and labels for places, racks and cables of {@code uplink_info}. An instance writes one page. One thread.
 */
final class PortMetricsText {
    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double BITS = 8;
    private static final double NS = 1e-9;
    private static final double MS = 1e-3;

    private final PlacedSubnet found;
    private final Fabric fabric;
    private final CounterStore store;
    private final PollStatistics polling;
    private final String subnet;
    private final StringBuilder text = new StringBuilder();

    /** The type of a node in the exporter: switch, or channel adapter for all other nodes. */
    private enum MetricType {
        SWITCH,
        HCA;

        private final String word = name().toLowerCase(java.util.Locale.ROOT);

        boolean has(Fabric fabric, int port) {
            return fabric.isSwitch(fabric.nodeOf(port)) == (this == SWITCH);
        }
    }

    /** A port with its labels and counters. */
    private record Line(int port, MetricType kind, String labels, PortStatistics now) {}

    PortMetricsText(PlacedSubnet found, CounterStore store, SmStatistics statistics) {
        this.found = found;
        this.fabric = found.fabric();
        this.store = store;
        polling = statistics.counters();
        subnet = ",subnet_prefix=\"" + Guid.format(statistics.subnetPrefix()) + '"';
    }

    /** Returns the whole page about ports, given by port index. */
    byte[] of(int[] ports) {
        Line[] lines = new Line[ports.length];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = line(ports[i]);
        }
        for (MetricType kind : MetricType.values()) {
            for (PortSeries series : PortSeries.values()) {
                counter(kind, series, lines);
            }
            gauges(kind, lines);
            infos(kind, lines);
        }
        exporter();
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private @Nullable Line line(int port) {
        PortStatistics current = store.counters(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
        MetricType kind = MetricType.SWITCH.has(fabric, port) ? MetricType.SWITCH : MetricType.HCA;
        String labels = "{guid=\"" + guid(port) + "\",port=\"" + fabric.portNum(port) + '"' + subnet;
        return current == null ? null : new Line(port, kind, labels, current);
    }

    /** Returns the PortInfo of port 0 of a switch, or of the port itself elsewhere. */
    private String guid(int port) {
        return Guid.format(fabric.portGuid(endport(port)));
    }

    private int endport(int port) {
        int node = fabric.nodeOf(port);
        return fabric.isSwitch(node) ? fabric.port(node, 0) : port;
    }

    private void counter(MetricType kind, PortSeries series, @Nullable Line[] lines) {
        String name = "infiniband_" + kind.word + '_' + series.suffix();
        boolean isBegun = false;
        for (Line line : lines) {
            if (line != null && line.kind == kind && line.now.has(series.counter())) {
                if (!isBegun) {
                    head(name, "counter", series.counter().attribute());
                    isBegun = true;
                }
                text.append(name)
                        .append(line.labels)
                        .append("} ")
                        .append(series.unit() * line.now.total(series.counter()))
                        .append('\n');
            }
        }
    }

    private void head(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void gauges(MetricType kind, @Nullable Line[] lines) {
        String prefix = "infiniband_" + kind.word + '_';
        gauge(prefix + "port_state", "1 while the link is active", kind, lines, this::state);
        gauge(prefix + "port_read_age_seconds", "Time since the counters were read", kind, lines, this::age);
        String rates = kind == MetricType.SWITCH ? prefix + "port_" : prefix;
        gauge(rates + "rate_bytes_per_second", "Capacity of the link", kind, lines, line -> rate(line, false));
        gauge(rates + "raw_rate_bytes_per_second", "Its signalling rate", kind, lines, line -> rate(line, true));
    }

    private void gauge(
            String name, String help, MetricType kind, @Nullable Line[] lines, ToDoubleFunction<Line> value) {
        boolean isOfPorts = kind == MetricType.SWITCH || name.contains("_port_");
        boolean isBegun = false;
        for (Line line : lines) {
            double number = line == null || line.kind != kind ? Double.NaN : value.applyAsDouble(line);
            if (line != null && !Double.isNaN(number)) {
                if (!isBegun) {
                    head(name, "gauge", help);
                    isBegun = true;
                }
                String labels = isOfPorts ? line.labels : "{guid=\"" + guid(line.port) + '"' + subnet;
                text.append(name).append(labels).append("} ").append(number).append('\n');
            }
        }
    }

    private double state(Line line) {
        PortInfo info = fabric.portInfo(line.port);
        boolean isUp = info != null && info.portState() == PortInfo.STATE_ACTIVE;
        return isUp && fabric.peer(line.port) != Fabric.NONE ? 1 : 0;
    }

    /** Returns the age of the counters at the last reading of all ports. So a stored reply stays valid. */
    private double age(Line line) {
        return polling.lastAt() == null
                ? 0
                : Math.max(0, polling.lastAt().toEpochMilli() - line.now.at().toEpochMilli()) * MS;
    }

    private double rate(Line line, boolean isRaw) {
        LinkCapacity link = CounterStore.capacity(fabric, line.port);
        return link == null ? Double.NaN : (isRaw ? link.signalBits() : link.dataBits()) / BITS;
    }

    private void infos(MetricType kind, @Nullable Line[] lines) {
        String name = "infiniband_" + kind.word + "_uplink_info";
        head(name, "gauge", "Other end of the cable");
        for (Line line : lines) {
            if (line != null && line.kind == kind && fabric.peer(line.port) != Fabric.NONE) {
                text.append(name).append(line.labels);
                uplink(kind, line.port, fabric.peer(line.port));
                text.append("} 1\n");
            }
        }
        String info = "infiniband_" + kind.word + "_info";
        head(info, "gauge", "Devices whose ports are read");
        int previous = Fabric.NONE;
        for (Line line : lines) {
            if (line != null && line.kind == kind && endport(line.port) != previous) {
                previous = endport(line.port);
                text.append(info)
                        .append("{guid=\"")
                        .append(guid(line.port))
                        .append('"')
                        .append(subnet);
                label(kind.word, fabric.nodeName(fabric.nodeOf(line.port)));
                label("lid", Integer.toString(found.subnet().lid(previous)));
                label("place", found.place(fabric.nodeOf(line.port)));
                text.append("} 1\n");
            }
        }
    }

    private void uplink(MetricType kind, int port, int peer) {
        int node = fabric.nodeOf(port);
        int far = fabric.nodeOf(peer);
        label(kind.word, fabric.nodeName(node));
        label("uplink", fabric.nodeName(far));
        label("uplink_guid", guid(peer));
        label("uplink_type", type(far));
        label("uplink_port", Integer.toString(fabric.portNum(peer)));
        label("uplink_lid", Integer.toString(found.subnet().lid(endport(peer))));
        label("place", found.place(node));
        label("uplink_place", found.place(far));
        label("rack", found.site(node).rack());
        label("uplink_rack", found.site(far).rack());
        label("cable", fabric.cableLabel(port));
    }

    private String type(int node) {
        return switch (fabric.node(node).info().nodeType()) {
            case NodeInfo.SWITCH -> "SW";
            case NodeInfo.ROUTER -> "RT";
            default -> "CA";
        };
    }

    private void label(String name, String value) {
        text.append(',').append(name).append("=\"");
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            switch (each) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(each);
            }
        }
        text.append('"');
    }

    private void exporter() {
        String labels = "{collector=\"torus-sm\"" + subnet + "} ";
        number(
                "collector_duration_seconds",
                "How long the last reading of all ports took",
                labels,
                polling.lastNs() * NS);
        number("collect_timeouts", "Agents that do not answer", labels, polling.silent());
        if (polling.lastAt() != null) {
            double at = polling.lastAt().toEpochMilli() * MS;
            number("last_execution", "When the last reading of all ports ended", labels, at);
        }
    }

    private void number(String name, String help, String labels, double value) {
        head("infiniband_exporter_" + name, "gauge", help);
        text.append("infiniband_exporter_")
                .append(name)
                .append(labels)
                .append(value)
                .append('\n');
    }
}
