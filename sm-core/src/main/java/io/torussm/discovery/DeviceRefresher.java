package io.torussm.discovery;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The reading of single attributes of a device that reported a change by trap 144 or 145: its description, its
 * SystemImageGUID, or the capabilities of a port. No sweep is necessary. Owner thread: the loop.
 */
public final class DeviceRefresher {
    private static final EventLog EVENTS = EventLog.of(DeviceRefresher.class);

    /** The fields of PortInfo whose change trap 144 reports. */
    private static final List<Field> REPORTED_FIELDS = List.of(
            PortInfo.CAPABILITY_MASK,
            PortInfo.CAPABILITY_MASK2,
            PortInfo.LINK_WIDTH_ENABLED,
            PortInfo.LINK_SPEED_ENABLED,
            PortInfo.LINK_SPEED_EXT_ENABLED);

    private final MadClient client;
    private final Consumer<UnaryOperator<Fabric>> publish;
    private final Consumer<DrPath> onSmChange;

    /**
     * The attributes to read again.
     *
     * @param hasDescription whether to read NodeDescription
     * @param hasSystemImage whether to read SystemImageGUID
     * @param hasPortInfo whether to read PortInfo
     * @param hasNewSmPriority whether an SM at the port has another priority
     */
    public record AttributeChoice(
            boolean hasDescription, boolean hasSystemImage, boolean hasPortInfo, boolean hasNewSmPriority) {
        /** The attributes after a trap 145. */
        public static final AttributeChoice SYSTEM_IMAGE = new AttributeChoice(false, true, false, false);

        /** Returns the attributes that a trap 144 concerns. */
        public static AttributeChoice of(Notice notice) {
            return new AttributeChoice(
                    notice.hasNewDescription(), false, !notice.isOnlyDescriptionChange(), notice.hasNewSmPriority());
        }

        /** Returns the union of two questions. */
        public AttributeChoice union(AttributeChoice other) {
            return new AttributeChoice(
                    hasDescription || other.hasDescription,
                    hasSystemImage || other.hasSystemImage,
                    hasPortInfo || other.hasPortInfo,
                    hasNewSmPriority || other.hasNewSmPriority);
        }
    }

    /**
     * Creates a refresher.
     *
     * @param publish receives a function that changes the known fabric, and applies it
     * @param onSmChange receives the route to a port at which an SM appeared or changed its priority
     */
    public DeviceRefresher(MadClient client, Consumer<UnaryOperator<Fabric>> publish, Consumer<DrPath> onSmChange) {
        this.client = client;
        this.publish = publish;
        this.onSmChange = onSmChange;
    }

    /**
     * Reads attributes of a device. Without a response, the next whole sweep reads the attribute.
     *
     * @param endport index of an end port of the device
     */
    public void read(Fabric fabric, int endport, AttributeChoice question) {
        DrPath path = fabric.pathTo(endport);
        long nodeGuid = fabric.nodeGuid(fabric.nodeOf(endport));
        DeviceText device = fabric.device(fabric.nodeOf(endport));
        MadScope scope = client.scope();
        if (question.hasDescription()) {
            scope.get(NodeDescription.TYPE, path, 0, outcome -> {
                if (outcome instanceof Outcome.Reply<NodeDescription> reply) {
                    EVENTS.report(
                            SmEvent.NODE_RENAMED,
                            EventField.NAME.of(device),
                            EventField.TEXT.of(reply.value().text()));
                    updateDescription(nodeGuid, reply.value().text());
                }
            });
        }
        if (question.hasSystemImage()) {
            scope.get(NodeInfo.TYPE, path, 0, outcome -> {
                if (outcome instanceof Outcome.Reply<NodeInfo> reply
                        && reply.value().nodeGuid() == nodeGuid) {
                    EVENTS.report(
                            SmEvent.SYSTEM_CHANGED,
                            EventField.NAME.of(device),
                            EventField.GUID.of(reply.value().systemImageGuid()));
                    updateSystemImageGuid(nodeGuid, reply.value().systemImageGuid());
                }
            });
        }
        if (question.hasPortInfo()) {
            int portNum = fabric.portNum(endport);
            PortInfo previous = fabric.portInfo(endport);
            scope.get(PortInfo.TYPE, path, fabric.portInfoModifier(endport), outcome -> {
                if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                    updatePortInfo(nodeGuid, portNum, reply.value());
                    reportSmChange(path, question, previous, reply.value());
                }
            });
        }
    }

    private void updateDescription(long nodeGuid, String description) {
        publish.accept(fabric -> change(
                fabric, nodeGuid, node -> new Fabric.Node(node.info(), description, node.switchInfo(), node.path())));
    }

    private void updateSystemImageGuid(long nodeGuid, long systemImageGuid) {
        publish.accept(fabric -> change(fabric, nodeGuid, node -> {
            NodeInfo info = node.info().with(NodeInfo.SYSTEM_IMAGE_GUID, systemImageGuid);
            return new Fabric.Node(info, node.description(), node.switchInfo(), node.path());
        }));
    }

    private static Fabric change(Fabric fabric, long nodeGuid, UnaryOperator<Fabric.Node> change) {
        int node = fabric.nodeByGuid(nodeGuid);
        return node == Fabric.NONE ? fabric : fabric.with(node, change.apply(fabric.node(node)));
    }

    private void updatePortInfo(long nodeGuid, int portNum, PortInfo current) {
        publish.accept(fabric -> {
            int node = fabric.nodeByGuid(nodeGuid);
            boolean isThere = node != Fabric.NONE && portNum <= fabric.numPorts(node);
            PortInfo known = isThere ? fabric.portInfo(fabric.port(node, portNum)) : null;
            return known == null ? fabric : fabric.with(fabric.port(node, portNum), withReportedFields(known, current));
        });
    }

    /** Returns the known PortInfo with the new values of reported fields. A sweep may have written other fields. */
    private static PortInfo withReportedFields(PortInfo known, PortInfo current) {
        PortInfo merged = known;
        for (Field field : REPORTED_FIELDS) {
            merged = merged.with(field, current.get(field));
        }
        return merged;
    }

    private void reportSmChange(DrPath path, AttributeChoice question, @Nullable PortInfo previous, PortInfo current) {
        boolean wasThere = previous != null && previous.hasCapability(PortInfo.CAP_IS_SM);
        if (current.hasCapability(PortInfo.CAP_IS_SM) && (!wasThere || question.hasNewSmPriority())) {
            onSmChange.accept(path);
        }
    }
}
