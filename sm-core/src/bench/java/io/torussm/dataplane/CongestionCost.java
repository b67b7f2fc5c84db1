package io.torussm.dataplane;

import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.dataplane.congestion.CongestionParameters;
import io.torussm.dataplane.congestion.TestParameters;
import io.torussm.mad.congestion.SwitchCongestionSetting;
import io.torussm.sim.model.PortCounter;
import io.torussm.testing.TorusSketch;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The cost of congestion control in the data plane: the processor time of the same traffic without it, with the
 * defaults of OpenSM, and with published settings, in alternation. Arguments: the three radices of a torus, hosts of a
 * switch, load (0 to 1), microseconds, share of messages to host 0, rounds.
 *
 * <p>With {@code outcomes SEED RUNS}: a digest of each random run. If the digests of two versions of the data plane are
 * equal, both sent the same packets at the same times.
 */
public final class CongestionCost {
    private static final String OFF = "off";
    private static final int PORTS = 36;
    private static final int PACKET = DataPlaneSettings.DEFAULT.packetBytes();

    private CongestionCost() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("outcomes")) {
            long first = Long.parseLong(arguments[1]);
            for (long seed = first; seed < first + Long.parseLong(arguments[2]); seed++) {
                System.out.printf("seed %d: %016x%n", seed, new RandomRun(seed).digest());
            }
            return;
        }
        int[] size =
                IntStream.range(0, 4).map(i -> Integer.parseInt(arguments[i])).toArray();
        compare(
                TestTraffic.of(TorusSketch.of(size[0], size[1], size[2], 1, size[3]), true),
                Double.parseDouble(arguments[4]),
                1_000 * Long.parseLong(arguments[5]),
                Double.parseDouble(arguments[6]),
                Integer.parseInt(arguments[7]));
    }

    /** Prints a line for each setting: the shortest of all rounds but the first, which warms up. */
    private static void compare(TestTraffic traffic, double load, long ns, double hotShare, int rounds) {
        Map<String, List<Long>> times = new LinkedHashMap<>();
        Map<String, String> traffics = new LinkedHashMap<>();
        for (int round = 0; round <= rounds; round++) {
            for (Map.Entry<String, DataPlaneSettings> each : settings().entrySet()) {
                DataPlane plane = traffic.plane(load(traffic, load, hotShare, 1), each.getValue());
                long beganNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                plane.run(ns);
                long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beganNs;
                if (round > 0) {
                    times.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                            .add(cpuNs);
                }
                traffics.put(
                        each.getKey(),
                        plane.tally().hops() + " hops, " + plane.tally().packets() + " packets, "
                                + plane.congestion()
                                        .map(CongestionCounters::marks)
                                        .orElse(0L) + " marks");
            }
        }
        long without = shortest(times.getOrDefault(OFF, List.of(1L)));
        times.forEach((name, each) -> System.out.printf(
                "%s: %.3f s, %.3f of the time without, %s%n",
                name, shortest(each) / 1e9, shortest(each) / (double) without, traffics.get(name)));
    }

    private static long shortest(List<Long> times) {
        return times.stream().mapToLong(Long::longValue).min().orElse(1);
    }

    private static Map<String, DataPlaneSettings> settings() {
        CongestionParameters defaults = new CongestionParameters(
                SwitchCongestionSetting.TYPE.zero(), TestParameters.reaction(0, 0, 0, 0, 0), List.of());
        CongestionParameters published = new CongestionParameters(
                TestParameters.marking(15, 8, 10), TestParameters.reaction(0, 20, 1, 0, 0), TestParameters.linear(127));
        Map<String, DataPlaneSettings> settings = new LinkedHashMap<>();
        settings.put(OFF, DataPlaneSettings.DEFAULT);
        settings.put("defaults", DataPlaneSettings.DEFAULT.withCongestion(defaults));
        settings.put("published", DataPlaneSettings.DEFAULT.withCongestion(published));
        return settings;
    }

    private static OfferedLoad load(TestTraffic traffic, double load, double hotShare, long seed) {
        Destinations uniform = Destinations.uniform(traffic.hosts.count());
        Destinations mixed =
                (host, random) -> host > 0 && random.nextDouble() < hotShare ? 0 : uniform.next(host, random);
        return new OfferedLoad(traffic.hosts, hotShare > 0 ? mixed : uniform, load, PACKET, 0, seed);
    }

    /** A run with a random torus, workload and settings. */
    private static final class RandomRun {
        private static final long LOADED_NS = 150_000;

        private final SplittableRandom random;
        private final long seed;
        private long digest;

        RandomRun(long seed) {
            this.seed = seed;
            random = new SplittableRandom(seed);
        }

        private void add(long value) {
            digest = Long.rotateLeft((digest ^ value) * 0x9e3779b97f4a7c15L, 29);
        }

        long digest() {
            TestTraffic traffic = TestTraffic.of(
                    TorusSketch.of(
                            3 + random.nextInt(2),
                            3 + random.nextInt(2),
                            1 + random.nextInt(3),
                            1,
                            1 + random.nextInt(4)),
                    true);
            Workload load = random.nextBoolean()
                    ? load(traffic, 0.2 + 0.8 * random.nextDouble(), random.nextInt(3) * 0.2, seed)
                    : job(traffic.hosts.count());
            DataPlaneSettings settings = settings();
            DataPlane plane = traffic.plane(new NotedLoad(load), settings);
            plane.countPorts();
            plane.run(LOADED_NS);
            if (random.nextInt(4) == 0) {
                int port = traffic.hosts.port(random.nextInt(traffic.hosts.count()));
                plane.setUp(port, false);
                plane.run(LOADED_NS + LOADED_NS / 4);
                plane.setUp(port, true);
            }
            plane.run(2 * LOADED_NS);
            addCounters(plane, traffic);
            return digest;
        }

        private Trace job(int hosts) {
            return new Trace(
                    hosts,
                    IntStream.range(0, 200 + random.nextInt(2_000))
                            .mapToObj(i -> new Trace.TimedMessage(
                                    random.nextInt(hosts),
                                    random.nextInt(2) * random.nextInt(hosts),
                                    1 + random.nextInt(9_000),
                                    random.nextInt((int) LOADED_NS)))
                            .filter(message -> message.from() != message.to())
                            .toList());
        }

        private DataPlaneSettings settings() {
            DataPlaneSettings settings = DataPlaneSettings.DEFAULT.withBuffers(PACKET * (1 + random.nextInt(12)));
            if (random.nextInt(3) == 0) {
                settings = settings.withLifetimes(5_000 + random.nextInt(50_000), DataPlaneSettings.FOREVER);
            }
            SwitchCongestionSetting marking =
                    TestParameters.marking(random.nextInt(16), random.nextInt(33), random.nextInt(12));
            if (random.nextBoolean()) {
                marking = TestParameters.withVictims(marking, ports());
            }
            if (random.nextBoolean()) {
                marking = TestParameters.withStarvation(
                        marking, random.nextInt(16), random.nextInt(1 << 16) & 0xc0ff, ports());
            }
            return settings.withCongestion(new CongestionParameters(
                    marking,
                    TestParameters.reaction(
                            random.nextInt(2),
                            random.nextInt(20),
                            1 + random.nextInt(4),
                            random.nextInt(4),
                            random.nextInt(3)),
                    TestParameters.quarters(random.nextInt(128))));
        }

        private int[] ports() {
            return IntStream.range(1, PORTS)
                    .filter(port -> random.nextBoolean())
                    .toArray();
        }

        private void addCounters(DataPlane plane, TestTraffic traffic) {
            add(plane.tally().hops());
            add(plane.tally().packets());
            add(plane.tally().drops());
            add(plane.inFlight());
            Optional<CongestionCounters> counters = plane.congestion();
            counters.ifPresent(each -> {
                add(each.marks());
                add(each.triggers());
                add(each.withheld());
                for (int host = 0; host < traffic.hosts.count(); host++) {
                    add(each.notifications(host));
                    add(each.highestCcti(host));
                }
            });
            for (int port = 0; port < plane.links.fabric.portCount(); port++) {
                int index = port;
                counters.ifPresent(each -> add(each.marks(index)));
                Arrays.stream(PortCounter.values()).forEach(each -> add(plane.traffic.get(index, each)));
            }
        }

        /** A workload whose arrivals and losses are part of the digest. */
        private final class NotedLoad implements Workload {
            private final Workload load;

            NotedLoad(Workload load) {
                this.load = load;
            }

            @Override
            public boolean next(int host, long nowNs, Message message) {
                return load.next(host, nowNs, message);
            }

            @Override
            public boolean isEndless() {
                return load.isEndless();
            }

            @Override
            public void arrived(int host, int from, int bytes, long nowNs) {
                add(nowNs);
                add(host);
                add(from);
                add(bytes);
                load.arrived(host, from, bytes, nowNs);
            }

            @Override
            public void lost(int from, int dlid, Drop reason) {
                add(from);
                add(dlid);
                add(reason.name().hashCode());
                load.lost(from, dlid, reason);
            }
        }
    }
}
