package io.torussm.daemon;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.ConsoleControl;
import io.torussm.daemon.console.ConsoleServer;
import io.torussm.daemon.console.ExplainPath;
import io.torussm.daemon.console.Operations;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.http.HttpControl;
import io.torussm.daemon.http.HttpServer;
import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.multicast.MulticastView;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The life of one process: open the port, sweep, answer the console, write dumps, end in order. Everything that happens
 * to it becomes an event, and {@link #run} takes one after the other on the thread that called it.
 */
public final class Daemon {
    private static final EventLog EVENTS = EventLog.of(Daemon.class);
    private static final int MAX_EVENTS = 64;

    private final Plan plan;
    private final SubnetManagerService.Factory services;
    private final PrintStream out;
    private final ServiceManager manager;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>(MAX_EVENTS);
    private final AtomicReference<@Nullable Up> latest = new AtomicReference<>();
    private final AtomicBoolean isMulticastDue = new AtomicBoolean();
    private final Journal journal = new Journal();
    private @Nullable Down lastTold;

    /** Reads the configuration again. */
    public interface Reload {
        SmOptions options() throws ConfigurationException;
    }

    /**
     * What to do.
     *
     * @param options what the operator decided
     * @param isOnce whether to end after the first sweep
     * @param explain pairs {@code SRC,DST} of which to explain the path once the subnet is up; {@code isOnce} only
     * @param reload for SIGHUP
     */
    public record Plan(SmOptions options, boolean isOnce, List<String> explain, Reload reload) {
        public Plan {
            explain = List.copyOf(explain);
        }
    }

    /** Something that happened. */
    private sealed interface Event {}

    /** A subnet is up; {@link #latest} has it. Only the last of several counts, since each is large. */
    private record Changed() implements Event {}

    private record Up(PublishedView view) {}

    /** Multicast groups changed; {@link #isMulticastDue} until it is looked at. */
    private record MulticastChanged() implements Event {}

    /** A sweep ended without a subnet; {@code code} is how {@code --once} ends. */
    private record Down(ExitCode code, Finding why) implements Event {}

    private record PortLost(String why) implements Event {}

    private record EndAsked(String why) implements Event {}

    private record ReloadAsked() implements Event {}

    /** Dumps are wanted; {@code done} hears whether they were written. */
    private record DumpAsked(CompletableFuture<Boolean> done) implements Event {}

    public Daemon(Plan plan, SubnetManagerService.Factory services, PrintStream out) {
        this(
                plan,
                services,
                out,
                ServiceManager.of(System.getenv(), ProcessHandle.current().pid()));
    }

    Daemon(Plan plan, SubnetManagerService.Factory services, PrintStream out, ServiceManager manager) {
        this.plan = plan;
        this.services = services;
        this.out = out;
        this.manager = manager;
    }

    /** Runs until the end, and says how it ended. */
    public ExitCode run() throws InterruptedException {
        JournalAppender appender = JournalAppender.attach(journal);
        try {
            return live();
        } finally {
            appender.close();
        }
    }

    private ExitCode live() throws InterruptedException {
        Signals.handle("TERM", () -> stop("SIGTERM"));
        Signals.handle("INT", () -> stop("SIGINT"));
        Signals.handle("HUP", () -> offer(new ReloadAsked()));
        Signals.handle("USR1", LogSetup::reopen);
        SubnetManagerService service;
        try {
            service = services.open(plan.options());
        } catch (TransportException e) {
            EVENTS.report(SmEvent.PORT_UNAVAILABLE, EventField.REASON.of(e.getMessage()));
            return ExitCode.NO_PORT;
        } catch (ConfigurationException e) {
            e.problems().forEach(problem -> EVENTS.report(SmEvent.CONFIGURATION_ERROR.says(problem)));
            return ExitCode.BAD_CONFIGURATION;
        }
        ConsoleServer console = openConsole(service);
        HttpServer http = openHttp(service);
        try {
            service.start(new Reporter());
            if (plan.options().mastership().isInactive()) {
                manager.ended("waits until a master calls it", service.headline());
            }
            service.beat(manager.beatNs(), () -> manager.beat(service::headline));
            return serve(service);
        } finally {
            manager.stopping();
            if (http != null) {
                http.close();
            }
            if (console != null) {
                console.close();
            }
            service.close();
        }
    }

    /** Asks a running daemon to end in order; what else waits may be dropped for it. May be called from any thread. */
    public void stop(String why) {
        while (!events.offer(new EndAsked(why))) {
            events.clear();
        }
    }

    private @Nullable ConsoleServer openConsole(SubnetManagerService service) {
        SmOptions.Console console = plan.options().console();
        Path socket = console.socket();
        if (socket == null || plan.isOnce()) {
            return null;
        }
        try {
            return ConsoleServer.open(
                    new ConsoleServer.Settings(socket, console.group(), console.listen()), new Control(service));
        } catch (IOException e) {
            EVENTS.report(SmEvent.CONSOLE_UNAVAILABLE, EventField.REASON.of(e.getMessage()));
            return null;
        }
    }

    private @Nullable HttpServer openHttp(SubnetManagerService service) {
        SmOptions.Http http = plan.options().http();
        InetSocketAddress listen = http.listen();
        if (listen == null || plan.isOnce()) {
            return null;
        }
        try {
            return HttpServer.open(listen, http.names(), new Watch(service, journal));
        } catch (IOException e) {
            EVENTS.report(SmEvent.HTTP_UNAVAILABLE, EventField.REASON.of(e.getMessage()));
            return null;
        }
    }

    private ExitCode serve(SubnetManagerService service) throws InterruptedException {
        while (true) {
            Event event = events.take();
            if (event instanceof Changed) {
                lastTold = null;
                Up up = Objects.requireNonNull(latest.getAndSet(null));
                manager.ended("", service.headline());
                boolean isDumped = dump(dir -> Dumps.write(up.view(), service.multicast(), dir));
                if (plan.isOnce()) {
                    boolean isExplained = explain(up.view());
                    return isDumped && isExplained ? ExitCode.OK : ExitCode.BAD_CONFIGURATION;
                }
            } else if (event instanceof Down down) {
                tell(down);
                manager.ended(down.why().line(), service.headline());
                if (plan.isOnce()) {
                    return down.code();
                }
            } else if (event instanceof PortLost lost) {
                EVENTS.report(SmEvent.PORT_GONE, EventField.REASON.of(lost.why()));
                return ExitCode.NO_PORT;
            } else if (event instanceof EndAsked asked) {
                EVENTS.report(SmEvent.ENDING, EventField.REASON.of(asked.why()));
                return ExitCode.OK;
            } else if (event instanceof MulticastChanged) {
                isMulticastDue.set(false);
                PublishedView view = service.view();
                if (view != null) {
                    dump(dir -> Dumps.writeMulticast(view, service.multicast(), dir));
                }
            } else if (event instanceof ReloadAsked) {
                reload(service);
            } else if (event instanceof DumpAsked asked) {
                PublishedView view = service.view();
                asked.done().complete(view != null && dump(dir -> Dumps.write(view, service.multicast(), dir)));
            }
        }
    }

    /** What is still so is not reported again. */
    private void tell(Down down) {
        if (down.equals(lastTold)) {
            return;
        }
        lastTold = down;
        EVENTS.report(down.why());
    }

    private interface Dump {
        void write(Path dir) throws IOException;
    }

    /** Whether it went well, or nothing was to be written. */
    private boolean dump(Dump what) {
        Path dir = plan.options().files().dumpDir();
        if (dir == null) {
            return true;
        }
        try {
            what.write(dir);
            return true;
        } catch (IOException e) {
            EVENTS.report(SmEvent.DUMP_FAILED, EventField.FILE.of(dir), EventField.REASON.of(FileErrors.describe(e)));
            return false;
        }
    }

    private boolean explain(PublishedView view) {
        boolean isGood = true;
        for (String pair : plan.explain()) {
            ExplainPath.Explanation explanation = ExplainPath.ofPair(view, pair);
            explanation.lines().forEach(out::println);
            isGood &= explanation.isGood();
        }
        out.flush();
        return isGood;
    }

    private void reload(SubnetManagerService service) {
        manager.reloading();
        try {
            service.reconfigure(plan.reload().options());
            EVENTS.report(SmEvent.CONFIGURATION_READ);
        } catch (ConfigurationException e) {
            e.problems().forEach(problem -> EVENTS.report(SmEvent.CONFIGURATION_ERROR.says(problem)));
            EVENTS.report(SmEvent.CONFIGURATION_KEPT);
        }
        manager.reloaded();
        service.requestSweep(true);
    }

    private boolean offer(Event event) {
        boolean hasRoom = events.offer(event);
        if (!hasRoom) {
            EVENTS.report(
                    SmEvent.TASK_DROPPED,
                    EventField.COUNT.of(MAX_EVENTS),
                    EventField.NAME.of(event.getClass().getSimpleName()));
        }
        return hasRoom;
    }

    /** Turns what the service tells into events. */
    private final class Reporter implements SubnetManagerService.Listener {
        @Override
        public void subnetUp(PublishedView view, String summary) {
            EVENTS.report(SmEvent.SUBNET_UP.says(summary));
            if (latest.getAndSet(new Up(view)) == null) {
                offer(new Changed());
            }
        }

        @Override
        public void refused(String reason) {
            offer(new Down(
                    ExitCode.ROUTING_REFUSED, Finding.of(SmEvent.ROUTING_REFUSED, EventField.REASON.of(reason))));
        }

        @Override
        public void otherMaster(String who) {
            offer(new Down(
                    ExitCode.OTHER_MASTER,
                    Finding.of(plan.isOnce() ? SmEvent.ANOTHER_MASTER : SmEvent.STANDBY, EventField.PEER.of(who))));
        }

        @Override
        public void failed(String why) {
            offer(new Down(ExitCode.INTERNAL_ERROR, Finding.of(SmEvent.SWEEP_FAILED, EventField.REASON.of(why))));
        }

        @Override
        public void multicastProgrammed() {
            if (!isMulticastDue.getAndSet(true)) {
                offer(new MulticastChanged());
            }
        }

        @Override
        public void portLost(String why) {
            offer(new PortLost(why));
        }
    }

    /** What may be seen over HTTP. */
    record Watch(SubnetManagerService service, Journal journal) implements HttpControl {
        @Override
        public @Nullable PublishedView view() {
            return service.view();
        }

        @Override
        public @Nullable SmStatistics figures() {
            return service.figures();
        }

        @Override
        public String version() {
            return Version.TEXT;
        }

        @Override
        public void pulse(Runnable task) {
            service.pulse(task);
        }
    }

    /** What the console may do. */
    private final class Control implements ConsoleControl {
        private final SubnetManagerService service;

        Control(SubnetManagerService service) {
            this.service = service;
        }

        @Override
        public void requestSweep(boolean isHeavy) {
            service.requestSweep(isHeavy);
        }

        @Override
        public void requestReroute() {
            service.requestReroute();
        }

        @Override
        public @Nullable PublishedView view() {
            return service.view();
        }

        @Override
        public List<String> statusLines() {
            return new ArrayList<>(service.statusLines());
        }

        @Override
        public MulticastView multicast() {
            return service.multicast();
        }

        @Override
        public Operations operations() {
            return service.operations();
        }

        @Override
        public Journal journal() {
            return journal;
        }

        @Override
        public @Nullable Path dumpDir() {
            return plan.options().files().dumpDir();
        }

        @Override
        public Future<Boolean> dump() {
            DumpAsked asked = new DumpAsked(new CompletableFuture<>());
            if (!offer(asked)) {
                asked.done().complete(false);
            }
            return asked.done();
        }

        @Override
        public String logLevel() {
            return LogSetup.level();
        }

        @Override
        public void setLogLevel(String level) {
            LogSetup.setLevel(level);
            EVENTS.report(SmEvent.LOG_LEVEL_CHANGED, EventField.LEVEL.of(level));
        }

        @Override
        public String version() {
            return Version.TEXT;
        }
    }
}
