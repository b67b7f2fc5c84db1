package io.torussm.daemon.config.files;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.HoconFile;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.sim.model.DeviceModel;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.topology.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The faults of the devices of an embedded fabric, with which operators can rehearse. docs/operator/rehearsing.md
 * describes the format of the file. Immutable.
 *
 * @param models models of the devices
 * @param faults faults of the cables
 */
public record SimulatedDevices(DeviceModels models, FaultPlan faults) {
    private static final SimulatedDevices PERFECT = new SimulatedDevices(DeviceModels.PERFECT, FaultPlan.NONE);
    private static final Set<String> KEYS = Set.of("seed", "loss", "devices");

    /**
     * Reads the file that the options name, and checks it against the topology that they name.
     *
     * @throws ConfigurationException with all problems, each with file, line and remedy
     */
    public static SimulatedDevices of(SmOptions.Port port) throws ConfigurationException {
        Path file = port.simulateDevices();
        if (file == null) {
            return PERFECT;
        }
        if (!port.isSimulated()) {
            throw new ConfigurationException(List.of(
                    "simulate_devices needs an embedded fabric: give --simulate, or" + " leave simulate_devices out"));
        }
        return new Reading(SimulatedTopology.read(port.simulate())).read(file);
    }

    private static final class Reading {
        private final Topology topology;
        private final List<String> problems = new ArrayList<>();
        private DeviceModels models = DeviceModels.PERFECT;

        Reading(Topology topology) {
            this.topology = topology;
        }

        SimulatedDevices read(Path file) throws ConfigurationException {
            HoconObject top = new HoconObject(
                    HoconFile.read(file, "device", problems::add).root(), KEYS, problems);
            long seed = top.integer("seed", 0, Integer.MAX_VALUE, 0);
            double loss = top.probability("loss", 0);
            top.objects("devices", SimulatedDevice.KEYS).forEach(this::addDevice);
            if (!problems.isEmpty()) {
                throw new ConfigurationException(problems.stream().distinct().toList());
            }
            return new SimulatedDevices(models, new FaultPlan(seed, loss, 0, 0, 0));
        }

        private void addDevice(HoconObject entry) {
            Predicate<Topology.Node> filter = deviceFilter(entry);
            if (filter == null) {
                return;
            }
            List<Topology.Node> found = topology.nodes().stream().filter(filter).toList();
            if (found.isEmpty()) {
                entry.addProblem("no node of the topology is called that; the first is "
                        + topology.nodes().get(0));
            }
            SimulatedDevice device = new SimulatedDevice(entry);
            DeviceModel model = device.change(DeviceModel.PERFECT);
            model.bounces().forEach(bounce -> checkPort(entry, "bounce", bounce.portNum(), found));
            model.counters().rising().forEach(each -> checkPort(entry, "rising", each.portNum(), found));
            models = models.with(filter, device::change);
        }

        /** Returns the condition for the devices of an entry; null if the entry does not name any. */
        private static @Nullable Predicate<Topology.Node> deviceFilter(HoconObject entry) {
            String name = entry.text("name");
            if (name.isEmpty() == entry.text("guid").isEmpty()) {
                entry.addProblem("a device needs either name, in which * and ? stand for others, or guid");
                return null;
            }
            return name.isEmpty() ? DeviceModels.byGuid(entry.guid("guid")) : DeviceModels.byDescription(name);
        }

        private static void checkPort(HoconObject entry, String key, int portNum, List<Topology.Node> found) {
            for (Topology.Node node : found) {
                if (portNum > node.numPorts() || node.peer(portNum) == null) {
                    entry.addProblem(key, "names port " + portNum + " of " + node + ", which has no cable");
                    return;
                }
            }
        }
    }
}
