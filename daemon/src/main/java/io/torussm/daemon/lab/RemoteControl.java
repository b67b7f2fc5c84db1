package io.torussm.daemon.lab;

import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.json.Json;
import io.torussm.mad.Guid;
import io.torussm.sim.SimTraffic;
import io.torussm.sim.fault.BadLineException;
import io.torussm.sim.fault.ConsoleReply;
import io.torussm.sim.fault.FaultConsole;
import io.torussm.sim.serve.ServedClientInfo;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.Loop;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The control of a lab for console and HTTP. Requests of any thread run on the loop of the fabric. */
final class RemoteControl implements LabControl {
    private static final int MAX_SCHEDULED_LINES = 20;

    private final Lab lab;
    private final Loop loop;
    private final long startNs;
    private final int switches;
    private final int hosts;

    RemoteControl(Lab lab, Topology topology, Loop loop) {
        this.lab = lab;
        this.loop = loop;
        startNs = loop.nowNs();
        switches =
                (int) topology.nodes().stream().filter(Topology.Node::isSwitch).count();
        hosts = topology.nodes().size() - switches;
    }

    private <T> CompletionStage<T> onLoop(Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                throw e;
            }
        });
        return result;
    }

    @Override
    public CompletionStage<Response> execute(String line, String user) {
        return onLoop(() -> {
            if (line.strip().startsWith("!")) {
                return new Response(List.of("# files are read only for the console of the process itself"), false);
            }
            ConsoleReply answer = lab.console().run(line, user);
            return answer.isEnd()
                    ? new Response(List.of("# the fabric ends by Quit at its own console, or by SIGTERM"), false)
                    : new Response(answer.text().lines().toList(), answer.isSuccess());
        });
    }

    @Override
    public CompletionStage<Response> begin(String name, String text, String user) {
        return onLoop(() -> {
            try {
                lab.start(name, text, user);
                return new Response(List.of("begun"), true);
            } catch (BadLineException e) {
                return new Response(String.valueOf(e.getMessage()).lines().toList(), false);
            } catch (IllegalStateException e) {
                return new Response(List.of(String.valueOf(e.getMessage())), false);
            }
        });
    }

    @Override
    public boolean isReadOnly(String line) {
        return FaultConsole.isQuery(line);
    }

    @Override
    public CompletionStage<State> state() {
        return onLoop(this::newState);
    }

    private State newState() {
        FaultConsole console = lab.console();
        return new State(
                seconds(loop.nowNs() - startNs),
                switches,
                hosts,
                console.faults().activeFaults().stream()
                        .map(each ->
                                new Broken(each.kind(), each.subject(), each.detail(), secondsSince(each.sinceNs())))
                        .toList(),
                console.schedule().scheduledLines(MAX_SCHEDULED_LINES).stream()
                        .map(each -> new Coming(-secondsSince(each.atNs()), each.line(), each.location()))
                        .toList(),
                console.schedule().lastLines().stream()
                        .map(each -> new ExecutedLine(
                                secondsSince(each.atNs()),
                                each.client(),
                                each.line(),
                                each.reply().isSuccess(),
                                each.reply().text().strip()))
                        .toList(),
                lab.server().clients().stream().map(RemoteControl::client).toList(),
                traffic(console.traffic()),
                Json.numbers(lab.fabric().counters()),
                Json.numbers(lab.server().counters()));
    }

    private static Client client(ServedClientInfo info) {
        return new Client(
                info.id(),
                info.address(),
                info.port(),
                Guid.format(info.portGuid()),
                info.isSm(),
                info.received(),
                info.sent(),
                info.dropped(),
                info.returned());
    }

    private Traffic traffic(SimTraffic traffic) {
        SimTraffic.Tally tally = traffic.tally();
        Map<String, Long> lost = new LinkedHashMap<>();
        tally.lost().forEach((loss, count) -> lost.put(loss.name().toLowerCase(Locale.ROOT), count));
        return new Traffic(
                tally.rate(),
                tally.sent(),
                tally.arrived(),
                tally.unsent(),
                lost,
                traffic.lastLosses().stream()
                        .map(each -> new LostPacket(
                                secondsSince(each.atNs()),
                                each.reason().name().toLowerCase(Locale.ROOT),
                                each.from(),
                                each.dlid(),
                                each.location()))
                        .toList());
    }

    private double secondsSince(long ns) {
        return seconds(loop.nowNs() - ns);
    }

    private static double seconds(long ns) {
        return ns / 1e9;
    }
}
