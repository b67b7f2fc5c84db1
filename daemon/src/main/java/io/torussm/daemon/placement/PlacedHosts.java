package io.torussm.daemon.placement;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Lattice;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The reachable hosts, by their names in schedulers: the text before the first blank or dot of their node description.
 * A host with several adapters has the place of the first adapter.
 *
 * @param hosts hosts in the order of switches, then of port numbers
 * @param sizes numbers of switches of the torus in x, y and z; null if the switches have no coordinates
 * @param leftOut hosts without a valid name for schedulers, or with the name of a host at another switch, a line each
 */
public record PlacedHosts(List<Host> hosts, @Nullable List<Integer> sizes, List<String> leftOut) {
    private static final int DIMENSIONS = 3;
    private static final Pattern NAME = Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,62})(?:[. ].*)?");

    /** Returns the name of a host in its node description: the text before the first blank or dot. */
    public static Optional<String> hostName(String description) {
        Matcher name = NAME.matcher(description);
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    public PlacedHosts {
        hosts = List.copyOf(hosts);
        sizes = sizes == null ? null : List.copyOf(sizes);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * A host.
     *
     * @param name name in schedulers
     * @param portGuid GUID of its reachable port, as text
     * @param lid LID of that port
     * @param leaf the switch and port to which it is cabled
     * @param place x, y and z of the switch; empty if it has no coordinates
     */
    public record Host(String name, String portGuid, int lid, Leaf leaf, List<Integer> place) {
        public Host {
            place = List.copyOf(place);
        }

        /** Checks whether the host is cabled to a switch. */
        public boolean hasSwitch() {
            return leaf.port != 0;
        }
    }

    /**
     * A port of a switch. In a fabric without a switch, GUID and name are empty, and the port is 0.
     *
     * @param guid GUID of the switch, as text
     * @param name name of the switch
     * @param port port number
     */
    public record Leaf(String guid, String name, int port) {
        private static final Leaf NONE = new Leaf("", "", 0);
    }

    /** Returns the hosts that are cabled to a switch. */
    public List<Host> onSwitches() {
        return hosts.stream().filter(Host::hasSwitch).toList();
    }

    /** Returns the hosts of the active subnet. */
    public static PlacedHosts of(FabricState state, PublishedView view) {
        return new Search(state, view).all();
    }

    /** A search of hosts at the ports of switches, or of the hosts of a fabric without a switch. */
    private static final class Search {
        private final FabricState state;
        private final PublishedView view;
        private final Fabric fabric;
        private final Optional<Lattice> lattice;
        private final int[] positionOf;
        private final Map<String, Host> byName = new HashMap<>();
        private final List<Host> hosts = new ArrayList<>();
        private final List<String> leftOut = new ArrayList<>();

        Search(FabricState state, PublishedView view) {
            this.state = state;
            this.view = view;
            fabric = view.subnet().fabric();
            lattice = view.plan().explainer().lattice();
            positionOf = lattice.map(grid -> grid.positionsIn(fabric)).orElseGet(() -> new int[0]);
        }

        PlacedHosts all() {
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                    addHost(
                            fabric.peer(fabric.port(sw, portNum)),
                            new Leaf(Guid.format(fabric.nodeGuid(sw)), fabric.nodeName(sw), portNum),
                            place(sw));
                }
            }
            if (fabric.switchCount() == 0) {
                for (int port = 0; port < fabric.portCount(); port++) {
                    addHost(fabric.isEndport(port) ? port : Fabric.NONE, Leaf.NONE, List.of());
                }
            }
            return new PlacedHosts(
                    hosts,
                    lattice.map(grid -> List.of(grid.size(0), grid.size(1), grid.size(2)))
                            .orElse(null),
                    leftOut);
        }

        private void addHost(int port, Leaf leaf, List<Integer> place) {
            if (port == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(port)) || !isReachable(port)) {
                return;
            }
            String guid = Guid.format(fabric.portGuid(port));
            Optional<String> name = hostName(fabric.node(fabric.nodeOf(port)).description());
            if (name.isEmpty()) {
                leftOut.add(guid + ": its node description is no name of a host");
                return;
            }
            Host host = new Host(name.get(), guid, view.subnet().lid(port), leaf, place);
            Host previous = byName.putIfAbsent(host.name(), host);
            if (previous == null) {
                hosts.add(host);
            } else if (!previous.leaf().guid().equals(host.leaf().guid())) {
                leftOut.add(
                        guid + ": " + host.name() + " is at " + previous.leaf().guid() + " already");
            }
        }

        private boolean isReachable(int port) {
            PortInfo info = fabric.portInfo(port);
            return info != null
                    && info.portState() == PortInfo.STATE_ACTIVE
                    && view.subnet().lid(port) != 0
                    && !state.isCableAbsent(port);
        }

        private List<Integer> place(int sw) {
            int position = lattice.isEmpty() ? Fabric.NONE : positionOf[sw];
            if (position == Fabric.NONE) {
                return List.of();
            }
            List<Integer> place = new ArrayList<>();
            for (int d = 0; d < DIMENSIONS; d++) {
                place.add(lattice.orElseThrow().coordinate(position, d));
            }
            return place;
        }
    }
}
