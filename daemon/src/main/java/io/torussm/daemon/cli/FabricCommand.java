package io.torussm.daemon.cli;

import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.lab.FabricProcess;
import io.torussm.daemon.lab.LabServers;
import io.torussm.daemon.log.LogSetup;
import io.torussm.daemon.system.ExitCode;
import io.torussm.sim.SimTraffic;
import io.torussm.sim.serve.ListenAddress;
import io.torussm.sim.serve.ServeLimits;
import io.torussm.sim.shape.TopologySpec;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm fabric}: a fabric without hardware for programs that use libibumad, in the place of ibsim. */
final class FabricCommand implements Subcommand {
    private static final String TOPOLOGY = "SPEC|FILE";
    private static final String LISTEN = "--listen";
    private static final String CLIENTS = "--max-clients";
    private static final String TIMEOUT = "--timeout";
    private static final String SCRIPT = "--script";
    private static final String TRAFFIC = "--traffic";
    private static final String SOCKET = "--control-socket";
    private static final String HTTP = "--http-listen";
    private static final String HTTPS = "--https-listen";
    private static final String CERTIFICATE = "--https-certificate";
    private static final String KEY = "--https-key";
    private static final String CLIENT_CA = "--https-client-ca";
    private static final String USERS = "--https-users";
    private static final List<Setting<?>> SETTINGS =
            List.of(Settings.SIMULATE_DEVICES, Settings.SIM_LIMITS, Settings.LOG_FILE);
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[)?([A-Za-z0-9.:_-]{1,253}?)(?:\\])?:(\\d{1,5})");
    private static final int MAX_PORT = 65_535;
    private static final long MAX_TIMEOUT_MS = 60_000;

    @Override
    public String name() {
        return "fabric";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] SPEC|FILE";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage()
                .description("Serve a fabric without hardware to programs that use libibumad, as ibsim does: start them"
                        + " with ibsim-run, and with SIM_HOST set to the node that they sit on. Lines on standard"
                        + " input change it, in the words of ibsim's console and more: Help lists them, Quit ends"
                        + " it.")
                .footer("Exit codes: 0 orderly end, 1 defect, 2 bad configuration or usage, or the address is in use.");
        TorusSmCommand.addOptions(spec, SETTINGS);
        CommandWords.addWord(
                spec, 0, TOPOLOGY, "a file: output of ibnetdiscover, or a capture; or " + TopologySpec.GRAMMAR);
        CommandWords.addList(
                spec,
                "ADDRESS",
                "unix:NAME, as IBSIM_SOCKNAME of clients; udp:[ADDRESS:]PORT, as their IBSIM_SERVER_NAME and"
                        + " IBSIM_SERVER_PORT, on 127.0.0.1 unless ADDRESS is given. May be given several times; else"
                        + " unix: with IBSIM_SOCKNAME, or sim",
                LISTEN);
        CommandWords.addText(
                spec, "COUNT", "simultaneous clients, 1 to " + ServeLimits.MAX_CLIENTS + " (default: 256)", CLIENTS);
        CommandWords.addText(
                spec,
                "MS",
                "time after which an SMP without a response is returned to its sender (default: 200)",
                TIMEOUT);
        CommandWords.addList(spec, "FILE", "faults with their times, see lab.md. May be given several times", SCRIPT);
        CommandWords.addText(
                spec,
                "RATE",
                "packets a second of all hosts to all, by the tables in the switches, 1 to " + SimTraffic.MAX_RATE
                        + "; the console shows losses and their places",
                TRAFFIC);
        addControl(spec);
    }

    private static void addControl(CommandSpec spec) {
        CommandWords.addText(
                spec, "PATH", "socket by which torus-smctl --socket PATH changes the fabric (default: none)", SOCKET);
        CommandWords.addText(
                spec,
                "ADDRESS",
                "HOST:PORT of this host, for HTTP without a password: state, metrics, changes (default: none)",
                HTTP);
        CommandWords.addText(
                spec, "ADDRESS", "HOST:PORT for the same over TLS, to users by their roles (default: none)", HTTPS);
        CommandWords.addText(spec, "FILE", "its certificate, as https_certificate of the daemon", CERTIFICATE);
        CommandWords.addText(spec, "FILE", "its key, as https_key", KEY);
        CommandWords.addText(spec, "FILE", "authority of its clients, as https_client_ca", CLIENT_CA);
        CommandWords.addText(spec, "FILE", "its users, as https_users", USERS);
    }

    private static LabServers.ServerAddresses control(ParseResult parsed) throws ConfigurationException {
        return new LabServers.ServerAddresses(
                path(parsed, SOCKET),
                address(parsed, HTTP),
                address(parsed, HTTPS),
                new AccessFiles.AccessPaths(
                        path(parsed, CERTIFICATE), path(parsed, KEY), path(parsed, CLIENT_CA), path(parsed, USERS)));
    }

    private static @Nullable Path path(ParseResult parsed, String option) {
        String text = parsed.matchedOptionValue(option, "");
        return text.isEmpty() ? null : Path.of(text);
    }

    private static @Nullable InetSocketAddress address(ParseResult parsed, String option)
            throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, "");
        if (text.isEmpty()) {
            return null;
        }
        Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MAX_PORT) {
            throw new ConfigurationException(
                    List.of("option " + option + ": \"" + text + "\" is no HOST:PORT, such as 127.0.0.1:9336"));
        }
        return InetSocketAddress.createUnresolved(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        if (!parsed.hasMatchedOption(HTTPS)) {
            UnusedOptions.refuse(parsed, "a fabric without " + HTTPS, List.of(CERTIFICATE, KEY, CLIENT_CA, USERS));
        }
        SmOptions options = TorusSmCommand.fabricOptions(parsed, TOPOLOGY);
        if (options.log().logFile() != null) {
            LogSetup.apply(options.log());
        }
        FabricProcess.ProcessParameters plan = new FabricProcess.ProcessParameters(
                options.port(),
                listen(parsed),
                limits(parsed),
                parsed.matchedOptionValue(SCRIPT, List.<String>of()).stream()
                        .map(Path::of)
                        .toList(),
                parsed.hasMatchedOption(TRAFFIC) ? (int) number(parsed, TRAFFIC, 1, SimTraffic.MAX_RATE) : 0,
                control(parsed));
        return new FabricProcess(plan, out).run(System.in);
    }

    private static List<ListenAddress> listen(ParseResult parsed) throws ConfigurationException {
        List<String> texts = parsed.matchedOptionValue(LISTEN, List.of());
        String name = System.getenv().getOrDefault("IBSIM_SOCKNAME", ListenAddress.DEFAULT_NAME);
        try {
            return texts.isEmpty()
                    ? List.of(new ListenAddress.Unix(name))
                    : texts.stream().map(ListenAddress::parse).toList();
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("option --listen: " + e.getMessage()));
        }
    }

    private static ServeLimits limits(ParseResult parsed) throws ConfigurationException {
        ServeLimits defaults = ServeLimits.DEFAULT;
        long clients = number(parsed, CLIENTS, defaults.maxClients(), ServeLimits.MAX_CLIENTS);
        long timeoutMs =
                number(parsed, TIMEOUT, TimeUnit.NANOSECONDS.toMillis(defaults.smpTimeoutNs()), MAX_TIMEOUT_MS);
        return defaults.withClients((int) clients).withSmpTimeout(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    private static long number(ParseResult parsed, String option, long defaultValue, long max)
            throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, Long.toString(defaultValue));
        long value = text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
        if (value < 1 || value > max) {
            throw new ConfigurationException(List.of("option " + option + ": must be 1 to " + max));
        }
        return value;
    }
}
