package io.torussm.daemon.process;

import io.torussm.daemon.alert.Alerts;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.fabric.ExplainPath;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatus;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.log.JournalAppender;
import io.torussm.daemon.log.LogSetup;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.sm.Transports;
import io.torussm.daemon.system.Defects;
import io.torussm.daemon.system.DescriptorLimit;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Halt;
import io.torussm.daemon.system.ServiceManager;
import io.torussm.daemon.system.Signals;
import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.TransportException;
import io.torussm.transport.umad.PortNotReadyException;
import io.torussm.view.PublishedView;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The life cycle of a process: it opens the port, runs the SM and the console, writes dumps, and ends in order.
 * {@link #run} processes the {@link DaemonEvents} one after the other on the calling thread.
 */
public final class Daemon {
    private static final EventLog EVENTS = EventLog.of(Daemon.class);

    /** Time limit of an orderly end: shorter than the time-out of systemd (TimeoutStopSec), longer than a usual end. */
    private static final long END_TIMEOUT_MS = 15_000;

    private final Setup parameters;
    private final SubnetManagerService.Factory services;
    private final PrintStream out;
    private final PrintStream err;
    private final ServiceManager manager;
    private final Journal journal = new Journal();
    private final Defects defects = new Defects();
    private final SubnetUpLines subnetUpLines = new SubnetUpLines();
    private final DaemonEvents events;
    private final DumpDirectory dumps =
            new DumpDirectory(() -> this.options.files().dumpDir());
    private final Halt halt;
    private final SubnetManagerService.Host host = new ProcessHost();
    private volatile SmOptions options;

    /** Last logged end of a sweep without a subnet; null if a subnet came up since. */
    private DaemonEvent.@Nullable NoSubnet lastDown;

    private HttpServers http = HttpServers.none();
    private boolean hasSignalHandlers; // true if the signal handlers are installed

    /** Action that waits until this SM is standby or master; null for none. */
    private @Nullable Consumer<SmControl> pendingRoleAction;

    /** A reader of the configuration after SIGHUP. */
    public interface ConfigurationReader {
        /** Reads the configuration again. */
        SmOptions options() throws ConfigurationException;
    }

    /**
     * The parameters of the process.
     *
     * @param options options of the operator
     * @param isOnce true to end after the first sweep
     * @param explain pairs {@code SRC,DST} whose paths are explained when the subnet is up; only with {@code isOnce}
     * @param reload reader of the configuration after SIGHUP
     */
    public record Setup(SmOptions options, boolean isOnce, List<String> explain, ConfigurationReader reload) {
        public Setup {
            explain = List.copyOf(explain);
        }
    }

    public Daemon(Setup plan, SubnetManagerService.Factory services, PrintStream out) {
        this(plan, services, out, System.err);
    }

    /**
     * Creates the daemon of a real process.
     *
     * @param services factory of the service of the SM
     * @param out stream for the output of {@code --once}
     * @param err stream for the reason of a failed start; only used if the log is a file
     */
    public Daemon(Setup plan, SubnetManagerService.Factory services, PrintStream out, PrintStream err) {
        this(
                plan,
                services,
                out,
                err,
                ServiceManager.of(System.getenv(), ProcessHandle.current().pid()),
                new Halt(Runtime.getRuntime()::halt, END_TIMEOUT_MS));
    }

    public Daemon(
            Setup plan, SubnetManagerService.Factory services, PrintStream out, ServiceManager manager, Halt halt) {
        this(plan, services, out, System.err, manager, halt);
    }

    public Daemon(
            Setup plan,
            SubnetManagerService.Factory services,
            PrintStream out,
            PrintStream err,
            ServiceManager manager,
            Halt halt) {
        this.parameters = plan;
        this.options = plan.options();
        this.services = services;
        this.out = out;
        this.err = err;
        this.manager = manager;
        this.halt = halt;
        events = new DaemonEvents(plan.isOnce(), subnetUpLines);
    }

    /** Runs until the end, and returns the exit code. */
    public ExitCode run() throws InterruptedException {
        JournalAppender appender = JournalAppender.attach(journal);
        Thread.UncaughtExceptionHandler formerHandler = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> handleUncaught(thrown));
        Alerts alerts = new Alerts(options.alerts(), journal, this::handleUncaught);
        try {
            return serveUntilEnd();
        } catch (RuntimeException | Error e) {
            handleUncaught(e);
            return ExitCode.INTERNAL_ERROR;
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(formerHandler);
            alerts.close();
            appender.close();
        }
    }

    /**
     * Handles an uncaught exception of a thread. An error of the virtual machine halts the process, because memory may
     * be damaged.
     */
    private void handleUncaught(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            halt.halt(thrown);
        } else {
            defects.accept(thrown);
        }
    }

    private ExitCode serveUntilEnd() throws InterruptedException {
        warnOf(options);
        ExitCode end = null;
        while (end == null) {
            SubnetManagerService service;
            try {
                service = open();
            } catch (TransportException e) {
                reportStart(Finding.of(SmEvent.PORT_UNAVAILABLE, EventField.REASON.of(e.getMessage())));
                return ExitCode.NO_PORT;
            } catch (ConfigurationException e) {
                e.problems().forEach(problem -> reportStart(SmEvent.CONFIGURATION_ERROR.finding(problem)));
                return ExitCode.BAD_CONFIGURATION;
            }
            end = service == null ? ExitCode.OK : serveUntilEnd(service);
        }
        return end;
    }

    /** Logs the reason of a failed start. If the log is a file, the reason is also written to {@code err}. */
    private void reportStart(Finding reason) {
        EVENTS.report(reason);
        if (options.log().logFile() != null) {
            err.println("torus-sm: " + reason.event().code() + " " + reason.text());
        }
    }

    /** Runs a service until its end. Returns the exit code; null if another service has to replace it. */
    private @Nullable ExitCode serveUntilEnd(SubnetManagerService service) throws InterruptedException {
        SmControl control = service.control();
        ConsoleServer console = null;
        HttpServers servers = HttpServers.none();
        try {
            service.start(events);
            installSignalHandlers();
            console = parameters.isOnce() ? null : DaemonConsole.of(control, options);
            servers = parameters.isOnce() ? HttpServers.none() : HttpServers.open(options, control);
            http = servers;
            subnetUpLines.operatorsCanConnect();
            if (options.mastership().isInactive()) {
                manager.sweepEnded("waits until a master calls it", SmStatus.headline(control));
            }
            service.callPeriodically(manager.pingIntervalNs(), () -> manager.ping(() -> SmStatus.headline(control)));
            return serve(service);
        } finally {
            if (pendingRoleAction == null) {
                manager.stopping();
            }
            servers.close();
            if (console != null) {
                console.close();
            }
            service.close();
        }
    }

    /** Installs the signal handlers at the first call, during the first sweep, because it takes a tenth of a start. */
    private void installSignalHandlers() {
        if (hasSignalHandlers) {
            return;
        }
        hasSignalHandlers = true;
        Signals.handle("TERM", () -> terminate("SIGTERM"));
        Signals.handle("INT", () -> terminate("SIGINT"));
        Signals.handle("HUP", () -> events.offer(new DaemonEvent.ReloadRequested()));
        Signals.handle("USR1", LogSetup::reopen);
        DescriptorLimit.check();
    }

    /** Opens a service. Without {@code --once}, it waits for a port. Returns null if an end was requested meanwhile. */
    private @Nullable SubnetManagerService open()
            throws TransportException, ConfigurationException, InterruptedException {
        EVENTS.report(SmEvent.OPENING.finding(Transports.name(options.port())));
        try (PortWait wait = new PortWait(manager, journal, options)) {
            while (true) {
                try {
                    SubnetManagerService service = services.open(options, host);
                    wait.portOpened();
                    return service;
                } catch (PortNotReadyException e) {
                    if (parameters.isOnce()) {
                        throw e;
                    }
                    installSignalHandlers();
                    wait.attemptFailed(String.valueOf(e.getMessage()));
                }
                DaemonEvent event = events.take(PortWait.PERIOD_MS);
                if (event instanceof DaemonEvent.EndRequested asked) {
                    EVENTS.report(SmEvent.ENDING, EventField.REASON.of(asked.reason()));
                    return null;
                } else if (event instanceof DaemonEvent.ReloadRequested) {
                    reload(null);
                }
            }
        }
    }

    /** Requests an orderly end. If the queue of events is full, all events in it are dropped. Thread-safe. */
    public void stop(String reason) {
        events.requestEnd(reason);
    }

    /** Requests an orderly end, and starts its time limit. Thread-safe. */
    public void terminate(String reason) {
        halt.startTimeLimit();
        stop(reason);
    }

    /**
     * Processes events until the end. Without {@code --once}, an exception ends only the processing of one event.
     * Returns the exit code; null if another service has to replace this one.
     */
    private @Nullable ExitCode serve(SubnetManagerService service) throws InterruptedException {
        while (true) {
            DaemonEvent event = events.take();
            if (event instanceof DaemonEvent.StandbyRequested left) {
                pendingRoleAction = left.then();
                options = options.withoutShadow().withPriority(0); // not master before an operator requests it
                return null;
            }
            ExitCode end;
            try {
                end = serve(event, service);
            } catch (RuntimeException | Error e) {
                defects.accept(e);
                FatalErrors.escalate(e);
                end = parameters.isOnce() ? ExitCode.INTERNAL_ERROR : null;
            }
            if (end != null) {
                return end;
            }
        }
    }

    /** Processes an event. Returns the exit code; null if the process continues. */
    private @Nullable ExitCode serve(DaemonEvent event, SubnetManagerService service) {
        SmControl control = service.control();
        if (event instanceof DaemonEvent.SubnetPublished) {
            runPendingRoleAction(control);
            return handleSubnetUp(control);
        } else if (event instanceof DaemonEvent.NoSubnet down) {
            runPendingRoleAction(control);
            report(down);
            manager.sweepEnded(down.reason().line(), SmStatus.headline(control));
            return parameters.isOnce() ? down.code() : null;
        } else if (event instanceof DaemonEvent.ShadowReported looked) {
            return handleShadowReport(looked.report());
        } else if (event instanceof DaemonEvent.StartFailed) {
            EVENTS.report(SmEvent.ENDING, EventField.REASON.of("the subnet manager could not begin"));
            return ExitCode.INTERNAL_ERROR;
        } else if (event instanceof DaemonEvent.PortLost lost) {
            EVENTS.report(SmEvent.PORT_GONE, EventField.REASON.of(lost.reason()));
            return ExitCode.NO_PORT;
        } else if (event instanceof DaemonEvent.PortChanged changed) {
            manager.portChanged(changed.problem(), SmStatus.headline(control));
        } else if (event instanceof DaemonEvent.EndRequested asked) {
            EVENTS.report(SmEvent.ENDING, EventField.REASON.of(asked.reason()));
            return ExitCode.OK;
        } else if (event instanceof DaemonEvent.MulticastChanged) {
            events.onMulticastTaken();
            PublishedView view = control.view();
            if (view != null) {
                dumps.writeMulticast(view, control);
            }
        } else if (event instanceof DaemonEvent.ReloadRequested) {
            reload(service);
        } else if (event instanceof DaemonEvent.DumpRequested asked) {
            try {
                asked.result().complete(dumps.writeCurrent(control));
            } finally {
                asked.result().complete(false);
            }
        }
        return null;
    }

    private void runPendingRoleAction(SmControl control) {
        Consumer<SmControl> then = pendingRoleAction;
        pendingRoleAction = null;
        if (then != null) {
            then.accept(control);
        }
    }

    private @Nullable ExitCode handleShadowReport(ShadowReport report) {
        lastDown = null;
        manager.sweepEnded("", report.headline());
        if (!parameters.isOnce()) {
            return null;
        }
        report.lines().forEach(out::println);
        out.flush();
        return report.isGood() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }

    private @Nullable ExitCode handleSubnetUp(SmControl control) {
        lastDown = null;
        PublishedView up = events.latest();
        manager.sweepEnded("", SmStatus.headline(control));
        boolean isDumped = dumps.write(up, control);
        if (!parameters.isOnce()) {
            return null;
        }
        return explain(up) && isDumped ? ExitCode.OK : ExitCode.BAD_CONFIGURATION;
    }

    private static void warnOf(SmOptions options) {
        options.values().warnings().forEach(text -> EVENTS.report(SmEvent.CONFIGURATION_WARNING.finding(text)));
    }

    private void report(DaemonEvent.NoSubnet down) {
        if (!down.equals(lastDown)) {
            lastDown = down;
            EVENTS.report(down.reason());
        }
    }

    private boolean explain(PublishedView view) {
        boolean isGood = true;
        for (String pair : parameters.explain()) {
            ExplainPath.Explanation explanation = ExplainPath.ofPair(view, pair);
            explanation.lines().forEach(out::println);
            isGood &= explanation.isGood();
        }
        out.flush();
        return isGood;
    }

    /**
     * Reads the configuration again and applies it.
     *
     * @param service service that applies the options; null if none is open, so that the next one opens with the
     *     options
     */
    private void reload(@Nullable SubnetManagerService service) {
        manager.reloading();
        try {
            SmOptions read = parameters.reload().options();
            EVENTS.report(SmEvent.CONFIGURATION_READ);
            warnOf(read);
            if (service != null) {
                service.reconfigure(read);
            }
            if (!read.log().logLevel().equals(options.log().logLevel())) {
                LogSetup.setLevel(read.log().logLevel());
            }
            options = read;
        } catch (ConfigurationException e) {
            e.problems().forEach(problem -> EVENTS.report(SmEvent.CONFIGURATION_ERROR.finding(problem)));
            EVENTS.report(SmEvent.CONFIGURATION_KEPT);
        } finally {
            manager.reloaded();
        }
        http.reload();
        if (service != null) {
            service.control().requestSweep(true);
        }
    }

    /** The host of the SM: it provides the journal, and writes dumps on the thread of the daemon. */
    private final class ProcessHost implements SubnetManagerService.Host {
        @Override
        public void leaveShadow(Consumer<SmControl> then) {
            events.offer(new DaemonEvent.StandbyRequested(then));
        }

        @Override
        public Journal journal() {
            return journal;
        }

        @Override
        public Defects defects() {
            return defects;
        }

        @Override
        public Future<Boolean> writeDumps() {
            DaemonEvent.DumpRequested asked = new DaemonEvent.DumpRequested(new CompletableFuture<>());
            if (!events.offer(asked)) {
                asked.result().complete(false);
            }
            return asked.result();
        }
    }
}
