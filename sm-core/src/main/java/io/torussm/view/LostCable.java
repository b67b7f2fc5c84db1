package io.torussm.view;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.names.SiteMap;
import io.torussm.subnet.Neighbors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cable that was present and is absent: it is unplugged or broken, or a device at one of its ends vanished.
 *
 * @param near end with the lower port GUID, then port number
 * @param far other end
 * @param since time of the loss; null if it was absent when this SM became master
 */
public record LostCable(LostEnd near, LostEnd far, @Nullable Instant since) {
    /**
     * An end of a cable, with data from the time when the cable was present.
     *
     * @param port port GUID (of port 0 for a switch) and port number
     * @param nodeGuid node GUID; 0 if unknown
     * @param name name of the device; empty if unknown
     * @param place coordinates of the switch; empty if it has no coordinates
     * @param lid LID of the port, or of the switch; 0 if unknown
     */
    public record LostEnd(
            Neighbors.CableEnd port, long nodeGuid, String name, boolean isSwitch, String place, int lid) {
        /** Returns the end at a port (by index) of a fabric. */
        public static LostEnd of(PlacedSubnet placed, int port) {
            Fabric fabric = placed.fabric();
            int node = fabric.nodeOf(port);
            int addressed = fabric.isSwitch(node) ? fabric.port(node, 0) : port;
            return new LostEnd(
                    new Neighbors.CableEnd(fabric.portGuid(addressed), fabric.portNum(port)),
                    fabric.nodeGuid(node),
                    fabric.nodeName(node),
                    fabric.isSwitch(node),
                    placed.place(node),
                    placed.subnet().lid(addressed));
        }

        /** Returns a copy with the configured name of the device, if it has one. */
        public LostEnd withName(Names names) {
            return new LostEnd(port, nodeGuid, names.of(nodeGuid, name), isSwitch, place, lid);
        }

        /** Returns the text and fields of the device for events. */
        DeviceText device(Names names) {
            LostEnd current = withName(names);
            String known = nodeGuid == 0 ? "port GUID " + Guid.format(port.portGuid()) : Guid.format(nodeGuid);
            String name = current.name.isEmpty() ? known : known + " \"" + current.name + "\"";
            List<EventField.Value> fields = new ArrayList<>();
            fields.add(EventField.NAME.of(name));
            fields.add(EventField.GUID.of(nodeGuid == 0 ? port.portGuid() : nodeGuid));
            if (lid != 0) {
                fields.add(EventField.LID.of(lid));
            }
            if (!place.isEmpty()) {
                fields.add(EventField.COORDINATES.of(place));
            }
            SiteMap.Site site = site(names);
            if (!site.isUnknown()) {
                fields.add(EventField.SITE.of(site));
            }
            return new DeviceText((place + " " + name).strip(), fields);
        }

        /** Returns the text and fields of the port for events. */
        public DeviceText devicePort(Names names) {
            DeviceText device = device(names);
            return device.withText(device + " port " + port.portNum()).with(EventField.PORT.of(port.portNum()));
        }

        /** Returns the position of the device in the machine room. */
        SiteMap.Site site(Names names) {
            return names.sites().site(nodeGuid, place);
        }

        /** Returns device, coordinates and port as text. */
        public String text() {
            String device = name.isEmpty() ? "port GUID " + Guid.format(port.portGuid()) : "\"" + name + "\"";
            return (place + " " + device).strip() + " port " + port.portNum();
        }
    }

    /** Checks whether both ends are at switches. */
    public boolean isBetweenSwitches() {
        return near.isSwitch && far.isSwitch;
    }

    /** Returns the label on the cable, at either end; empty if unknown. */
    String label(Names names) {
        String label = names.sites().label(near.nodeGuid, near.port.portNum());
        return label.isEmpty() ? names.sites().label(far.nodeGuid, far.port.portNum()) : label;
    }

    /** Returns the end at a port, which must be one of the two ports. */
    public LostEnd end(Neighbors.CableEnd port) {
        return near.port().equals(port) ? near : far;
    }

    /** Returns the end opposite to an end. */
    public LostEnd across(LostEnd from) {
        return from.equals(near) ? far : near;
    }
}
