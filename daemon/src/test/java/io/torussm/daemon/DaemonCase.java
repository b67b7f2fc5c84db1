package io.torussm.daemon;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Halt;
import io.torussm.daemon.system.ServiceManager;
import io.torussm.view.PublishedView;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A daemon process whose service is a stub with a sweep that ends as a test says. The SM is a {@link FakeControl},
 * master of {@link Views#twoSwitches}.
 */
@Timeout(120)
abstract class DaemonCase {
    @TempDir
    Path dir;

    final PublishedView view = Views.twoSwitches();
    final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    /** Calls of the service: {@code start}, {@code reconfigure} and {@code close}. */
    final List<String> calls = new ArrayList<>();

    final FakeControl control = new FakeControl();

    /** The exit status with which the process was halted. */
    final CompletableFuture<Integer> halted = new CompletableFuture<>();

    /** Settings of a test. */
    final Map<Setting<?>, String> more = new TreeMap<>();

    /** Complete when the process calls the service periodically. */
    final CompletableFuture<Boolean> open = new CompletableFuture<>();

    /** Called when the service is closed. */
    Runnable onClose = () -> {};

    DaemonCase() {
        control.becomeMaster(5);
        control.view = view;
    }

    /** Returns a service whose sweep ends as a test says. */
    SubnetManagerService service(Consumer<SubnetManagerService.Listener> start) {
        return new SubnetManagerService() {
            @Override
            public void start(Listener listener) {
                calls.add("start");
                start.accept(listener);
            }

            @Override
            public void reconfigure(SmOptions options) {
                calls.add("reconfigure");
            }

            @Override
            public SmControl control() {
                return control;
            }

            @Override
            public void callPeriodically(long periodNs, Runnable beat) {
                beat.run();
                open.complete(true);
            }

            @Override
            public void close() {
                calls.add("close");
                onClose.run();
            }
        };
    }

    Daemon daemon(SubnetManagerService.Factory services, boolean isOnce, String... explain)
            throws ConfigurationException {
        return daemon(services, isOnce, ServiceManager.of(Map.of(), 1), explain);
    }

    Daemon daemon(SubnetManagerService.Factory services, boolean isOnce, ServiceManager manager, String... explain)
            throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        values.put(
                Settings.DUMP_FILES_DIR,
                new Configuration.CommandLineValue(
                        "--dump-dir", dir.resolve("dumps").toString()));
        values.put(
                Settings.CONTROL_SOCKET, new Configuration.CommandLineValue("--control-socket", socket().toString()));
        values.put(Settings.HTTP_LISTEN, new Configuration.CommandLineValue("--http-listen", "none"));
        more.forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue(setting.key(), value)));
        SmOptions options = Configuration.read(null, values);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new Daemon(
                new Daemon.Setup(options, isOnce, List.of(explain), () -> options),
                services,
                out,
                manager,
                new Halt(halted::complete, 1));
    }

    Path socket() {
        return dir.resolve("control.sock");
    }

    /** Returns the exit code of a process that runs for one sweep. */
    ExitCode once(Consumer<SubnetManagerService.Listener> start, String... explain) throws Exception {
        return daemon((options, host) -> service(start), true, explain).run();
    }

    /** Runs a process on another thread. */
    static CompletableFuture<ExitCode> running(Daemon daemon) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return daemon.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
