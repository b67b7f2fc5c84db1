package io.torussm.daemon.alert;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.journal.Journal;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Tells those whom the operator named of the events of a journal, until it is closed. */
public final class Alerts implements AutoCloseable {
    private static final long PAUSE_MS = 1_000;

    private final List<Delivery> deliveries = new ArrayList<>();

    /**
     * Begins with the first event that the journal has.
     *
     * @param options who is told; nobody is a choice, too
     * @param defects hears of what no code expected
     */
    public Alerts(SmOptions.Alerts options, Journal journal, Consumer<Throwable> defects) {
        List<Receiver> receivers = new ArrayList<>();
        Path program = options.alertProgram();
        if (program != null) {
            receivers.add(new ProgramReceiver(program));
        }
        URI url = options.alertUrl();
        if (url != null) {
            receivers.add(new WebReceiver(url));
        }
        for (Receiver receiver : receivers) {
            deliveries.add(new Delivery(journal, host(), options.alertLevel(), receiver, PAUSE_MS, defects));
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // this host has no name that it knows itself
        }
    }

    @Override
    public void close() {
        deliveries.forEach(Delivery::close);
    }
}
